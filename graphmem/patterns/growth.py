"""Step 2 and 3 of mining: grow all frequent motifs on embedding tables, level by level.

A level holds every frequent motif of one size. Trees grow by one node at a time; a motif with cycles
(parallel edges and self-loops among them) is a tree with edges added, so only trees grow further.
Whole batches of motifs are extended, grouped and counted in one go, which makes a path of its own for
small tables needless. Embeddings are kept with every symmetry: an extension is counted at each of the
equivalent nodes it may hang on.

Each tree is reached by the removal of one leaf, the one with the largest label, so hardly anything is
counted twice. Closedness is none of growth's concern (`reduction`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from graphmem.patterns.canonical import TYPE_BIT, table_codes
from graphmem.patterns.dense import set_dense_aside
from graphmem.patterns.encoding import EncodedGraphs, Ints
from graphmem.patterns.graphs import EDGE_TYPES
from graphmem.patterns.halfedges import HalfEdges, index_half_edges
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.tables import (
    CappedEpisodes,
    Groups,
    Longs,
    MotifTable,
    cap_groups,
    frequent_groups,
    one_example_each,
    stack,
)

BATCH_CANDIDATES = 1_000_000
"""Candidates extended at once: some 60 bytes each, so a batch stays far below 100 MB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """All frequent motifs of one size, one example embedding an episode."""

    table: MotifTable
    stopped_by: Literal["time", "number"] | None = None
    """What ended the search within this level, so that motifs of this size are missing; None: nothing."""


@dataclass(frozen=True, slots=True)
class _Growth:
    """What stays the same through one search."""

    encoded: EncodedGraphs
    half_edges: HalfEdges
    policy: MiningPolicy
    min_support: int
    seen: set[bytes]
    """Canonical forms found so far."""

    def episodes(self, table: MotifTable) -> Ints:
        return self.encoded.node_episode[table.rows[:, 0]]


def grow_levels(
    encoded: EncodedGraphs,
    policy: MiningPolicy,
    min_support: int,
    *,
    is_over: Callable[[], bool],
    progress: Callable[[int, float], None],
) -> Iterator[Level]:
    """Yield the levels of 2, 3, ... nodes until nothing is frequent, or time or the allowed number runs out.

    Args:
        encoded: the corpus.
        policy: bounds of motifs and embeddings.
        min_support: fewest episodes of a motif.
        is_over: whether the time budget is spent; asked between batches.
        progress: told the size that is grown and the share of it that is done.
    """
    seeds, keys = _seed_table(encoded, policy, min_support)
    half_edges = index_half_edges(encoded, keys, policy.max_embeddings)
    growth = _Growth(encoded, half_edges, policy, min_support, set())
    trees = seeds
    yield Level(table=_examples(growth, trees))
    for size in range(3, policy.max_nodes + 1):
        if not len(trees):
            return
        grown: list[MotifTable] = []
        found: list[MotifTable] = []
        trees = _growable(growth, trees)
        batches = _batches(growth, trees)
        for number, (first, last) in enumerate(batches):
            stopped_by = _reason_to_stop(growth, is_over)
            if stopped_by:
                yield Level(table=stack(found, size), stopped_by=stopped_by)
                return
            progress(size, number / len(batches))
            batch = _add_node(growth, trees.slice(first, last))
            found.append(_examples(growth, batch))
            if size < policy.max_nodes:
                grown.append(batch)
        trees = stack(grown, size)
        yield Level(table=stack(found, size))
        progress(size, 1.0)


def _reason_to_stop(growth: _Growth, is_over: Callable[[], bool]) -> Literal["time", "number"] | None:
    if len(growth.seen) > growth.policy.max_frequent:
        return "number"
    return "time" if is_over() else None


def _examples(growth: _Growth, trees: MotifTable) -> MotifTable:
    """The trees and all frequent motifs that add edges to them, one embedding an episode."""
    tables = (trees, *_with_cycles(growth, trees))
    return stack([one_example_each(table, growth.encoded.node_episode) for table in tables], trees.size)


