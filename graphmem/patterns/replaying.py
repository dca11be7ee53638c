"""What one part of a corpus does in a search over several: says what it could add, and shows what it holds.

A part keeps nothing between its turns. It is handed the plan, all that was decided so far, and repeats it on
its own episodes: that costs processor time, and saves the memory of all other parts and the sending of tables.
Both functions are pure and their arguments can be pickled, so they run in a thread, a process or on a cluster.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from graphmem.patterns.budget import TimeBudget, TimeIsUpError
from graphmem.patterns.encoding import EncodedGraphs
from graphmem.patterns.extension import (
    Growth,
    Shapes,
    edge_candidates,
    node_candidates,
    with_edges,
    with_nodes,
)
from graphmem.patterns.graphs import EDGE_TYPES
from graphmem.patterns.growth import batches_of, growable, seed_candidates, seed_shapes, seed_table
from graphmem.patterns.halfedges import index_half_edges
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.tables import Longs, MotifTable, chosen_groups, count_groups, one_example_each, stack

Counts = tuple[Longs, Longs]
"""Keys of extensions, ascending, and in how many episodes of the part each occurs."""

NO_COUNTS: Counts = (np.empty(0, np.int64), np.empty(0, np.int64))


@dataclass(frozen=True, slots=True)
class Step:
    """The frequent extensions of one table: they make the next one."""

    keys: Longs
    """Ascending."""
    shapes: Shapes

    def __len__(self) -> int:
        return len(self.keys)

    def between(self, first: int, last: int) -> Step:
        """The extensions from place `first` to before `last`."""
        parent, labels, adjacency = self.shapes
        return Step(self.keys[first:last], Shapes(parent[first:last], labels[first:last], adjacency[first:last]))


_NOTHING = Step(
    np.empty(0, np.int64),
    Shapes(np.empty(0, np.int64), np.empty((0, 2), np.int32), np.empty((0, 2, 2), np.uint8)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that was decided so far, the same for every part."""

    seeds: Step | None = None
    """The frequent motifs of one edge; None while they are not known."""
    trees: tuple[Step, ...] = ()
    """For 3, 4, ... nodes the trees that add one to those of a node less."""
    cycles: tuple[tuple[Step, ...], ...] = ()
    """For 2, 3, ... nodes: the motifs that add one edge to the trees, two edges ... An empty step is the last."""
    grows: bool = True
    """Whether larger trees are asked for."""

    def open_cycles(self) -> list[int]:
        """Sizes for which more edges may be added."""
        return [place + 2 for place, steps in enumerate(self.cycles) if not steps or len(steps[-1])]

    def tree_shapes(self, size: int) -> Shapes:
        """The trees of a size, 2 those of one edge."""
        return ((self.seeds, *self.trees)[size - 2] or _NOTHING).shapes

    def last_shapes(self, size: int) -> Shapes:
        """The motifs of a size to which edges are added next."""
        steps = self.cycles[size - 2]
        return steps[-1].shapes if steps else self.tree_shapes(size)

    def next_size(self, max_nodes: int) -> int | None:
        """Nodes of the trees that are asked for; None when there is nothing to extend."""
        if self.seeds is None:
            return 2
        last, size = (self.trees[-1] if self.trees else self.seeds), len(self.trees) + 3
        return size if self.grows and len(last) and size <= max_nodes else None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a part could add to the plan."""

    trees: Counts
    cycles: dict[int, Counts]
    """For each size for which edges may be added."""


def propose(
    part: EncodedGraphs, policy: MiningPolicy, plan: Plan, seconds: float | None = None
) -> Proposal | None:
    """Count every extension of what is planned.

    Args:
        part: some episodes.
        policy: bounds of motifs and embeddings.
        plan: what was decided.
        seconds: time for it; None: no limit.

    Returns:
        None when the time ran out before all was counted.
    """
    try:
        return _counted(part, policy, plan, TimeBudget(seconds))
    except TimeIsUpError:
        return None


def _counted(part: EncodedGraphs, policy: MiningPolicy, plan: Plan, budget: TimeBudget) -> Proposal:
    if plan.seeds is None:
        edge, keys = seed_candidates(part, policy)
        return Proposal(count_groups(keys, part.node_episode[part.source[edge]]), {})
    size, asked, cycles, larger = 2, plan.open_cycles(), {}, NO_COUNTS
    for growth, trees in _replay(part, policy, plan, budget):
        if size in asked:
            cycles[size] = _count_edges(growth, trees, plan.cycles[size - 2], budget)
        size += 1
        if size == plan.next_size(policy.max_nodes):
            larger = _count_nodes(growth, growable(growth, trees), budget)
    return Proposal(larger, cycles)


def find_examples(part: EncodedGraphs, policy: MiningPolicy, plan: Plan) -> list[MotifTable]:
    """For 2, 3, ... nodes all planned motifs, in the order of the plan, with one embedding an episode.

    Args:
        part: some episodes.
        policy: bounds of motifs and embeddings.
        plan: what was decided.
    """
    found = []
    for place, (growth, trees) in enumerate(_replay(part, policy, plan, TimeBudget(None))):
        steps = plan.cycles[place] if place < len(plan.cycles) else ()
        denser: list[list[MotifTable]] = [[] for _ in range(len(steps) + 1)]
        for first, last in batches_of(growth, trees):
            for depth, (table, _) in enumerate(_denser(growth, trees, steps, first, last)):
                denser[depth].append(one_example_each(table, part.node_episode))
        found.append(stack([table for tables in denser for table in tables], trees.size))
    return found


def _replay(
    part: EncodedGraphs, policy: MiningPolicy, plan: Plan, budget: TimeBudget
) -> Iterator[tuple[Growth, MotifTable]]:
    """The trees of 2, 3, ... nodes, with all their embeddings; a motif that the part lacks has none."""
    if plan.seeds is None:
        return
    codes, _ = seed_shapes(plan.seeds.keys, len(part.table.labels))
    growth = Growth(part, index_half_edges(part, codes, policy.max_embeddings), policy, 0, set())
    edge, keys = seed_candidates(part, policy)
    trees = seed_table(part, policy, edge, chosen_groups(keys, plan.seeds.keys), plan.seeds.shapes)
    yield growth, trees
    for step in plan.trees:
        trees = _grown(growth, growable(growth, trees), step, budget)
        yield growth, trees


def _grown(growth: Growth, trees: MotifTable, step: Step, budget: TimeBudget) -> MotifTable:
    tables = []
    for first, last in budget.watched(batches_of(growth, trees)):
        batch, width = trees.slice(first, last), _node_keys(growth, trees)
        chosen, _ = _of_parents(step, first, last, width)
        candidates = node_candidates(growth, batch)
        tables.append(
            with_nodes(growth, batch, candidates, chosen_groups(candidates.keys, chosen.keys), chosen.shapes)
        )
    return stack(tables, trees.size + 1)


def _count_nodes(growth: Growth, trees: MotifTable, budget: TimeBudget) -> Counts:
    found = [NO_COUNTS]
    for first, last in budget.watched(batches_of(growth, trees)):
        batch = trees.slice(first, last)
        candidates = node_candidates(growth, batch)
        keys, counts = count_groups(candidates.keys, growth.episodes(batch)[candidates.origin])
        found.append((keys + first * _node_keys(growth, trees), counts))
    return _joined(found)


def _count_edges(growth: Growth, trees: MotifTable, steps: tuple[Step, ...], budget: TimeBudget) -> Counts:
    found = [NO_COUNTS]
    for first, last in budget.watched(batches_of(growth, trees)):
        *_, (table, before) = _denser(growth, trees, steps, first, last)
        keys, origin = edge_candidates(growth, table)
        keys, counts = count_groups(keys, growth.episodes(table)[origin])
        found.append((keys + before * _edge_keys(trees.size), counts))
    return _joined(found)


def _denser(
    growth: Growth, trees: MotifTable, steps: tuple[Step, ...], first: int, last: int
) -> Iterator[tuple[MotifTable, int]]:
    """Some trees, then what adds one edge, two edges ... to them; each with its first place in the whole."""
    table = trees.slice(first, last)
    yield table, first
    for step in steps:
        chosen, (first, last) = _of_parents(step, first, last, _edge_keys(trees.size))
        keys, origin = edge_candidates(growth, table)
        table = with_edges(table, origin, chosen_groups(keys, chosen.keys), chosen.shapes)
        yield table, first


def _of_parents(step: Step, first: int, last: int, width: int) -> tuple[Step, tuple[int, int]]:
    """The extensions of the motifs from `first` to before `last`, numbered from there, and their places."""
    start, stop = np.searchsorted(step.keys, [first * width, last * width]).tolist()
    chosen = step.between(start, stop)
    shapes = chosen.shapes._replace(parent=chosen.shapes.parent - first)
    return Step(chosen.keys - first * width, shapes), (start, stop)


def _node_keys(growth: Growth, trees: MotifTable) -> int:
    """Keys of extensions by a node that a motif can have."""
    return trees.size * len(growth.half_edges.codes)


def _edge_keys(size: int) -> int:
    """Keys of extensions by an edge that a motif can have."""
    return size * size * len(EDGE_TYPES)


def _joined(found: list[Counts]) -> Counts:
    keys, counts = zip(*found, strict=True)
    return np.concatenate(keys), np.concatenate(counts)
