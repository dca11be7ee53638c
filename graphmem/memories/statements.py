"""Writes a statement: what it says takes its place among all that was said of the same subject and predicate."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from graphmem.graph.mapping.assertions import claims_of
from graphmem.graph.mapping.memory import memory_edges
from graphmem.graph.records import PLACEHOLDER, NodeRecord, NodeRef, Saved
from graphmem.graph.settling import retired_by
from graphmem.graph.topics import Topic, topic_of
from graphmem.models.memories import TimedStatement
from graphmem.ports.batches import drop_given_links, to_write
from graphmem.ports.segmenting import retried
from graphmem.ports.settling import Settlement, differences, settle, write_settled
from graphmem.ports.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that is to be written."""

    memory: TimedStatement
    record: NodeRecord
    topic: Topic
    concepts: tuple[NodeRecord, ...]
    """What it is about."""


def write_statement(
    workspace: Workspace, stated: Statement, now: datetime, *, replace: bool, is_anonymous: bool
) -> tuple[Saved, str]:
    """Save a statement, and settle its topic, in one transaction.

    Args:
        workspace: Where to write.
        stated: What to keep.
        now: Becomes created_at, and superseded_at of what it retires.
        replace: Whether changed content replaces what is stored.
        is_anonymous: Whether nobody knows its id yet, so that what only repeats a memory need not be one itself.

    Returns:
        What became of it, and the id of the memory that says it.

    Raises:
        ConflictError: It would replace another user's memory, or others were faster several times.
    """

    def write(_: bool) -> tuple[Saved, str]:
        return _write(workspace, stated, now, replace=replace, is_anonymous=is_anonymous)

    written = retried(workspace, write)
    if not written[0].unchanged:
        # another writer may have read the topic before this one wrote
        write_settled(workspace, now, [stated.topic])
    return written


def _write(
    workspace: Workspace, stated: Statement, now: datetime, *, replace: bool, is_anonymous: bool
) -> tuple[Saved, str]:
    ref = stated.record.ref
    to_write(workspace, [stated.record], replace=replace)
    stored = workspace.known([ref]).get(ref)
    if stored is not None and stored.content_hash != PLACEHOLDER:
        if stored.content_hash == stated.record.content_hash:
            return Saved((), (), (ref,)), ref.id
        if not replace:
            return Saved((), (ref,), ()), ref.id
    older = _older(workspace, stated)
    settlement = _settlement(workspace, stated, stored, older, now)
    name = settlement.stands_for(ref.id)
    if is_anonymous and name != ref.id and older is None:
        settlement = settle(workspace, now, said={stated.topic: claims_of(stated.memory)})
    _write_all(workspace, stated, settlement, older, now, is_new=stored is None)
    if is_anonymous and name != ref.id and older is None:
        return Saved((), (NodeRef("Memory", name),), ()), name
    return (Saved((ref,), (), ()) if stored is None else Saved((), (ref,), ())), ref.id


def _settlement(
    workspace: Workspace, stated: Statement, stored: NodeRecord | None, older: NodeRecord | None, now: datetime
) -> Settlement:
    given = [stated.record]
    if older is not None:
        given.append(retired_by(older, stated.memory, now))  # type: ignore[arg-type]  # statements are memories
    before = None if stored is None else topic_of(stored, workspace.facts)
    return settle(workspace, now, given=given, topics=[] if before is None else [before])


def _write_all(
    workspace: Workspace,
    stated: Statement,
    settlement: Settlement,
    older: NodeRecord | None,
    now: datetime,
    *,
    is_new: bool,
) -> None:
    edges = memory_edges(stated.memory, now, [])  # type: ignore[arg-type]  # statements are memories
    about = {edge.target: edge for edge in edges if edge.type == "ABOUT"}
    with workspace.graph.transaction() as transaction:
        if stated.concepts:
            transaction.save_nodes(stated.concepts, replace=False)
        if older is not None and topic_of(older, workspace.facts) is None:
            retired = retired_by(older, stated.memory, now)  # type: ignore[arg-type]  # as above
            transaction.set_properties("Memory", [(older.id, differences(older, retired))])
        settlement.write(transaction)
        if stated.record.ref in {record.ref for one in settlement.topics for record in one.memories}:
            if not is_new:
                drop_given_links(transaction, [stated.record.ref], ["ABOUT"])
            transaction.save_edges(list(about.values()))


def _older(workspace: Workspace, stated: Statement) -> NodeRecord | None:
    """The memory that it was given as superseding."""
    if stated.memory.supersedes is None:
        return None
    ref = NodeRef("Memory", stated.memory.supersedes)
    return workspace.known([ref]).get(ref)
