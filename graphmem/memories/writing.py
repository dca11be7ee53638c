"""Writes one memory with its concepts and sources, and retires the one it supersedes."""

from __future__ import annotations

from datetime import datetime

from graphmem.errors import ConflictError, NotFoundError
from graphmem.graph.mapping.memory import memory_concepts, memory_edges, memory_record
from graphmem.graph.records import NodeRecord, NodeRef, Saved
from graphmem.graph.settling import retired_by
from graphmem.graph.topics import topic_of
from graphmem.memories.statements import Statement, write_statement
from graphmem.models.checking import refusals
from graphmem.models.memories import Memory, TimedStatement
from graphmem.ports.batches import drop_given_links, to_write
from graphmem.ports.embedding import with_vectors
from graphmem.ports.settling import differences, write_settled
from graphmem.ports.workspace import Workspace


def write_memory(
    workspace: Workspace, memory: Memory, recorded_at: datetime, *, replace: bool, is_anonymous: bool = False
) -> tuple[Saved, str]:
    """Save a memory in one transaction; its vector is made before.

    Args:
        workspace: Where to write.
        memory: What to keep.
        recorded_at: Becomes created_at, and superseded_at of the one it retires.
        replace: Whether changed content replaces what is stored.
        is_anonymous: Whether nobody knows its id yet: then one that repeats a statement becomes its evidence.

    Returns:
        What became of it, and the id of the memory that says it.

    Raises:
        NotFoundError: The memory that it supersedes is not stored, or is another user's.
        ConflictError: It supersedes itself, or would replace another user's memory.
    """
    _check_superseded(workspace, memory)
    with refusals():
        record = memory_record(memory, recorded_at)
        # two spellings may name one concept
        concepts = list({concept.ref: concept for concept in memory_concepts(memory, recorded_at)}.values())
    topic = topic_of(record, workspace.facts)
    if topic is not None and isinstance(memory, TimedStatement):
        made = with_vectors(concepts, workspace.embedder)
        stated = Statement(memory, record, topic, tuple(made))
        return write_statement(workspace, stated, recorded_at, replace=replace, is_anonymous=is_anonymous)
    return _write_other(workspace, memory, record, concepts, recorded_at, replace=replace), memory.id


def _write_other(
    workspace: Workspace,
    memory: Memory,
    record: NodeRecord,
    concepts: list[NodeRecord],
    recorded_at: datetime,
    *,
    replace: bool,
) -> Saved:
    """Save what is no statement."""
    if to_write(workspace, [record], replace=replace):
        record, *concepts = with_vectors([record, *concepts], workspace.embedder)
    found = memory_edges(memory, recorded_at, _sources(workspace, memory))
    edges = list({(edge.type, edge.target): edge for edge in found}.values())
    older = None if memory.supersedes is None else NodeRef("Memory", memory.supersedes)
    with workspace.graph.transaction() as transaction:
        if concepts:
            transaction.save_nodes(concepts, replace=False)
        saved = transaction.save_nodes([record], replace=replace)
        if saved.unchanged or (saved.changed and not replace):
            return saved
        drop_given_links(transaction, saved.changed, ["ABOUT", "ASSERTED_IN", "SUPERSEDES"])
        transaction.save_edges(edges)
        if older is not None:
            for stored in transaction.get([older]).values():
                retired = retired_by(stored, memory, recorded_at)
                transaction.set_properties("Memory", [(stored.id, differences(stored, retired))])
    ended = None if older is None else topic_of(workspace.graph.get([older])[older], workspace.facts)
    write_settled(workspace, recorded_at, [] if ended is None else [ended])
    return saved


def _sources(workspace: Workspace, memory: Memory) -> list[NodeRef]:
    """Those of its sources that are stored, as messages or as episodes."""
    wanted = [
        NodeRef(label, source) for source in dict.fromkeys(memory.sources) for label in ("Message", "Episode")
    ]
    return list(workspace.known(wanted)) if wanted else []


def _check_superseded(workspace: Workspace, memory: Memory) -> None:
    if memory.supersedes is None:
        return
    if memory.supersedes == memory.id:
        raise ConflictError(f"memory {memory.id!r} cannot supersede itself: give it another id")
    ref = NodeRef("Memory", memory.supersedes)
    older = workspace.known([ref]).get(ref)
    if older is None or not workspace.sees(older):
        raise NotFoundError("memory", memory.supersedes)
