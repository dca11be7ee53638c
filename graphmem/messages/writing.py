"""Writes a batch of messages with the sessions and speakers they name, in one transaction.

Leaves out reading and the forms a caller may give: see service.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from graphmem.errors import NotFoundError
from graphmem.graph.mapping.message import message_edges, message_neighbours, message_record
from graphmem.graph.records import NodeRecord, NodeRef, Saved
from graphmem.models.checking import refusals
from graphmem.models.message import Message
from graphmem.ports.batches import drop_given_links, to_write
from graphmem.ports.embedding import with_vectors
from graphmem.ports.workspace import Workspace


def write_messages(
    workspace: Workspace, messages: Sequence[Message], recorded_at: datetime, known: set[NodeRef], *, replace: bool
) -> Saved:
    """Save messages with distinct ids; vectors are made before the transaction.

    Args:
        workspace: Where to write.
        messages: What was said.
        recorded_at: Becomes created_at.
        known: Sessions and speakers that earlier batches saved; this one adds its own.
        replace: Whether changed content replaces what is stored.

    Raises:
        NotFoundError: A message names an episode that is not stored.
        ConflictError: With replace, another user's message would be replaced.
    """
    _check_episodes(workspace, messages)
    records = [message_record(message, recorded_at) for message in messages]
    waiting = to_write(workspace, records, replace=replace)
    written = [message for message in messages if NodeRef("Message", message.id) in waiting]
    vectors = iter(with_vectors([record for record in records if record.ref in waiting], workspace.embedder))
    complete = [next(vectors) if record.ref in waiting else record for record in records]
    with refusals():
        neighbours = _neighbours(written, recorded_at, known)
        edges = {message.id: message_edges(message, recorded_at) for message in written}
    with workspace.graph.transaction() as transaction:
        if neighbours:
            transaction.save_nodes(neighbours, replace=False)
        saved = transaction.save_nodes(complete, replace=replace)
        if replace:
            drop_given_links(transaction, saved.changed, ["IN_SESSION", "SPOKEN_BY"], ["HAS_MESSAGE"])
        kept = [ref.id for ref in (*saved.added, *(saved.changed if replace else ()))]
        # another writer may have been faster with other content: then its links hold
        transaction.save_edges([edge for name in kept for edge in edges.get(name, ())])
    known.update(record.ref for record in neighbours)
    return saved


def _neighbours(messages: Sequence[Message], recorded_at: datetime, known: set[NodeRef]) -> list[NodeRecord]:
    """Sessions and speakers that no earlier batch saved, each once."""
    named = {(message.session, message.user_id, message.speaker): message for message in messages}
    found: dict[NodeRef, NodeRecord] = {}
    for message in named.values():
        for record in message_neighbours(message, recorded_at):
            if record.ref not in known:
                found.setdefault(record.ref, record)
    return list(found.values())


def _check_episodes(workspace: Workspace, messages: Sequence[Message]) -> None:
    named = {message.episode for message in messages} - {None}
    if not named:
        return
    stored = workspace.known([NodeRef("Episode", str(name)) for name in sorted(map(str, named))])
    missing = sorted(str(name) for name in named if NodeRef("Episode", str(name)) not in stored)
    if missing:
        raise NotFoundError("episode", missing[0])