def _seed_table(
    encoded: EncodedGraphs, policy: MiningPolicy, min_support: int
) -> tuple[MotifTable, tuple[Longs, Longs, Longs]]:
    """All frequent motifs of one edge between two nodes, and their labels and types."""
    variants, labels = encoded.table.variants, len(encoded.table.labels)
    edge = np.flatnonzero(encoded.source != encoded.target)
    for_source, source_entry = variants.expand(encoded.node_label[encoded.source[edge]])
    edge = edge[for_source]
    for_target, target_entry = variants.expand(encoded.node_label[encoded.target[edge]])
    edge = edge[for_target]
    source_label = variants.values[source_entry][for_target].astype(np.int64)
    target_label = variants.values[target_entry].astype(np.int64)
    generalised = encoded.table.is_generalised
    fits = generalised[source_label].astype(int) + generalised[target_label] <= policy.max_generalised
    keys = (source_label * len(EDGE_TYPES) + encoded.edge_type[edge]) * labels + target_label
    edge, keys = edge[fits], keys[fits]
    episodes = encoded.node_episode[encoded.source[edge]]
    groups = frequent_groups(keys, episodes, min_support)
    groups, lost = cap_groups(groups, episodes, policy.max_embeddings)
    rest, target_of = np.divmod(groups.keys, max(1, labels))
    source_of, type_of = np.divmod(rest, len(EDGE_TYPES))
    adjacency = np.zeros((len(groups.keys), 2, 2), np.uint8)
    adjacency[:, 0, 1] = TYPE_BIT[type_of]
    chosen = edge[groups.members]
    table = MotifTable(
        labels=np.stack([source_of, target_of], axis=1).astype(np.int32),
        adjacency=adjacency,
        starts=groups.starts,
        rows=np.stack([encoded.source[chosen], encoded.target[chosen]], axis=1),
        capped=_merge_lost({}, lost),
    )
    return table, (source_of, type_of, target_of)


def _growable(growth: _Growth, trees: MotifTable) -> MotifTable:
    """The motifs to grow, without the episodes in which that would be too much."""
    return set_dense_aside(
        trees,
        growth.half_edges.entries.lengths[trees.rows].sum(axis=1),
        growth.encoded.node_episode,
        limit=growth.policy.max_candidates,
        min_support=growth.min_support,
    )


def _batches(growth: _Growth, trees: MotifTable) -> list[tuple[int, int]]:
    """Ranges of motifs with about as many candidates each; a motif is never split."""
    each = growth.half_edges.entries.lengths[trees.rows].sum(axis=1)
    candidates = np.concatenate([[0], np.cumsum(each)])[trees.starts]
    cuts = [0]
    while cuts[-1] < len(trees):
        limit = candidates[cuts[-1]] + BATCH_CANDIDATES
        cuts.append(max(cuts[-1] + 1, int(np.searchsorted(candidates, limit, side="right")) - 1))
    return list(pairwise(cuts))


def _add_node(growth: _Growth, trees: MotifTable) -> MotifTable:
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
        capped=_merge_lost(inherited, lost),
    )


def _new_nodes(growth: _Growth, trees: MotifTable) -> tuple[Longs, Longs, Ints, NDArray[np.bool_]]:
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


def _with_cycles(growth: _Growth, trees: MotifTable) -> Iterator[MotifTable]:
    """All frequent motifs that add edges to the given trees, one more edge a table."""
    table = trees
    while len(table):
        table = _add_edge(growth, table)
        if len(table):
            yield table


def _add_edge(growth: _Growth, table: MotifTable) -> MotifTable:
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


def _missing_edges(growth: _Growth, table: MotifTable) -> tuple[Longs, Longs]:
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


def _unseen(growth: _Growth, labels: Ints, adjacency: NDArray[np.uint8]) -> NDArray[np.bool_]:
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


def _merge_lost(inherited: CappedEpisodes, lost: list[tuple[int, int]]) -> CappedEpisodes:
    merged = {motif: set(episodes) for motif, episodes in inherited.items()}
    for motif, episode in lost:
        merged.setdefault(motif, set()).add(episode)
    return {motif: frozenset(episodes) for motif, episodes in merged.items()}
