"""What a write does to what consolidation has learned: pure.

New messages and episodes need no note, since they carry no mark yet. Whatever takes away or changes what was read
is noted: consolidation then reads again what it may touch, and everything where that cannot be told.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from graphmem.graph.records import EdgeRecord, NodeRecord
from graphmem.graph.schema import CONCEPT_RELATIONS

EVERYTHING = "everything"
"""Nothing that was learned may be relied on."""

RATES = "rates"
"""How episodes ended, or which procedures there are."""

CONCEPT = "concept:"
"""Begins the note of a new concept, followed by its key: a name may mean another concept from now on."""

MARKS = frozenset({"consolidated_hash", "extracted_hash", "similar_hash", "told_hash"})
"""Properties by which messages and episodes say that they were read."""

KNOWN = "known"
"""Property of one run, JSON: what consolidation knew when it ended, or that it goes on.

Absent when it holds no more.
"""

AGAIN = "again"
"""Property of the same run: the notes since then."""

OF_THIS_STORE = frozenset({KNOWN, AGAIN})
"""What no other store may take over."""

MOST_NOTES = 1000
"""Notes that are kept; more of them come to `EVERYTHING`."""

_READ_OF = {
    "Message": frozenset({"text", "user_id", "at", "role", "session"}),
    "Episode": frozenset(
        {"goal", "trigger", "state", "started_at", "ended_at", "task", "session", "user_id", "causes"}
    ),
    "Concept": frozenset({"key", "name", "kind", "merged_names", "abstraction_level", "level_source"}),
}
"""Properties without a say in a node's content that phases read all the same."""

_LEARNED = frozenset({"Claim", "Alias", "Merge"})
_ORDER = frozenset({"FOLLOWED_BY", "LED_TO", "ALIAS_OF"})
_COUNTED = ("told-", "repeated-")
"""Beginnings of the ids of procedures that consolidation keeps itself."""


def for_another_store(record: NodeRecord) -> NodeRecord:
    """A record as another store may keep it: what one store's consolidation knows does not hold there."""
    if OF_THIS_STORE.isdisjoint(record.properties):
        return record
    kept = {name: value for name, value in record.properties.items() if name not in OF_THIS_STORE}
    return NodeRecord(record.label, record.id, kept, record.vector)


def notes_of_saved(added: Iterable[NodeRecord], changed: Iterable[NodeRecord]) -> Iterator[str]:
    """What saving nodes asks for.

    Args:
        added: Nodes that were absent, or only named.
        changed: Nodes whose stored content these replaced; of episodes those alone that were read before.
    """
    for record in added:
        if record.label == "Concept":
            yield f"{CONCEPT}{record.properties['key']}"
        elif not MARKS.isdisjoint(record.properties):
            yield EVERYTHING
        else:
            yield from _kept_elsewhere(record.label, record.id)
    for record in changed:
        if record.label in {"Message", "Episode", "Concept"}:
            yield EVERYTHING
        else:
            yield from _kept_elsewhere(record.label, record.id)


def notes_of_removed(label: str, node_id: str) -> Iterator[str]:
    """What removing a node asks for; one of a message or episode that was read."""
    if label in {"Message", "Episode", "Concept"}:
        yield EVERYTHING
    else:
        yield from _kept_elsewhere(label, node_id)


def notes_of_set(label: str, names: Collection[str]) -> Iterator[str]:
    """What setting properties asks for."""
    if label in _LEARNED or not MARKS.isdisjoint(names) or not _READ_OF.get(label, frozenset()).isdisjoint(names):
        yield EVERYTHING
    elif label == "Procedure":
        yield RATES if set(names) <= {"superseded_at"} else EVERYTHING
    elif label == "Episode" and "outcome" in names:
        yield RATES


def notes_of_edges(edges: Iterable[EdgeRecord]) -> Iterator[str]:
    """What writing or removing edges asks for."""
    for edge in edges:
        source = edge.source.label
        is_likeness = edge.type == "SIMILAR_TO" and source == "Episode"
        is_relation = edge.type in CONCEPT_RELATIONS and source == "Concept"
        if edge.type in _ORDER or source == "Claim" or is_likeness or is_relation:
            yield EVERYTHING


def _kept_elsewhere(label: str, node_id: str) -> Iterator[str]:
    if label in _LEARNED:
        yield EVERYTHING
    elif label == "Procedure":
        yield EVERYTHING if node_id.startswith(_COUNTED) else RATES
