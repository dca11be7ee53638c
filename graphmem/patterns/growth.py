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
from graphmem.patterns.extension import Growth, add_node, merge_lost, with_cycles
from graphmem.patterns.graphs import EDGE_TYPES
from graphmem.patterns.halfedges import index_half_edges
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.tables import Longs, MotifTable, cap_groups, frequent_groups, one_example_each, stack

BATCH_CANDIDATES = 1_000_000
"""Candidates extended at once: some 60 bytes each, so a batch stays far below 100 MB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """All frequent motifs of one size, one example embedding an episode."""

    table: MotifTable
    stopped_by: Literal["time", "number"] | None = None
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
    seeds, keys = _seed_table(encoded, policy, min_support)
    half_edges = index_half_edges(encoded, keys, policy.max_embeddings)
    growth = Growth(encoded, half_edges, policy, min_support, set())
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
            batch = add_node(growth, trees.slice(first, last))
            found.append(_examples(growth, batch))
            if size < policy.max_nodes:
                grown.append(batch)
        trees = stack(grown, size)
        yield Level(table=stack(found, size))
        progress(size, 1.0)


def _reason_to_stop(growth: Growth, is_over: Callable[[], bool]) -> Literal["time", "number"] | None:
    if len(growth.seen) > growth.policy.max_frequent:
        return "number"
    return "time" if is_over() else None


def _examples(growth: Growth, trees: MotifTable) -> MotifTable:
    """The trees and all frequent motifs that add edges to them, one embedding an episode."""
    tables = (trees, *with_cycles(growth, trees))
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
        capped=merge_lost({}, lost),
    )
    return table, (source_of, type_of, target_of)


def _growable(growth: Growth, trees: MotifTable) -> MotifTable:
    """The motifs to grow, without the episodes in which that would be too much."""
    return set_dense_aside(
        trees,
        growth.half_edges.entries.lengths[trees.rows].sum(axis=1),
        growth.encoded.node_episode,
        limit=growth.policy.max_candidates,
        min_support=growth.min_support,
    )


def _batches(growth: Growth, trees: MotifTable) -> list[tuple[int, int]]:
    """Ranges of motifs with about as many candidates each; a motif is never split."""
    each = growth.half_edges.entries.lengths[trees.rows].sum(axis=1)
    candidates = np.concatenate([[0], np.cumsum(each)])[trees.starts]
    cuts = [0]
    while cuts[-1] < len(trees):
        limit = candidates[cuts[-1]] + BATCH_CANDIDATES
        cuts.append(max(cuts[-1] + 1, int(np.searchsorted(candidates, limit, side="right")) - 1))
    return list(pairwise(cuts))
