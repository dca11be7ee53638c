"""Ranks candidates by BM25 from their own tokens and their tenant's counts: the one lexical ranking.

Stores only find candidates and count; their engines' scores mix tenants and differ from each other.
Tokens come from graph/tokens.py.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphmem.graph.records import NodeRef

K1 = 1.2
"""How fast repetitions of a token stop adding; 0 counts presence only."""
B = 0.75
"""How much longer documents are held back: 0 not at all, 1 in full."""


@dataclass(frozen=True, slots=True)
class CorpusCounts:
    """Counts over all searchable documents of one tenant."""

    documents: int
    """Documents of the labels searched, 0 or more."""
    average_length: float
    """Mean tokens of these documents, 0 or more."""
    frequency: Mapping[str, int]
    """Documents that hold each token of the query; a token without an entry counts as held by one."""


def most_selective(tokens: Sequence[str], frequency: Mapping[str, int], limit: int = 64) -> list[str]:
    """The rarest distinct tokens that any document holds, in the order of the query.

    Args:
        tokens: Tokens of the query; a repetition counts once.
        frequency: Documents that hold each token; tokens without an entry are left out.
        limit: Most tokens, at least 1; among equally rare ones the first ones stay.
    """
    held = [token for token in dict.fromkeys(tokens) if frequency.get(token, 0) > 0]
    kept = set(heapq.nsmallest(limit, held, key=lambda token: frequency[token]))
    return [token for token in held if token in kept]


def rank(
    tokens: Sequence[str],
    candidates: Iterable[tuple[NodeRef, str]],
    counts: CorpusCounts,
    limit: int | None = None,
) -> list[tuple[NodeRef, float]]:
    """Candidates that hold any of the tokens, best first, ties by (label, id).

    The score is the sum over distinct query tokens t of

        idf(t) * f * (K1 + 1) / (f + K1 * (1 - B + B * length / average_length))

    with f the occurrences of t in the document and idf(t) = ln(1 + (N - n + 0.5) / (n + 0.5)) for N
    documents, n of which hold t (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework:
    BM25 and Beyond", equation 3.15; the 1 inside the logarithm keeps idf above 0 for common tokens).

    Args:
        tokens: Tokens of the query; a repetition counts once.
        candidates: Each document's name and its `search_text`.
        counts: Of the tenant, never of the candidates alone.
        limit: Most results; None for all.

    Returns:
        (name, score) with score above 0. Equal input gives equal scores to the last bit.
    """
    weights = {token: _idf(token, counts) for token in dict.fromkeys(tokens)}
    scored = []
    for ref, text in candidates:
        score = _score(weights, text, counts.average_length)
        if score > 0:
            scored.append((-score, ref))
    best = sorted(scored) if limit is None else heapq.nsmallest(limit, scored)
    return [(ref, -negated) for negated, ref in best]


def _idf(token: str, counts: CorpusCounts) -> float:
    # counts may be older than the document that is being ranked, or capped
    held = min(max(counts.frequency.get(token, 1), 1), max(counts.documents, 1))
    return math.log(1 + (max(counts.documents, 1) - held + 0.5) / (held + 0.5))


def _score(weights: Mapping[str, float], text: str, average_length: float) -> float:
    # whether a token is a part of the text is far cheaper to ask than how often it is a word of it
    possible = [token for token in weights if token in text]
    if not possible:
        return 0.0
    document = text.split()
    length = len(document) / average_length if average_length > 0 else 1.0
    norm = K1 * (1 - B + B * length)
    # in the order of the query, so that the sum of floats is the same whatever the document's order
    score = 0.0
    for token in possible:
        occurrences = document.count(token)
        score += weights[token] * occurrences * (K1 + 1) / (occurrences + norm)
    return score
