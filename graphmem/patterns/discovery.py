"""The whole search: episode graphs in, closed motifs with their evidence out.

Pure but for the clock it is given. Reading graphs from a store, statistics and writing patterns are
the workflow's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Protocol, assert_never

from graphmem.errors import InvalidInputError
from graphmem.patterns.assembly import assemble_motifs
from graphmem.patterns.budget import TimeBudget
from graphmem.patterns.encoding import EncodedGraphs, encode_graphs
from graphmem.patterns.graphs import EpisodeGraph, Taxonomy
from graphmem.patterns.growth import Level, StopReason, grow_levels
from graphmem.patterns.lattice import code_places, find_extensions
from graphmem.patterns.limits import limit_motifs
from graphmem.patterns.motifs import MiningResult
from graphmem.patterns.partitioned import grow_in_parts
from graphmem.patterns.partitions import Part, split_corpus
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.recount import Recounter
from graphmem.patterns.reduction import find_closed, reduce_motifs, support_numbers
from graphmem.patterns.statistics.structure import examine_structure


class Progress(Protocol):
    """Told how far a run is."""

    def __call__(self, stage: str, share: float, /) -> None:
        """Take note of a stage, in words, and of the share of it that is done, 0 to 1."""
        ...


def discover_motifs(
    graphs: Sequence[EpisodeGraph],
    taxonomy: Taxonomy | None = None,
    policy: MiningPolicy | None = None,
    *,
    clock: Callable[[], float] = time.monotonic,
    progress: Progress | None = None,
    partitions: int | None = None,
    executor: Executor | None = None,
) -> MiningResult:
    """Find every motif with enough support that is closed and not over-general.

    The result depends on neither the order of the graphs, nor the machine, nor the number of partitions.
    Where time or the allowed number of motifs runs out, partitions may complete another number of sizes.

    Args:
        graphs: one a closed episode, ids distinct, those with an empty graph included.
        taxonomy: is_a among keys; none means that every label stands for itself.
        policy: bounds of the run; defaults when left out.
        clock: seconds from any origin, never going back; read only for the time budget.
        progress: told how far the run is.
        partitions: parts that the episodes are searched in; None: as the policy says, else one.
        executor: searches the parts side by side; None: one after the other.

    Raises:
        InvalidInputError: two graphs have the same episode id.
    """
    policy = policy or MiningPolicy()
    tell = progress or _keep_silent
    scope = [graph for graph in graphs if policy.domain is None or graph.domain == policy.domain]
    _refuse_repeated_ids(scope)
    budget = TimeBudget(policy.time_budget_seconds, clock)
    min_support = policy.support_threshold(len(scope))
    tell("encode", 0.0)
    encoded = encode_graphs(scope, taxonomy or Taxonomy(), policy, min_support)
    parts = split_corpus(encoded, partitions or policy.partitions or 1, policy.partition_by)
    levels = _grow(encoded, parts, policy, min_support, executor=executor, budget=budget, tell=tell)
    complete = [level for level in levels if not level.stopped_by]
    recounter = Recounter(encoded, policy.max_matching_steps, budget.is_over)
    tell("recount", 0.0)
    recounted = [recounter.recount(level.table) for level in complete]
    tell("reduce", 0.0)
    tables = [table for table, _ in recounted]
    places = code_places(tables)
    extensions = find_extensions(tables, places)
    codes = list(places)
    found = find_closed(tables, encoded.table, places, extensions)
    kept, set_aside = limit_motifs(
        tables, found.closed, codes=codes, node_episode=encoded.node_episode, policy=policy
    )
    reduced = reduce_motifs(found, kept)
    tell("test structure", 0.0)
    structure = examine_structure(
        encoded, tables, extensions, codes=codes, support=support_numbers(tables), kept=reduced.kept
    )
    tell("assemble", 0.0)
    motifs = assemble_motifs(
        encoded,
        taxonomy or Taxonomy(),
        scope=policy.scope.name,
        tables=tables,
        reduced=reduced,
        structure=structure,
        lower_bounds=[lower for _, lower in recounted],
    )
    stopped_by = levels[-1].stopped_by
    return MiningResult(
        motifs=motifs,
        episodes=len(scope),
        min_support=min_support,
        frequent=sum(len(table) for table in tables),
        policy_hash=policy.fingerprint(),
        set_aside=set_aside,
        capped=_capped_ids(encoded, complete),
        complete_nodes=len(complete) + 1 if stopped_by else policy.max_nodes,
        incomplete=_what_is_missing(policy, len(complete) + 2, stopped_by) if stopped_by else None,
    )


def _grow(
    encoded: EncodedGraphs,
    parts: Sequence[Part],
    policy: MiningPolicy,
    min_support: int,
    *,
    executor: Executor | None,
    budget: TimeBudget,
    tell: Progress,
) -> list[Level]:
    def grown(size: int, share: float) -> None:
        tell(f"grow to {size} nodes", share)

    if not parts or (len(parts) == 1 and executor is None):
        return list(grow_levels(encoded, policy, min_support, is_over=budget.is_over, progress=grown))
    return grow_in_parts(encoded, parts, policy, min_support, executor=executor, budget=budget, progress=grown)


def _refuse_repeated_ids(graphs: Sequence[EpisodeGraph]) -> None:
    seen = set()
    for graph in graphs:
        if graph.episode in seen:
            raise InvalidInputError(
                f"episode {graph.episode!r} is given twice for mining; give each episode one graph"
            )
        seen.add(graph.episode)


def _capped_ids(encoded: EncodedGraphs, levels: Sequence[Level]) -> tuple[str, ...]:
    capped = {episode for level in levels for lost in level.table.capped.values() for episode in lost}
    return tuple(encoded.graphs[episode].episode for episode in sorted(capped))


def _what_is_missing(policy: MiningPolicy, size: int, stopped_by: StopReason) -> str:
    sizes = str(size) if size == policy.max_nodes else f"{size} to {policy.max_nodes}"
    match stopped_by:
        case "time":
            reason = f"the time budget of {policy.time_budget_seconds:g} s was spent"
        case "number":
            reason = f"more than {policy.max_frequent:,} motifs are frequent"
        case _:
            assert_never(stopped_by)
    return f"motifs of {sizes} nodes were not searched to the end: {reason}; raise it or the minimal support"


def _keep_silent(stage: str, share: float, /) -> None:
    """Tell nobody."""
