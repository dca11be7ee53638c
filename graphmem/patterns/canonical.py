"""The canonical form of motifs: equal for isomorphic ones, so that a hash of it is an id.

The form puts labels in order and, among the orders of equal labels, takes the one with the smallest
edge list. `canonical_code` says it for one motif in plain Python; `canonicalise` computes the same
order for a whole table of motifs at once, which is what mining needs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from graphmem.patterns.graphs import EDGE_TYPES

NO_NODE = -1
"""Label of a column that a smaller motif does not use."""

TYPE_BIT = np.array([0x80 >> number for number in range(len(EDGE_TYPES))], dtype=np.uint8)
"""Bit of an edge type in an adjacency byte: the first type is the highest bit, so that among forms with
as many edges the largest byte string is the smallest edge list."""

Label = tuple[str, str]
Edge = tuple[int, int, str]


def canonical_order(labels: Sequence[Label], edges: Sequence[Edge]) -> tuple[int, ...]:
    """The order of nodes that gives the canonical form: the node at each canonical place.

    Args:
        labels: (kind, key) of each node.
        edges: (source, target, type), places in `labels`.
    """
    by_label = sorted(range(len(labels)), key=lambda node: labels[node])
    groups: dict[Label, list[int]] = {}
    for node in by_label:
        groups.setdefault(labels[node], []).append(node)
    orders = (
        tuple(node for group in choice for node in group)
        for choice in product(*(permutations(group) for group in groups.values()))
    )
    return min(orders, key=lambda order: _relabelled(edges, order))


def canonical_code(labels: Sequence[Label], edges: Sequence[Edge], *, scope: str | None = None) -> str:
    """Write the canonical form as JSON text: the name of its scope in front where mining was limited.

    Args:
        labels: (kind, key) of each node.
        edges: (source, target, type), places in `labels`.
        scope: what mining was limited to, by name.
    """
    order = canonical_order(labels, edges)
    return write_code([labels[node] for node in order], _relabelled(edges, order), scope=scope)


def write_code(labels: Sequence[Label], edges: Sequence[Edge], *, scope: str | None = None) -> str:
    """Write a motif that is in canonical form already, see `canonical_code`."""
    return json.dumps([scope, labels, edges], ensure_ascii=False, separators=(",", ":"))


def motif_id(code: str) -> str:
    """SHA-256 of a canonical code in hex; a lone surrogate in a label hashes as its own bytes."""
    return hashlib.sha256(code.encode("utf-8", "surrogatepass")).hexdigest()


def _relabelled(edges: Sequence[Edge], order: Sequence[int]) -> list[Edge]:
    place = {node: number for number, node in enumerate(order)}
    return sorted((place[source], place[target], edge_type) for source, target, edge_type in edges)


def canonicalise(labels: NDArray[np.int32], adjacency: NDArray[np.uint8]) -> NDArray[np.intp]:
    """The canonical order of each motif in a table: the column at each canonical place.

    Args:
        labels: motifs x columns, label numbers in the order of (kind, key), `NO_NODE` where unused.
        adjacency: motifs x columns x columns, the types of edges from row to column as `TYPE_BIT`.
    """
    keys = np.where(labels == NO_NODE, np.iinfo(np.int32).max, labels)
    order = np.argsort(keys, axis=1, kind="stable")
    keys = np.take_along_axis(keys, order, axis=1)
    ties = (keys[:, 1:] == keys[:, :-1]) & (keys[:, 1:] != np.iinfo(np.int32).max)
    patterns = ties @ (1 << np.arange(ties.shape[1]))
    for pattern in np.unique(patterns[patterns > 0]).tolist():
        rows = np.flatnonzero(patterns == pattern)
        order[rows] = _smallest_order(order[rows], adjacency[rows], pattern)
    return order


def _smallest_order(order: NDArray[np.intp], adjacency: NDArray[np.uint8], ties: int) -> NDArray[np.intp]:
    """Choose among the orders of equal labels; `ties` has bit i set where places i and i + 1 tie."""
    best = order
    best_form = _flat(adjacency, order)
    for shuffle in _shuffles(order.shape[1], ties):
        candidate = order[:, shuffle]
        form = _flat(adjacency, candidate)
        first = np.argmax(form != best_form, axis=1)[:, None]
        smaller = np.take_along_axis(form, first, axis=1) > np.take_along_axis(best_form, first, axis=1)
        best = np.where(smaller, candidate, best)
        best_form = np.where(smaller, form, best_form)
    return best


def _shuffles(width: int, ties: int) -> list[list[int]]:
    runs: list[list[int]] = [[0]]
    for place in range(1, width):
        if ties >> (place - 1) & 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return [
        [place for run in choice for place in run] for choice in product(*(permutations(run) for run in runs))
    ][1:]


def _flat(adjacency: NDArray[np.uint8], order: NDArray[np.intp]) -> NDArray[np.uint8]:
    return permuted(adjacency, order).reshape(len(order), order.shape[1] ** 2)


def permuted(adjacency: NDArray[np.uint8], order: NDArray[np.intp]) -> NDArray[np.uint8]:
    """Adjacency with its rows and columns in the given order."""
    rows = np.take_along_axis(adjacency, order[:, :, None], axis=1)
    return np.take_along_axis(rows, order[:, None, :], axis=2)


def table_codes(labels: NDArray[np.int32], adjacency: NDArray[np.uint8]) -> list[bytes]:
    """A byte string for each motif of a table, equal exactly when motifs are isomorphic.

    The strings hold label numbers: they compare motifs of one encoded corpus only.
    """
    order = canonicalise(labels, adjacency)
    names = np.ascontiguousarray(np.take_along_axis(labels, order, axis=1))
    form = np.concatenate([names.view(np.uint8), _flat(adjacency, order)], axis=1)
    return [row.tobytes() for row in form]
