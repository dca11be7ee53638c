"""The phase that keeps step sequences which succeeded repeatedly, where mining has too few episodes to test.

They claim nothing but their counts: no test was made. The same pass over the episodes counts how told and repeated
procedures fared, so failures lower their rate.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graphmem.consolidation.episode_links import task_unit
from graphmem.consolidation.news import PROCEDURE, REMOVED, News
from graphmem.consolidation.phases import Changes, Run
from graphmem.consolidation.procedure_changes import ProcedureChanges, changes_to, stored_procedures
from graphmem.consolidation.sequences import Keys, Sequences, Use, kept_procedures, keys_of, repeated_procedures
from graphmem.consolidation.told import PREFIX as TOLD
from graphmem.graph.mapping.procedure import to_procedure
from graphmem.graph.records import NodeRecord
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import CLOSED, closed_episodes, every_episode

PREFIX = "repeated-"
"""What the ids of these procedures begin with."""

_MINED = "learned-"
_COUNTS = ("successes", "partials", "failures")


@dataclass(frozen=True, slots=True)
class RepeatedPlan:
    """What would be written of repeated procedures, and of the counts of told ones."""

    parts: tuple[ProcedureChanges, ...] = field(default=())

    def __bool__(self) -> bool:
        return any(self.parts)

    def counts(self) -> dict[str, int]:
        """Procedures written, removed and replaced."""
        found: dict[str, int] = {}
        for part in self.parts:
            for name, count in part.counts().items():
                found[name] = found.get(name, 0) + count
        return found

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """The procedures."""
        return {"taught": [document for part in self.parts for document in part.documents()]}

    def batches(self) -> Iterator[Changes]:
        """One transaction a kind."""
        yield from (part.changes() for part in self.parts if part)


class RepeatedProcedures:
    """Keeps what succeeded repeatedly, and counts how procedures fared."""

    def plan(self, run: Run) -> RepeatedPlan:
        """What the closed episodes of now would change."""
        graph, policy = run.graph, run.policy
        if run.news is not None and not run.news.episodes and not _is_moved(run.news):
            return RepeatedPlan()
        told, known = stored_procedures(graph, TOLD), stored_procedures(graph, PREFIX)
        learns = graph.count("Episode", CLOSED) <= policy.repeated_most_episodes
        followed = {keys_of(to_procedure(node)) for node in (*told.values(), *known.values())}
        if not learns and not followed:
            return RepeatedPlan()
        if not learns and run.news is not None and not _is_moved(run.news):
            return RepeatedPlan(_added(run, run.news.episodes, told, known, followed))
        sequences = Sequences(policy.repeated_most_steps if learns else 0, followed)
        for root, steps in every_episode(graph, CLOSED):
            sequences.add(_use(root), [_step(step) for step in steps])
        mined = _mined(graph)
        found = repeated_procedures(sequences, policy, PREFIX, mined) if learns else {}
        wanted = kept_procedures(map(to_procedure, known.values()), found, sequences, mined)
        counted = {name: sequences.counted(to_procedure(node)) for name, node in told.items()}
        parts = (
            changes_to(graph, known, wanted, "Episode", run.now),
            changes_to(graph, told, counted, "Message", run.now) if told else ProcedureChanges(),
        )
        return RepeatedPlan(parts)

    def rounds(self, run: Run) -> Iterator[RepeatedPlan]:
        """The whole plan: a count is known when all episodes were read."""
        yield self.plan(run)


def _is_moved(news: News) -> bool:
    """Whether anything but new episodes changes what there is to count."""
    return news.rates or not news.written.isdisjoint({PROCEDURE, f"{REMOVED}{PROCEDURE}"})


def _added(
    run: Run,
    new: Sequence[str],
    told: Mapping[str, NodeRecord],
    known: Mapping[str, NodeRecord],
    followed: Collection[Keys],
) -> tuple[ProcedureChanges, ...]:
    """The procedures with the outcomes of new episodes added: what others came to, their counts say already."""
    sequences = Sequences(0, followed)
    for where in closed_episodes(new):
        for root, steps in every_episode(run.graph, where):
            sequences.add(_use(root), [_step(step) for step in steps])
    kinds = ((known, "Episode"), (told, "Message"))
    return tuple(_more(run, stored, label, sequences) for stored, label in kinds)


def _more(run: Run, stored: Mapping[str, NodeRecord], label: str, sequences: Sequences) -> ProcedureChanges:
    procedures = {name: to_procedure(node) for name, node in stored.items()}
    wanted = {}
    for name, one in procedures.items():
        more = sequences.counted(one)
        if any(getattr(more, count) for count in _COUNTS):
            wanted[name] = one.model_copy(
                update={count: getattr(one, count) + getattr(more, count) for count in _COUNTS}
            )
    return replace(
        changes_to(run.graph, {name: stored[name] for name in wanted}, wanted, label, run.now), retired=()
    )


def _mined(graph: TenantGraph) -> frozenset[tuple[str, ...]]:
    """Steps that a tested pattern teaches already."""
    return frozenset(keys_of(to_procedure(node)) for node in stored_procedures(graph, _MINED).values())


def _use(root: NodeRecord) -> Use:
    user = root.properties.get("user_id")
    outcome = str(root.properties.get("outcome", "unknown"))
    return Use(root.id, task_unit(root), user if isinstance(user, str) else None, outcome, root.properties)


def _step(step: NodeRecord) -> tuple[str, str, bool]:
    properties = step.properties
    return str(properties["key"]), str(properties["action"]), properties.get("effective") is not False
