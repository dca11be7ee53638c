"""The two ways to extend a table of motifs: by a node, and by an edge that closes a cycle.

Both count all extensions of all embeddings at once and keep those with enough support that were not
found before. Which tables are extended, and when to stop, is `growth`'s.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphmem.patterns.canonical import TYPE_BIT, table_codes
from graphmem.patterns.encoding import EncodedGraphs, Ints
from graphmem.patterns.graphs import EDGE_TYPES
from graphmem.patterns.halfedges import Codes, HalfEdges
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


class NodeCandidates(NamedTuple):
    """Every way to add a node to every embedding of a table."""

    keys: Longs
    """(motif, anchor, code) as one number."""
    origin: Longs
    """The embedding, ascending among candidates of a key."""
    node: Ints
    is_cut: NDArray[np.bool_]
    """Whether entries of the anchor were left out."""


class Shapes(NamedTuple):
    """What motifs look like that extend those of a table, one a key."""

    parent: Longs
    """Place of the extended motif in its table."""
    labels: Ints
    adjacency: NDArray[np.uint8]

    def choose(self, wanted: NDArray[np.bool_]) -> Shapes:
        """The shapes that are wanted."""
        return Shapes(self.parent[wanted], self.labels[wanted], self.adjacency[wanted])


def add_node(growth: Growth, trees: MotifTable) -> MotifTable:
    """All frequent trees that extend the given ones by a leaf with the largest label."""
    candidates = node_candidates(growth, trees)
    groups = frequent_groups(candidates.keys, growth.episodes(trees)[candidates.origin], growth.min_support)
    shapes = node_shapes(growth.half_edges.codes, trees.labels, trees.adjacency, groups.keys)
    is_new = unseen(growth.seen, shapes)
    return with_nodes(growth, trees, candidates, groups.choose(is_new), shapes.choose(is_new))


def node_shapes(codes: Codes, labels: Ints, adjacency: NDArray[np.uint8], keys: Longs) -> Shapes:
    """The motifs that keys of `node_candidates` stand for."""
    size = labels.shape[1]
    place, code = np.divmod(keys, max(1, len(codes)))
    parent, anchor = np.divmod(place, size)
    wider = np.zeros((len(keys), size + 1, size + 1), np.uint8)
    wider[:, :size, :size] = adjacency[parent]
    incoming, every = codes.is_incoming[code], np.arange(len(keys))
    wider[every, np.where(incoming, size, anchor), np.where(incoming, anchor, size)] = TYPE_BIT[codes.type[code]]
    return Shapes(parent, np.concatenate([labels[parent], codes.label[code][:, None]], axis=1), wider)


def with_nodes(
    growth: Growth, trees: MotifTable, candidates: NodeCandidates, groups: Groups, shapes: Shapes
) -> MotifTable:
    """The table of the chosen extensions.

    Args:
        growth: the search.
        trees: what is extended.
        candidates: all extensions of it.
        groups: of the candidates, those chosen.
        shapes: of the groups.
    """
    episodes = growth.episodes(trees)[candidates.origin]
    groups, lost = cap_groups(groups, episodes, growth.policy.max_embeddings)
    lost += _cut(groups, episodes, candidates.is_cut)
    members = groups.members
    return MotifTable(
        labels=shapes.labels,
        adjacency=shapes.adjacency,
        starts=groups.starts,
        rows=np.concatenate([trees.rows[candidates.origin[members]], candidates.node[members][:, None]], axis=1),
        capped=merge_lost(_inherited(trees.capped, shapes.parent), lost),
    )


def _inherited(capped: CappedEpisodes, parent: Longs) -> CappedEpisodes:
    return {child: capped[motif] for child, motif in enumerate(parent.tolist()) if motif in capped}


def node_candidates(growth: Growth, trees: MotifTable) -> NodeCandidates:
    """Look at all nodes next to all embeddings."""
    half_edges, motif = growth.half_edges, trees.row_motif
    generalised = growth.encoded.table.is_generalised
    allowance = growth.policy.max_generalised - generalised[trees.labels].sum(axis=1)
    smallest = _smallest_label(trees)
    parts = []
    for anchor in range(trees.size):
        origin, entry = half_edges.entries.expand(trees.rows[:, anchor])
        code, owner = half_edges.code[entry], motif[origin]
        label = half_edges.codes.label[code]
        fits = (label >= smallest[owner, anchor]) & (generalised[label] <= allowance[owner])
        origin, entry, code, owner = origin[fits], entry[fits], code[fits], owner[fits]
        node = half_edges.entries.values[entry]
        is_free = np.ones(len(node), dtype=bool)
        for other in range(trees.size):
            if other != anchor:
                is_free &= trees.rows[origin, other] != node
        keys = (owner.astype(np.int64) * trees.size + anchor) * len(half_edges.codes) + code
        parts.append((keys[is_free], origin[is_free], node[is_free], half_edges.is_cut[entry[is_free]]))
    keys, origins, nodes, cuts = zip(*parts, strict=True)
    return NodeCandidates(
        np.concatenate(keys), np.concatenate(origins), np.concatenate(nodes), np.concatenate(cuts)
    )


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
    keys, origin = edge_candidates(growth, table)
    groups = frequent_groups(keys, growth.episodes(table)[origin], growth.min_support)
    shapes = edge_shapes(table.labels, table.adjacency, groups.keys)
    is_new = unseen(growth.seen, shapes)
    return with_edges(table, origin, groups.choose(is_new), shapes.choose(is_new))


def edge_shapes(labels: Ints, adjacency: NDArray[np.uint8], keys: Longs) -> Shapes:
    """The motifs that keys of `edge_candidates` stand for."""
    size = labels.shape[1]
    rest, edge_type = np.divmod(keys, len(EDGE_TYPES))
    rest, target = np.divmod(rest, size)
    parent, source = np.divmod(rest, size)
    denser = adjacency[parent]
    denser[np.arange(len(parent)), source, target] |= TYPE_BIT[edge_type]
    return Shapes(parent, labels[parent], denser)


def with_edges(table: MotifTable, origin: Longs, groups: Groups, shapes: Shapes) -> MotifTable:
    """The table of the chosen extensions by an edge.

    Args:
        table: what is extended.
        origin: the embedding of each candidate.
        groups: of the candidates, those chosen.
        shapes: of the groups.
    """
    return MotifTable(
        labels=shapes.labels,
        adjacency=shapes.adjacency,
        starts=groups.starts,
        rows=table.rows[origin[groups.members]],
        capped=_inherited(table.capped, shapes.parent),
    )


def edge_candidates(growth: Growth, table: MotifTable) -> tuple[Longs, Longs]:
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


def unseen(seen: set[bytes], shapes: Shapes) -> NDArray[np.bool_]:
    """Which motifs were not found before; they count as found from here on.

    Args:
        seen: canonical forms found so far; new ones are added.
        shapes: motifs of one size.
    """
    is_new = np.zeros(len(shapes.labels), dtype=bool)
    for place, code in enumerate(table_codes(shapes.labels, shapes.adjacency)):
        if code not in seen:
            seen.add(code)
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
