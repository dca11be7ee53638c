"""The search over a corpus cut into parts: the same motifs, with the same examples, as over the whole.

Only one question of growing concerns all episodes: which extensions have enough support. So each part counts
the extensions of what is known to be frequent, the counts are added, and all parts go on with the same
decision. No part ever looks at what is frequent in it alone, which would be far more with few episodes a
part (the fault of mining parts to the end with a lower threshold and joining the results).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace

import numpy as np

from graphmem.patterns.budget import TimeBudget
from graphmem.patterns.encoding import EncodedGraphs
from graphmem.patterns.extension import Shapes, edge_shapes, node_shapes, unseen
from graphmem.patterns.growth import Level, StopReason, seed_shapes
from graphmem.patterns.partitions import Part, merge_tables
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.replaying import Counts, Plan, Proposal, Step, find_examples, propose
from graphmem.patterns.tables import Longs, stack


def grow_in_parts(
    encoded: EncodedGraphs,
    parts: Sequence[Part],
    policy: MiningPolicy,
    min_support: int,
    *,
    executor: Executor | None,
    budget: TimeBudget,
    progress: Callable[[int, float], None],
) -> list[Level]:
    """The levels of 2, 3, ... nodes, as `grow_levels` finds them.

    Args:
        encoded: the corpus.
        parts: of it, one or more.
        policy: bounds of motifs and embeddings.
        min_support: fewest episodes of a motif in the whole corpus.
        executor: runs the parts side by side; None: one after the other, which needs the memory of one.
        budget: the time; every part looks at it between batches, from the size of 3 nodes on.
        progress: told the size that is grown and the share of it that is done.
    """
    policy = policy.model_copy(update={"domain": None, "task": None})  # names, which no part needs
    search = _Search(len(encoded.table.labels), policy, min_support)
    encodings = [part.encoded for part in parts]
    map_parts = map if executor is None else executor.map
    plan = Plan()
    stopped_by: StopReason | None = None
    while not _is_done(plan, policy):
        is_limited = bool(plan.cycles) and 2 not in plan.open_cycles()
        if is_limited and budget.is_over():
            stopped_by = "time"
            break
        size = plan.next_size(policy.max_nodes) or len(plan.trees) + 2
        # read when a part begins where one follows the other; a cluster takes lists alone
        left = (budget.left() if is_limited else None for _ in parts)
        seconds = left if executor is None else list(left)
        answers = map_parts(propose, encodings, [policy] * len(parts), [plan] * len(parts), seconds)
        proposals = list(_told(answers, len(parts), size, progress))
        if len(proposals) < len(parts):
            stopped_by = "time"
            break
        plan = search.decide(plan, proposals)
    sizes, stopped_by = _complete_sizes(plan, policy, stopped_by)
    plan = replace(plan, trees=plan.trees[: sizes - 1], cycles=plan.cycles[:sizes])
    found = list(map_parts(find_examples, encodings, [policy] * len(parts), [plan] * len(parts)))
    levels = [Level(table=merge_tables(encoded, parts, tables)) for tables in zip(*found, strict=True)]
    if stopped_by:
        levels.append(Level(table=stack([], sizes + 2), stopped_by=stopped_by))
    return levels


def _is_done(plan: Plan, policy: MiningPolicy) -> bool:
    return plan.next_size(policy.max_nodes) is None and not plan.open_cycles()


def _told(
    answers: Iterable[Proposal | None], parts: int, size: int, progress: Callable[[int, float], None]
) -> Iterator[Proposal]:
    """The answers up to the first part that had no time for one."""
    for number, answer in enumerate(answers, 1):
        if answer is None:
            return
        yield answer
        progress(size, number / parts)


def _complete_sizes(
    plan: Plan, policy: MiningPolicy, stopped_by: StopReason | None
) -> tuple[int, StopReason | None]:
    """How many sizes were searched to the end, 2 nodes the first, and why no more were."""
    beyond_seeds = 0
    for place, steps in enumerate(plan.cycles):
        if beyond_seeds > policy.max_frequent:
            return place, "number"
        if place + 2 in plan.open_cycles():
            return place, stopped_by
        trees = len(plan.trees[place - 1]) if place else 0
        beyond_seeds += trees + sum(map(len, steps))
    if stopped_by is None and not plan.grows:
        return len(plan.cycles), "number"
    return len(plan.cycles), stopped_by


class _Search:
    """Adds the counts of all parts and decides what is frequent."""

    def __init__(self, labels: int, policy: MiningPolicy, min_support: int) -> None:
        self._labels, self._policy, self._min_support = labels, policy, min_support
        self._seen: set[bytes] = set()

    def decide(self, plan: Plan, answers: Sequence[Proposal]) -> Plan:
        """The plan with the frequent ones among what the parts proposed."""
        if plan.seeds is None:
            keys = self._frequent([answer.trees for answer in answers])
            return Plan(seeds=Step(keys, seed_shapes(keys, self._labels)[1]), cycles=((),))
        cycles = list(plan.cycles)
        for size in plan.open_cycles():
            before = plan.last_shapes(size)
            keys = self._frequent([answer.cycles[size] for answer in answers])
            cycles[size - 2] += (self._new(keys, edge_shapes(before.labels, before.adjacency, keys)),)
        trees = plan.trees
        if plan.next_size(self._policy.max_nodes) is not None:
            before = plan.tree_shapes(len(trees) + 2)
            codes, _ = seed_shapes(plan.seeds.keys, self._labels)
            keys = self._frequent([answer.trees for answer in answers])
            trees += (self._new(keys, node_shapes(codes, before.labels, before.adjacency, keys)),)
            cycles.append(())
        grows = len(self._seen) <= self._policy.max_frequent
        return Plan(seeds=plan.seeds, trees=trees, cycles=tuple(cycles), grows=grows)

    def _frequent(self, counts: Sequence[Counts]) -> Longs:
        """The keys with enough episodes over all parts, ascending."""
        keys = np.concatenate([keys for keys, _ in counts])
        number = np.concatenate([number for _, number in counts])
        distinct, place = np.unique(keys, return_inverse=True)
        support = np.bincount(place, weights=number, minlength=len(distinct))
        return distinct[support >= self._min_support]

    def _new(self, keys: Longs, shapes: Shapes) -> Step:
        is_new = unseen(self._seen, shapes)
        return Step(keys[is_new], shapes.choose(is_new))
