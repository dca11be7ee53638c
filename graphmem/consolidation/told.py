"""The phase that keeps what users tell to be done as procedures, with the messages that say so.

One user's instruction is his alone until another one says the same. Where steps for one goal change, the later
ones are a new version. Words of assistants, tools and system prompts teach nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from graphmem.consolidation.phases import Changes, Run, in_batches
from graphmem.consolidation.procedure_changes import ProcedureChanges, changes_to, stored_procedures
from graphmem.consolidation.sayings import Saying, Told, shortened, told_procedures
from graphmem.graph.keys import label_key
from graphmem.graph.mapping.label import key_of
from graphmem.graph.mapping.procedure import to_procedure
from graphmem.graph.records import Equals, Missing, NodeRecord, NodeRef
from graphmem.language.instructions.finding import find_instructions
from graphmem.models.procedure import Procedure
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import pages

PREFIX = "told-"
"""What the ids of these procedures begin with."""

MARK = "told_hash"
RULES = "1"
"""The mark of a message that these rules have read; another number reads all messages again."""

_AT_ONCE = 2000
"""Messages of a round."""

_LONGEST = 20_000
"""Characters of a message that is read: what is longer is a log or a file."""


@dataclass(frozen=True, slots=True)
class ToldPlan:
    """What would be written of told procedures."""

    changes: ProcedureChanges = field(default_factory=ProcedureChanges)
    read: tuple[str, ...] = ()
    """Messages that were read for it."""
    batch: int = 200

    def __bool__(self) -> bool:
        return bool(self.changes or self.read)

    def counts(self) -> dict[str, int]:
        """Procedures written, removed and replaced."""
        return self.changes.counts()

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """The procedures."""
        return {"taught": self.changes.documents()}

    def batches(self) -> Iterator[Changes]:
        """The procedures first: a message is marked when what it says is kept."""
        if self.changes:
            yield self.changes.changes()
        for names in in_batches(self.read, self.batch):
            yield Changes(properties={"Message": [(name, {MARK: RULES}) for name in names]}, items=len(names))


class ToldProcedures:
    """Keeps users' instructions as procedures."""

    def plan(self, run: Run) -> ToldPlan:
        """What all messages that were not read yet would change."""
        return _plan(run, [node for page in _due(run) for node in page])

    def rounds(self, run: Run) -> Iterator[ToldPlan]:
        """The same in parts; the first one also drops what forgotten messages said."""
        yield _plan(run, ()) if run.news is None else ToldPlan()
        # every part is marked before the next one is read, so the first page is always new
        while page := next(_due(run), None):
            yield _plan(run, page)


def _due(run: Run) -> Iterator[Sequence[NodeRecord]]:
    graph, new, done = run.graph, Missing(MARK), Equals(MARK, RULES)
    has_others = run.news is None and graph.count("Message") > sum(
        graph.count("Message", one) for one in (new, done)
    )
    for page in pages(graph, "Message", None if has_others else new, limit=_AT_ONCE):
        due = [node for node in page if node.properties.get(MARK) != RULES]
        if due:
            yield due


def _plan(run: Run, due: Sequence[NodeRecord]) -> ToldPlan:
    read = tuple(node.id for node in due)
    sayings = [saying for node in due for saying in _sayings(node)]
    # what is told of other goals stands as it is
    goals = None if run.news is None else {key_of(shortened(saying.told.name)) for saying in sayings}
    stored = stored_procedures(run.graph, PREFIX, goals)
    if not stored and not sayings:
        return ToldPlan(read=read, batch=run.policy.batch_episodes)
    known = _still_said(run.graph, map(to_procedure, stored.values()), frozenset(read))
    wanted = told_procedures([*known, *sayings], run.policy.told_users, PREFIX)
    counted = {name: _with_counts(one, stored.get(name)) for name, one in wanted.items()}
    return ToldPlan(changes_to(run.graph, stored, counted, "Message", run.now), read, run.policy.batch_episodes)


def _sayings(node: NodeRecord) -> Iterator[Saying]:
    text = str(node.properties.get("text", ""))
    if node.properties.get("role", "user") != "user" or len(text) > _LONGEST:
        return
    for found in find_instructions(text):
        if not all(map(label_key, (found.name, *found.steps))):
            continue
        told = Told(found.name, found.steps, found.when, is_goal=found.is_goal, rule=found.rule)
        yield _saying(told, node)


def _saying(told: Told, node: NodeRecord) -> Saying:
    user = node.properties.get("user_id")
    at = node.properties.get("at", node.properties["created_at"])
    return Saying(told, node.id, user if isinstance(user, str) else None, at if isinstance(at, datetime) else None)


def _still_said(graph: TenantGraph, procedures: Iterable[Procedure], read: frozenset[str]) -> Iterator[Saying]:
    """What stored procedures were told by, where the messages are there and not read anew."""
    for one in procedures:
        extra = one.extra
        told = Told(
            one.name, one.steps, one.when, is_goal=bool(extra.get("goal")), rule=str(extra.get("rule", ""))
        )
        refs = [NodeRef("Message", source) for source in one.sources if source not in read]
        for node in graph.get(refs).values() if refs else ():
            yield _saying(told, node)


def _with_counts(wanted: Procedure, stored: NodeRecord | None) -> Procedure:
    """The procedure with the counts of its use so far."""
    if stored is None:
        return wanted
    known = to_procedure(stored)
    counts = {"successes": known.successes, "partials": known.partials, "failures": known.failures}
    return wanted.model_copy(update=counts)
