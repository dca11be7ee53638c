"""The two ways to extend a table of motifs: by a node, and by an edge that closes a cycle.

Both count all extensions of all embeddings at once and keep those with enough support that were not
found before. Which tables are extended, and when to stop, is `growth`'s.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphmem.patterns.canonical import TYPE_BIT, table_codes
from graphmem.patterns.encoding import EncodedGraphs, Ints
from graphmem.patterns.graphs import EDGE_TYPES
from graphmem.patterns.halfedges import HalfEdges
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.tables import CappedEpisodes, Groups, Longs, MotifTable, cap_groups, frequent_groups


@dataclass(frozen=True, slots=True)
class Growth:
    """What one search works on."""

    encoded: EncodedGraphs
    half_edges: HalfEdges
    policy: MiningPolicy
    min_support: int
    seen: set[bytes]
    """Canonical forms found so far."""

    def episodes(self, table: MotifTable) -> Ints:
        """The episode of each embedding of a table."""
        return self.encoded.node_episode[table.rows[:, 0]]


def add_node(growth: Growth, trees: MotifTable) -> MotifTable:
    """All frequent trees that extend the given ones by a leaf with the largest label."""
    keys, origin, node, is_cut = _new_nodes(growth, trees)
    episodes = growth.episodes(trees)[origin]
    groups = frequent_groups(keys, episodes, growth.min_support)
    half_edges, size = growth.half_edges, trees.size
    place, code = np.divmod(groups.keys, max(1, len(half_edges.code_label)))
    parent, anchor = np.divmod(place, size)
    labels = np.concatenate([trees.labels[parent], half_edges.code_label[code][:, None]], axis=1)
    adjacency = np.zeros((len(groups.keys), size + 1, size + 1), np.uint8)
    adjacency[:, :size, :size] = trees.adjacency[parent]
    incoming = half_edges.code_is_incoming[code]
    bit = TYPE_BIT[half_edges.code_type[code]]
    every = np.arange(len(groups.keys))
    adjacency[every, np.where(incoming, size, anchor), np.where(incoming, anchor, size)] = bit
    is_new = _unseen(growth, labels, adjacency)
    groups, lost = cap_groups(groups.choose(is_new), episodes, growth.policy.max_embeddings)
    lost += _cut(groups, episodes, is_cut)
    inherited = {
        child: trees.capped[motif] for child, motif in enumerate(parent[is_new].tolist()) if motif in trees.capped
    }
    return MotifTable(
        labels=labels[is_new],
        adjacency=adjacency[is_new],
        starts=groups.starts,
        rows=np.concatenate([trees.rows[origin[groups.members]], node[groups.members][:, None]], axis=1),
        capped=merge_lost(inherited, lost),
    )


def _new_nodes(growth: Growth, trees: MotifTable) -> tuple[Longs, Longs, Ints, NDArray[np.bool_]]:
    """Candidates: key (motif, anchor, code), embedding, new node, whether the anchor's entries were cut."""
    half_edges, motif = growth.half_edges, trees.row_motif
    generalised = growth.encoded.table.is_generalised
    allowance = growth.policy.max_generalised - generalised[trees.labels].sum(axis=1)
    smallest = _smallest_label(trees)
    parts = []
    for anchor in range(trees.size):
        origin, entry = half_edges.entries.expand(trees.rows[:, anchor])
        code, owner = half_edges.code[entry], motif[origin]
        label = half_edges.code_label[code]
        fits = (label >= smallest[owner, anchor]) & (generalised[label] <= allowance[owner])
        origin, entry, code, owner = origin[fits], entry[fits], code[fits], owner[fits]
        node = half_edges.entries.values[entry]
        is_free = np.ones(len(node), dtype=bool)
        for other in range(trees.size):
            if other != anchor:
                is_free &= trees.rows[origin, other] != node
        keys = (owner.astype(np.int64) * trees.size + anchor) * len(half_edges.code_label) + code
        parts.append((keys[is_free], origin[is_free], node[is_free], half_edges.is_cut[entry[is_free]]))
    keys, origins, nodes, cuts = zip(*parts, strict=True)
    return np.concatenate(keys), np.concatenate(origins), np.concatenate(nodes), np.concatenate(cuts)


