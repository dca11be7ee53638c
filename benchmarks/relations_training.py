"""Weights of the second stage: learned on labelled pairs, kept in a file of the user's."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import logsumexp

import semeval_task8 as semeval
from graphmem.language.relations.english.noun_pairs import features
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.noun_lexicon import NounLexicon
from graphmem.language.relations.second_stage import NONE, Vectors, Weights, both_vectors
from graphmem.ports.text_analyzer import Sentence

_RAREST = 2
"""Pairs that must have a named feature."""


def lexicon_of(path: Path | None) -> NounLexicon | None:
    """The noun lexicon in a file of tab-separated edges, plain or gzipped; None for no file."""
    if path is None:
        return None
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        rows = [tuple(line.rstrip("\n").lower().split("\t")) for line in lines]
    return NounLexicon.of(row for row in rows if len(row) == 5)


def marked_pair(marked: semeval.Marked, sentences: Sequence[Sentence]) -> tuple[Parse, int, int] | None:
    """The parse and the head words of the two marked nominals; None where they are in two sentences."""
    for sentence in sentences:
        parse = Parse(sentence)
        places = [_head(parse, start - sentence.start, end - sentence.start) for start, end in marked.spans]
        if None not in places and places[0] != places[1]:
            return parse, places[0], places[1]  # type: ignore[return-value]  # neither is None
    return None


def _head(parse: Parse, start: int, end: int) -> int | None:
    inside = [place for place, token in enumerate(parse.tokens) if start <= token.start < end]
    outward = [place for place in inside if parse.head(place) not in inside or parse.head(place) == place]
    return (outward or inside)[-1] if inside else None


def train(
    sentences: Sequence[semeval.Marked],
    parsed: Sequence[Sequence[Sentence]],
    vectors: Vectors | None,
    lexicon: NounLexicon | None,
    *,
    penalty: float = 8.0,
    scale: float = 2.0,
) -> Weights:
    """Learn from labelled sentences by multinomial logistic regression with a quadratic penalty.

    Args:
        sentences: Labelled sentences.
        parsed: The parse of each.
        vectors: Vectors of nouns, where they are to be used.
        lexicon: Classes and parts of nouns, where they are to be used.
        penalty: Weight of the squared weights.
        scale: What vectors of nouns are multiplied by, so that they count beside named features.
    """
    rows, labels, dense = [], [], []
    for marked, cut in zip(sentences, parsed, strict=True):
        found = marked_pair(marked, cut)
        if found is None:
            continue
        parse, first, second = found
        rows.append(features(parse, first, second, lexicon))
        labels.append(f"{marked.relation}{'<' if marked.reverse else '>'}" if marked.relation else NONE)
        if vectors is not None:
            dense.append(both_vectors(vectors, parse, [(first, second)])[0] * scale)
    counts = Counter(one for row in rows for one in set(row))
    names = {one: place for place, one in enumerate(sorted(one for one in counts if counts[one] >= _RAREST))}
    classes = tuple(sorted(set(labels)))
    named = _indicators(rows, names)
    table = sparse.hstack([named, sparse.csr_array(np.array(dense))]).tocsr() if dense else named
    learned = _fit(table, np.array([classes.index(label) for label in labels]), len(classes), penalty)
    return Weights(
        classes,
        names,
        learned[: len(names)].astype(np.float32),
        (learned[len(names) :] * scale).astype(np.float32),
    )


def _indicators(rows: list[list[str]], names: dict[str, int]) -> Any:
    places = [(row, names[one]) for row, found in enumerate(rows) for one in found if one in names]
    return sparse.csr_array(
        (np.ones(len(places)), ([row for row, _ in places], [column for _, column in places])),
        shape=(len(rows), len(names)),
    )


def _fit(table: Any, labels: NDArray[Any], count: int, penalty: float) -> NDArray[Any]:
    truth = np.eye(count)[labels]

    def loss(flat: NDArray[Any]) -> tuple[float, NDArray[Any]]:
        weights = flat.reshape(table.shape[1], count)
        scores = table @ weights
        logs = scores - logsumexp(scores, axis=1, keepdims=True)
        value = -(truth * logs).sum() + penalty / 2 * (flat**2).sum()
        return float(value), (table.T @ (np.exp(logs) - truth) + penalty * weights).ravel()

    start = np.zeros(table.shape[1] * count)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 150})
    return np.asarray(found.x).reshape(table.shape[1], count)
