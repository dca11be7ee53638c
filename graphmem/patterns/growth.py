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

from graphmem.patterns.canonical import TYPE_BIT
from graphmem.patterns.dense import set_dense_aside
from graphmem.patterns.encoding import EncodedGraphs
from graphmem.patterns.extension import Growth, Shapes, add_node, merge_lost, with_cycles
from graphmem.patterns.graphs import EDGE_TYPES
from graphmem.patterns.halfedges import Codes, index_half_edges, number_codes
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.tables import (
    Groups,
    Longs,
    MotifTable,
    cap_groups,
    frequent_groups,
    one_example_each,
    stack,
)

StopReason = Literal["time", "number"]

BATCH_CANDIDATES = 1_000_000
"""Candidates extended at once: some 60 bytes each, so a batch stays far below 100 MB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """All frequent motifs of one size, one example embedding an episode."""

    table: MotifTable
    stopped_by: StopReason | None = None
    """What ended the search within this level, so that motifs of this size are missing; None: nothing."""


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
    edge, keys = seed_candidates(encoded, policy)
    groups = frequent_groups(keys, encoded.node_episode[encoded.source[edge]], min_support)
    codes, shapes = seed_shapes(groups.keys, len(encoded.table.labels))
    seeds = seed_table(encoded, policy, edge, groups, shapes)
    half_edges = index_half_edges(encoded, codes, policy.max_embeddings)
    growth = Growth(encoded, half_edges, policy, min_support, set())
    trees = seeds
    yield Level(table=_examples(growth, seeds))
    for size in range(3, policy.max_nodes + 1):
        if not len(trees):
            return
        grown: list[MotifTable] = []
        found: list[MotifTable] = []
        trees = growable(growth, trees)
        batches = batches_of(growth, trees)
        for number, (first, last) in enumerate(batches):
            stopped_by = _reason_to_stop(growth, is_over)
            if stopped_by:
                yield Level(table=stack(found, size), stopped_by=stopped_by)
                return
            progress(size, number / len(batches))
            batch = add_node(growth, trees.slice(first, last))
            found.append(_examples(growth, batch))
            if size < policy.max_nodes:
                grown.append(batch)
        trees = stack(grown, size)
        yield Level(table=stack(found, size))
        progress(size, 1.0)


def _reason_to_stop(growth: Growth, is_over: Callable[[], bool]) -> StopReason | None:
    if len(growth.seen) > growth.policy.max_frequent:
        return "number"
    return "time" if is_over() else None


def _examples(growth: Growth, trees: MotifTable) -> MotifTable:
    """The trees and all frequent motifs that add edges to them, one embedding an episode."""
    tables = (trees, *with_cycles(growth, trees))
    return stack([one_example_each(table, growth.encoded.node_episode) for table in tables], trees.size)


def seed_candidates(encoded: EncodedGraphs, policy: MiningPolicy) -> tuple[Longs, Longs]:
    """Every edge between two nodes under every pair of legal labels, and (label, type, label) as a key."""
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
    return edge[fits], keys[fits]


def seed_shapes(keys: Longs, labels: int) -> tuple[Codes, Shapes]:
    """What frequent keys of `seed_candidates` allow to be added to any motif, and the motifs they stand for."""
    rest, target_label = np.divmod(keys, max(1, labels))
    source_label, edge_type = np.divmod(rest, len(EDGE_TYPES))
    adjacency = np.zeros((len(keys), 2, 2), np.uint8)
    adjacency[:, 0, 1] = TYPE_BIT[edge_type]
    ends = np.stack([source_label, target_label], axis=1).astype(np.int32)
    codes = number_codes((source_label, edge_type, target_label), labels)
    return codes, Shapes(np.arange(len(keys)), ends, adjacency)


def seed_table(
    encoded: EncodedGraphs, policy: MiningPolicy, edge: Longs, groups: Groups, shapes: Shapes
) -> MotifTable:
    """The table of the motifs of one edge.

    Args:
        encoded: the corpus, or a part of it.
        policy: for the embeddings kept.
        edge: of each candidate.
        groups: of the candidates, those chosen.
        shapes: of the groups.
    """
    groups, lost = cap_groups(groups, encoded.node_episode[encoded.source[edge]], policy.max_embeddings)
    chosen = edge[groups.members]
    return MotifTable(
        labels=shapes.labels,
        adjacency=shapes.adjacency,
        starts=groups.starts,
        rows=np.stack([encoded.source[chosen], encoded.target[chosen]], axis=1),
        capped=merge_lost({}, lost),
    )


def growable(growth: Growth, trees: MotifTable) -> MotifTable:
    """The motifs to grow, without the episodes in which that would be too much."""
    return set_dense_aside(
        trees,
        growth.half_edges.entries.lengths[trees.rows].sum(axis=1),
        growth.encoded.node_episode,
        limit=growth.policy.max_candidates,
        min_support=growth.min_support,
    )


def batches_of(growth: Growth, trees: MotifTable) -> list[tuple[int, int]]:
    """Ranges of motifs with about as many candidates each; a motif is never split."""
    each = growth.half_edges.entries.lengths[trees.rows].sum(axis=1)
    candidates = np.concatenate([[0], np.cumsum(each)])[trees.starts]
    cuts = [0]
    while cuts[-1] < len(trees):
        limit = candidates[cuts[-1]] + BATCH_CANDIDATES
        cuts.append(max(cuts[-1] + 1, int(np.searchsorted(candidates, limit, side="right")) - 1))
    return list(pairwise(cuts))
