"""Finds statements of one topic that cannot all be true, and that no time puts in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from graphmem.graph.mapping.memory import to_memory
from graphmem.graph.records import And, Filter, In, NodeRecord
from graphmem.graph.settling import claims_in, rivals_of
from graphmem.graph.topics import Topic, topic_of
from graphmem.models.memories import Memory
from graphmem.ports.listing import read_all
from graphmem.ports.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Facts about one subject of which only one can hold: at a time they share, or ever, as of birthplaces."""

    subject: str
    """As the first of the facts writes it."""
    predicate: str
    """Likewise."""
    facts: tuple[Memory, ...]
    """Two or more, by id."""


def find_contradictions(workspace: Workspace, conditions: Iterable[Filter] = ()) -> Iterator[Contradiction]:
    """Contradictions among the statements that a user sees, subject by subject.

    Args:
        workspace: Where to look.
        conditions: What must hold of the statements as well.
    """
    policy = workspace.facts
    wanted = (In("predicate_key", tuple(sorted(policy.functional_keys))), *conditions)
    for where in workspace.filters("Memory", And(wanted)):
        records = read_all(workspace.graph, "Memory", [where], order="subject_key")
        for _, together in groupby(records, key=lambda record: record.properties.get("subject_key")):
            yield from _of_subject(workspace, list(together))


def _of_subject(workspace: Workspace, records: list[NodeRecord]) -> Iterator[Contradiction]:
    by_topic: dict[Topic, list[NodeRecord]] = {}
    for record in records:
        topic = topic_of(record, workspace.facts)
        if topic is not None:
            by_topic.setdefault(topic, []).append(record)
    for topic in sorted(by_topic, key=repr):
        stored = {record.id: record for record in by_topic[topic]}
        for names in rivals_of(topic, claims_in(stored.values()), stored, workspace.facts):
            facts = tuple(to_memory(stored[name]) for name in names if name in stored)
            yield Contradiction(str(facts[0].subject), str(facts[0].predicate), facts)  # type: ignore[union-attr]
