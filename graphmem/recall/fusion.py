"""Fuses lexical and vector scores into one: pure.

Sums of min-max scores beat reciprocal rank fusion where it was measured (see the docs on recall): a
sum keeps by how much a signal prefers its first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from graphmem.graph.records import Vector
from graphmem.recall.recipes import Weights


@dataclass(frozen=True, slots=True)
class Signals:
    """What is known of one candidate."""

    lexical: float = 0.0
    """BM25, 0 or more; 0 when it shares no token with the query."""
    similarity: float | None = None
    """Calibrated likeness, 0 to 1; None when one of the two has no vector."""
    bare: bool = False
    """Whether it is known by name only: such a one does not set the scale for the others."""


@dataclass(frozen=True, slots=True)
class Fused:
    """A candidate's score and what each signal gave to it; they sum up to it."""

    score: float
    lexical: float
    similarity: float


def fuse(candidates: Sequence[Signals], weights: Weights, bare_factor: float = 1.0) -> list[Fused]:
    """Scores from 0 to 1: the weighted mean of both signals, each put on the range it has here.

    Args:
        candidates: All that are ranked together.
        weights: How much each signal counts. Where no candidate has a vector, only words count.
        bare_factor: Factor for what is known by name only, 0 to 1.

    Returns:
        One result a candidate, in their order. A signal's range is that of the candidates that are not
        bare (all of them, when there are no others): its least value gives 0, its greatest 1; where
        they are equal, anything above 0 gives 1. A missing similarity gives 0.
    """
    scale = [candidate for candidate in candidates if not candidate.bare] or candidates
    words = _Range.of(candidate.lexical for candidate in scale)
    likeness = _Range.of(candidate.similarity for candidate in scale if candidate.similarity is not None)
    lexical, similar = _shares(weights, has_vectors=any(one.similarity is not None for one in candidates))
    fused = []
    for candidate in candidates:
        factor = bare_factor if candidate.bare else 1.0
        by_words = factor * lexical * words.place(candidate.lexical)
        by_likeness = factor * similar * likeness.place(candidate.similarity)
        fused.append(Fused(by_words + by_likeness, by_words, by_likeness))
    return fused


def _shares(weights: Weights, *, has_vectors: bool) -> tuple[float, float]:
    """Both weights, summing up to 1."""
    lexical, similar = weights.lexical, weights.similarity if has_vectors else 0.0
    whole = lexical + similar
    # a recipe of vectors alone, where there are none: words are all there is
    return (lexical / whole, similar / whole) if whole else (1.0, 0.0)


def cosines(query: Vector, vectors: Sequence[Vector]) -> list[float]:
    """Cosines between one vector and others; 0 where one of the two has no length."""
    if not vectors:
        return []
    matrix = np.stack(vectors)
    lengths = np.linalg.norm(matrix, axis=1) * np.linalg.norm(query)
    products = matrix @ query
    return [float(value) for value in np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)]


@dataclass(frozen=True, slots=True)
class _Range:
    low: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> _Range:
        found = list(values)
        return cls(min(found), max(found)) if found else cls(0.0, 0.0)

    def place(self, value: float | None) -> float:
        """Where a value lies in the range, 0 to 1; 0 for one that is missing."""
        if value is None:
            return 0.0
        if self.high <= self.low:
            return 1.0 if value > 0 else 0.0
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)
