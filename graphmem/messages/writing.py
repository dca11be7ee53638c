"""Writes a batch of messages with the sessions and speakers they name, in one transaction.

Leaves out reading and the forms a caller may give: see service.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.errors import NotFoundError
from graphmem.graph.mapping.message import message_edges, message_neighbours, message_record, says_the_same
from graphmem.graph.records import NodeRecord, NodeRef, Saved
from graphmem.models.checking import refusals
from graphmem.models.message import Message
from graphmem.ports.batches import drop_given_links, waiting_to_write
from graphmem.ports.embedding import with_vectors
from graphmem.ports.segmenting import Segments, StreamEnds, retried
from graphmem.ports.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a batch of messages."""

    saved: Saved
    episodes: Mapping[str, str]
    """Id of a message -> id of the episode that it was put into, now or before."""
    ended: tuple[str, ...]
    """Episodes that wait to be finalised."""
    ends: StreamEnds | None = None
    """How its streams stand, for the batch that follows."""


def write_messages(
    workspace: Workspace,
    messages: Sequence[Message],
    recorded_at: datetime,
    known: set[NodeRef],
    segments: Segments,
    *,
    replace: bool,
    before: StreamEnds | None = None,
) -> Written:
    """Save messages with distinct ids and the episodes they belong to; vectors are made before that.

    Args:
        workspace: Where to write.
        messages: What was said.
        recorded_at: Becomes created_at.
        known: Sessions and speakers that earlier batches saved; this one adds its own.
        segments: Finds the episodes of those that name none.
        replace: Whether changed content replaces what is stored.
        before: How the batch before left its streams; None where none follows.

    Raises:
        NotFoundError: A message names an episode that is not stored, or is another user's.
        ConflictError: With replace, another user's message would be replaced; or other writers of the same
            conversation were faster `ATTEMPTS` times.
    """
    return retried(
        workspace,
        lambda careful: _write(
            workspace, messages, recorded_at, known, segments, replace=replace, careful=careful, before=before
        ),
    )


def _write(
    workspace: Workspace,
    messages: Sequence[Message],
    recorded_at: datetime,
    known: set[NodeRef],
    segments: Segments,
    *,
    replace: bool,
    careful: bool,
    before: StreamEnds | None,
) -> Written:
    _check_episodes(workspace, messages)
    records = [message_record(message, recorded_at) for message in messages]
    stored = workspace.known([record.ref for record in records])
    records = [_as_stored(*pair, stored.get(pair[1].ref)) for pair in zip(messages, records, strict=True)]
    waiting = waiting_to_write(workspace, records, stored, replace=replace)
    written = [message for message in messages if NodeRef("Message", message.id) in waiting]
    vectors = iter(with_vectors([record for record in records if record.ref in waiting], workspace.embedder))
    complete = [next(vectors) if record.ref in waiting else record for record in records]
    with refusals():
        neighbours = _neighbours(written, recorded_at, known)
        edges = {message.id: message_edges(message, recorded_at) for message in written}
    earlier = {ref.id: record for ref, record in stored.items() if ref in waiting}
    placement = segments.place(written, earlier, recorded_at, careful=careful, before=before)
    with workspace.graph.transaction() as transaction:
        if neighbours:
            transaction.save_nodes(neighbours, replace=False)
        saved = transaction.save_nodes([placement.placed(record) for record in complete], replace=replace)
        if replace:
            drop_given_links(transaction, saved.changed, ["IN_SESSION", "SPOKEN_BY"], ["HAS_MESSAGE"])
        kept = [ref.id for ref in (*saved.added, *(saved.changed if replace else ()))]
        # another writer may have been faster with other content: then its links hold
        placement.write(transaction, saved.added, [edge for name in kept for edge in edges.get(name, ())])
    known.update(record.ref for record in neighbours)
    return Written(saved, {**_episodes(stored, saved), **placement.episodes}, placement.ended, placement.ends)


def _episodes(stored: Mapping[NodeRef, NodeRecord], saved: Saved) -> dict[str, str]:
    """Where messages are that stay as they were."""
    found = {ref.id: stored[ref].properties.get("episode") for ref in saved.unchanged if ref in stored}
    return {name: episode for name, episode in found.items() if isinstance(episode, str)}


def _as_stored(message: Message, record: NodeRecord, stored: NodeRecord | None) -> NodeRecord:
    """The stored record where it says the same, so that it stays as it is."""
    return stored if stored is not None and says_the_same(message, record.content_hash, stored) else record


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
    named = [(message, NodeRef("Episode", message.episode)) for message in messages if message.episode is not None]
    stored = workspace.known(dict.fromkeys(ref for _, ref in named)) if named else {}
    for message, ref in named:
        if ref not in stored or _is_foreign(workspace, stored[ref], message):
            raise NotFoundError("episode", ref.id)


def _is_foreign(workspace: Workspace, episode: NodeRecord, message: Message) -> bool:
    """Whether it is another user's, in whose episode this one has nothing to say."""
    owner = episode.properties.get("user_id")
    return workspace.user is not None and owner not in {None, workspace.user, message.user_id}
