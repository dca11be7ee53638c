"""The index that growing reads: which edges leave and enter a node, and what stands at their far end.

A *half-edge* is an edge seen from one of its nodes: its type, its direction and the far node. It has
an entry for every legal label of the far node, so that ancestors are grown in the same pass as leaves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphmem.patterns.encoding import EncodedGraphs, Ints, Ragged
from graphmem.patterns.tables import Longs

PEELING_ROUNDS = 8
"""Rounds of dropping nodes with one edge: more would only shorten long tails a little further."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Codes:
    """What a half-edge can add, numbered densely: type, direction and the label of the far node."""

    full: Longs
    """`(type * 2 + direction) * labels + label` of each code, ascending."""
    label: Ints
    type: Ints
    is_incoming: NDArray[np.bool_]
    """Whether the edge goes from the far node to this one."""

    def __len__(self) -> int:
        return len(self.full)


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfEdges:
    """All ways to add a node to an embedding, and all edges that may close a cycle."""

    codes: Codes

    entries: Ragged
    """Node -> far nodes, one a label of the far node, in the order of (code, far node)."""
    code: Ints
    """What an entry adds: a place in `codes`."""
    is_cut: NDArray[np.bool_]
    """Whether entries of this node and code were left out."""
    closing: Ragged
    """Node -> targets of its edges that may lie on a cycle."""
    closing_type: Ints


def number_codes(seeds: tuple[Longs, Longs, Longs], labels: int) -> Codes:
    """Number what the frequent one-edge motifs allow to be added.

    Args:
        seeds: source label, edge type and target label of the frequent one-edge motifs.
        labels: how many labels there are.
    """
    source_label, edge_type, target_label = seeds
    full = np.unique(
        np.concatenate([edge_type * 2 * labels + target_label, (edge_type * 2 + 1) * labels + source_label])
    )
    return Codes(
        full=full,
        label=(full % max(1, labels)).astype(np.int32),
        type=(full // max(1, labels) // 2).astype(np.int32),
        is_incoming=full // max(1, labels) % 2 == 1,
    )


def index_half_edges(encoded: EncodedGraphs, codes: Codes, limit: int) -> HalfEdges:
    """Build the index for the edges that occur in frequent one-edge motifs.

    Args:
        encoded: the corpus, or a part of it.
        codes: what the frequent one-edge motifs of the whole corpus allow to be added.
        limit: entries kept of a node and code: as many as embeddings, so no embedding loses every
            extension of a code, since at most six of the entries can be in the embedding already.
    """
    labels = len(encoded.table.labels)
    proper = encoded.source != encoded.target
    source, target, types = (
        column[proper].astype(np.int64) for column in (encoded.source, encoded.target, encoded.edge_type)
    )
    near = np.concatenate([source, target])
    far = np.concatenate([target, source])
    half = np.concatenate([types * 2, types * 2 + 1])
    origin, variant = encoded.table.variants.expand(encoded.node_label[far])
    full = half[origin] * labels + encoded.table.variants.values[variant]
    code = np.minimum(np.searchsorted(codes.full, full), max(0, len(codes) - 1))
    is_frequent = codes.full[code] == full if len(codes) else np.zeros(len(full), dtype=bool)
    origin, code = origin[is_frequent], code[is_frequent]
    order = np.lexsort((far[origin], code, near[origin]))
    near, far, code = near[origin][order], far[origin][order], code[order]
    kept, is_cut = _limited(near, code, limit)
    closing, closing_type = _closing_edges(encoded)
    return HalfEdges(
        codes=codes,
        entries=_rows(near[kept], far[kept], len(encoded.node_label)),
        code=code[kept].astype(np.int32),
        is_cut=is_cut[kept],
        closing=closing,
        closing_type=closing_type,
    )


def _limited(near: Longs, code: Longs, limit: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which entries to keep of each node and code, and which belong to one that lost some."""
    is_new = np.ones(len(near), dtype=bool)
    is_new[1:] = (near[1:] != near[:-1]) | (code[1:] != code[:-1])
    starts = np.flatnonzero(is_new)
    lengths = np.diff(np.append(starts, len(near)))
    rank = np.arange(len(near)) - np.repeat(starts, lengths)
    return rank < limit, np.repeat(lengths > limit, lengths)


def _closing_edges(encoded: EncodedGraphs) -> tuple[Ragged, Ints]:
    """Edges that are left when nodes with one edge are dropped: only these lie on cycles."""
    alive = np.ones(len(encoded.source), dtype=bool)
    size = len(encoded.node_label)
    for _ in range(PEELING_ROUNDS):
        ends = np.concatenate([encoded.source[alive], encoded.target[alive]])
        is_end = np.bincount(ends, minlength=size) == 1
        dead = alive & (is_end[encoded.source] | is_end[encoded.target])
        if not dead.any():
            break
        alive &= ~dead
    return _rows(encoded.source[alive], encoded.target[alive], size), encoded.edge_type[alive]


def _rows(near: NDArray[np.integer], far: NDArray[np.integer], size: int) -> Ragged:
    starts = np.concatenate([[0], np.cumsum(np.bincount(near, minlength=size))])
    return Ragged(starts, far.astype(np.int32))
