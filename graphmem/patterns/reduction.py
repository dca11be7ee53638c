"""Step 5 of mining: keep what is closed and not over-general.

A motif is *closed* when no motif with one edge more holds in the same episodes, and *over-general*
when replacing one label by one below it leaves the same episodes. Both are looked up among the
frequent motifs, from the larger and from the more special one; how these were found does not matter,
so motifs merged from partitions reduce the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from graphmem.patterns.canonical import TYPE_BIT, table_codes
from graphmem.patterns.encoding import Ints, LabelTable
from graphmem.patterns.tables import Longs, MotifTable

Adjacency = NDArray[np.uint8]
Flags = NDArray[np.bool_]


def reduce_motifs(tables: Sequence[MotifTable], labels: LabelTable) -> list[Flags]:
    """Say of each motif of each table whether it is closed and not over-general.

    Args:
        tables: all frequent motifs, one table a size, one embedding an episode.
        labels: the labels above each label.
    """
    places: dict[bytes, tuple[int, int]] = {}
    for number, table in enumerate(tables):
        codes = table_codes(table.labels, table.adjacency)
        places.update((code, (number, motif)) for motif, code in enumerate(codes))
    support = [np.diff(table.starts) for table in tables]
    kept = [np.ones(len(table), dtype=bool) for table in tables]
    for number, table in enumerate(tables):
        for motif, smaller_labels, smaller_adjacency in (*_less_an_edge(table), _generalised(table, labels)):
            codes = table_codes(smaller_labels, smaller_adjacency)
            for larger, code in zip(motif.tolist(), codes, strict=True):
                place = places.get(code)
                if place and support[place[0]][place[1]] == support[number][larger]:
                    kept[place[0]][place[1]] = False
    return kept


def _less_an_edge(table: MotifTable) -> Iterator[tuple[Longs, Ints, Adjacency]]:
    """The connected motifs with one edge less: of the same size, then without the node cut off."""
    motif, source, target = np.nonzero(table.adjacency)
    has_type = (table.adjacency[motif, source, target][:, None] & TYPE_BIT) > 0
    edge, edge_type = np.nonzero(has_type)
    motif = motif[edge]
    adjacency = table.adjacency[motif]
    adjacency[np.arange(len(motif)), source[edge], target[edge]] ^= TYPE_BIT[edge_type]
    linked: Flags = np.logical_or(adjacency > 0, adjacency.transpose(0, 2, 1) > 0)
    is_alone = np.logical_not(np.any(linked, axis=2))
    connects = _connects_all(linked, is_alone)
    whole = connects & ~is_alone.any(axis=1)
    yield motif[whole], table.labels[motif[whole]], adjacency[whole]
    if table.size > 2:
        cut = np.flatnonzero(connects & (is_alone.sum(axis=1) == 1))
        rest = np.argsort(is_alone[cut], axis=1, kind="stable")[:, : table.size - 1]
        labels = np.take_along_axis(table.labels[motif[cut]], rest, axis=1)
        yield motif[cut], labels, adjacency[cut[:, None, None], rest[:, :, None], rest[:, None, :]]


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


def _generalised(table: MotifTable, labels: LabelTable) -> tuple[Longs, Ints, Adjacency]:
    """The motifs with one label replaced by one a step above it."""
    motifs, relabelled = [], []
    for column in range(table.size):
        motif, entry = labels.parents.expand(table.labels[:, column])
        changed = table.labels[motif]
        changed[:, column] = labels.parents.values[entry]
        motifs.append(motif)
        relabelled.append(changed)
    motif = np.concatenate(motifs)
    return motif, np.concatenate(relabelled), table.adjacency[motif]