def _smallest_label(trees: MotifTable) -> Ints:
    """Motifs x anchors: the largest label among the leaves that stay leaves when the anchor grows."""
    linked = (trees.adjacency > 0) | (trees.adjacency > 0).transpose(0, 2, 1)
    leaf_label = np.where(linked.sum(axis=2) == 1, trees.labels, -1)
    others = np.repeat(leaf_label[:, None, :], trees.size, axis=1)
    others[:, np.arange(trees.size), np.arange(trees.size)] = -1
    largest: Ints = others.max(axis=2).astype(np.int32)
    return largest


def with_cycles(growth: Growth, trees: MotifTable) -> Iterator[MotifTable]:
    """All frequent motifs that add edges to the given trees, one more edge a table."""
    table = trees
    while len(table):
        table = _add_edge(growth, table)
        if len(table):
            yield table


def _add_edge(growth: Growth, table: MotifTable) -> MotifTable:
    keys, origin = _missing_edges(growth, table)
    episodes = growth.episodes(table)[origin]
    groups = frequent_groups(keys, episodes, growth.min_support)
    rest, edge_type = np.divmod(groups.keys, len(EDGE_TYPES))
    rest, target = np.divmod(rest, table.size)
    parent, source = np.divmod(rest, table.size)
    adjacency = table.adjacency[parent]
    adjacency[np.arange(len(parent)), source, target] |= TYPE_BIT[edge_type]
    is_new = _unseen(growth, table.labels[parent], adjacency)
    groups = groups.choose(is_new)
    kept = parent[is_new]
    return MotifTable(
        labels=table.labels[kept],
        adjacency=adjacency[is_new],
        starts=groups.starts,
        rows=table.rows[origin[groups.members]],
        capped={child: table.capped[motif] for child, motif in enumerate(kept.tolist()) if motif in table.capped},
    )


def _missing_edges(growth: Growth, table: MotifTable) -> tuple[Longs, Longs]:
    """Candidates: key (motif, source, target, type) of an edge the motif has not, and the embedding."""
    half_edges, motif, size = growth.half_edges, table.row_motif, table.size
    keys, origins = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for source in range(size):
        origin, entry = half_edges.closing.expand(table.rows[:, source])
        node, edge_type = half_edges.closing.values[entry], half_edges.closing_type[entry]
        for target in range(size):
            hit = np.flatnonzero(table.rows[origin, target] == node)
            owner, types = motif[origin[hit]], edge_type[hit]
            missing = (table.adjacency[owner, source, target] & TYPE_BIT[types]) == 0
            pair = (owner[missing].astype(np.int64) * size + source) * size + target
            keys.append(pair * len(EDGE_TYPES) + types[missing])
            origins.append(origin[hit[missing]])
    return np.concatenate(keys), np.concatenate(origins)


def _unseen(growth: Growth, labels: Ints, adjacency: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which motifs were not found before; they count as found from here on."""
    is_new = np.zeros(len(labels), dtype=bool)
    for place, code in enumerate(table_codes(labels, adjacency)):
        if code not in growth.seen:
            growth.seen.add(code)
            is_new[place] = True
    return is_new


def _cut(groups: Groups, episodes: Ints, is_cut: NDArray[np.bool_]) -> list[tuple[int, int]]:
    if not is_cut.any():
        return []
    group = np.repeat(np.arange(len(groups.keys)), np.diff(groups.starts))
    hit = is_cut[groups.members]
    return list(zip(group[hit].tolist(), episodes[groups.members[hit]].tolist(), strict=True))


def merge_lost(inherited: CappedEpisodes, lost: list[tuple[int, int]]) -> CappedEpisodes:
    """Add (motif, episode) pairs that lost embeddings to those known already."""
    merged = {motif: set(episodes) for motif, episodes in inherited.items()}
    for motif, episode in lost:
        merged.setdefault(motif, set()).add(episode)
    return {motif: frozenset(episodes) for motif, episodes in merged.items()}
