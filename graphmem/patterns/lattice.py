"""How motifs contain one another: each with the connected motifs that lack one of its edges.

Reduction asks which motifs say no more than a larger one, the structure test how often an edge was to be
expected in the smaller one. Motifs are numbered through all tables of a run, smallest size first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from graphmem.patterns.canonical import TYPE_BIT, table_codes
from graphmem.patterns.encoding import Ints
from graphmem.patterns.tables import Longs, MotifTable

Adjacency = NDArray[np.uint8]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallerMotifs:
    """Motifs with one edge less, one row each: from which motif, without which edge, what is left."""

    motif: Longs
    """Place in the table that they come from."""
    source: Ints
    """Label at the begin of the edge left out."""
    edge_type: Longs
    """Its number among the types."""
    target: Ints
    """Label at its end."""
    labels: Ints
    adjacency: Adjacency
    lost: Longs
    """0: no node went with the edge; 1: the edge's source; 2: its target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extensions:
    """Every way in which a frequent motif is a smaller frequent motif and one edge more."""

    child: Longs
    parent: Longs
    """Numbers through all tables."""
    source: Ints
    edge_type: Longs
    target: Ints
    """Label, type and label of the edge that the child has more."""
    added: Longs
    """0: the edge joins two nodes of the parent; 1: its source is a new node; 2: its target is."""


def code_places(tables: Sequence[MotifTable]) -> dict[bytes, int]:
    """The number of each motif by its code."""
    every = (code for table in tables for code in table_codes(table.labels, table.adjacency))
    return {code: number for number, code in enumerate(every)}


def first_numbers(tables: Sequence[MotifTable]) -> list[int]:
    """The number of the first motif of each table."""
    return [0, *accumulate(len(table) for table in tables[:-1])] if tables else []


def find_extensions(tables: Sequence[MotifTable], places: dict[bytes, int]) -> Extensions:
    """All pairs of frequent motifs that differ by one edge.

    Args:
        tables: All frequent motifs, one table a size.
        places: Their numbers, of `code_places`.
    """
    found: list[tuple[SmallerMotifs, Longs, Longs]] = []
    for first, table in zip(first_numbers(tables), tables, strict=True):
        for smaller in less_an_edge(table):
            codes = table_codes(smaller.labels, smaller.adjacency)
            parent = np.fromiter((places.get(code, -1) for code in codes), np.int64, len(codes))
            found.append((smaller, parent, smaller.motif + first))
    known = [(part, parent >= 0, parent, child) for part, parent, child in found]
    return Extensions(
        child=_joined([child[kept] for _, kept, _, child in known]),
        parent=_joined([parent[kept] for _, kept, parent, _ in known]),
        source=_joined([part.source[kept] for part, kept, _, _ in known]).astype(np.int32),
        edge_type=_joined([part.edge_type[kept] for part, kept, _, _ in known]),
        target=_joined([part.target[kept] for part, kept, _, _ in known]).astype(np.int32),
        added=_joined([part.lost[kept] for part, kept, _, _ in known]),
    )


def less_an_edge(table: MotifTable) -> Iterator[SmallerMotifs]:
    """The connected motifs with one edge less: of the same size, then without the node cut off."""
    motif, source, target = np.nonzero(table.adjacency)
    has_type = (table.adjacency[motif, source, target][:, None] & TYPE_BIT) > 0
    edge, edge_type = np.nonzero(has_type)
    motif, source, target = motif[edge], source[edge], target[edge]
    adjacency = table.adjacency[motif]
    adjacency[np.arange(len(motif)), source, target] ^= TYPE_BIT[edge_type]
    linked: Flags = np.logical_or(adjacency > 0, adjacency.transpose(0, 2, 1) > 0)
    is_alone = np.logical_not(np.any(linked, axis=2))
    connects = _connects_all(linked, is_alone)
    labels = table.labels[motif]
    ends = table.labels[motif, source], table.labels[motif, target]

    def part(rows: Longs, labels: Ints, adjacency: Adjacency, lost: Longs) -> SmallerMotifs:
        return SmallerMotifs(
            motif=motif[rows],
            source=ends[0][rows],
            edge_type=edge_type[rows],
            target=ends[1][rows],
            labels=labels,
            adjacency=adjacency,
            lost=lost,
        )

    whole = np.flatnonzero(connects & ~is_alone.any(axis=1))
    yield part(whole, labels[whole], adjacency[whole], np.zeros(len(whole), np.int64))
    if table.size > 2:
        cut = np.flatnonzero(connects & (is_alone.sum(axis=1) == 1))
        rest = np.argsort(is_alone[cut], axis=1, kind="stable")[:, : table.size - 1]
        lost = np.where(is_alone[cut, source[cut]], 1, 2)
        smaller = adjacency[cut[:, None, None], rest[:, :, None], rest[:, None, :]]
        yield part(cut, np.take_along_axis(labels[cut], rest, axis=1), smaller, lost)


def _connects_all(linked: Flags, is_alone: Flags) -> Flags:
    """Whether the nodes that have an edge are connected."""
    size = linked.shape[1]
    paths = (linked | np.eye(size, dtype=bool)).astype(np.float32)
    for _ in range((size - 1).bit_length()):
        paths = (paths @ paths > 0).astype(np.float32)
    either_alone = np.logical_or(is_alone[:, :, None], is_alone[:, None, :])
    joined = np.logical_or(paths > 0, either_alone).reshape(len(linked), size * size)
    connects: Flags = np.logical_and.reduce(joined, axis=1)
    return connects


def _joined(parts: Sequence[NDArray[np.generic]]) -> Longs:
    return np.concatenate([np.empty(0, np.int64), *parts]).astype(np.int64)
