"""`memory.messages`: add, read and forget what was said.

Left out: where a conversation is cut into episodes, which `graphmem.ports.segmenting` hands over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from graphmem.graph.mapping.message import to_message
from graphmem.graph.records import Cursor, NodeRecord, NodeRef, Saved
from graphmem.messages.writing import Written, write_messages
from graphmem.models.checking import checked
from graphmem.models.message import Message, Role
from graphmem.ports.batches import batches, refuse_changed, together
from graphmem.ports.listing import Listing, between, equals, listing, read_page
from graphmem.ports.segmenting import NoSegments, Placement, Segments, StreamEnds, retried
from graphmem.ports.settling import without_source
from graphmem.ports.workspace import Workspace


class MessagesService:
    """The messages of one tenant, as one user sees them.

    Args:
        workspace: Where they are kept.
        segments: Puts messages that name no episode into episodes.
    """

    def __init__(self, workspace: Workspace, segments: Segments | None = None) -> None:
        self._workspace = workspace
        self._segments = segments or NoSegments()

    def add(
        self,
        text: str,
        *,
        role: Role = "user",
        speaker: str | None = None,
        session: str | None = None,
        at: datetime | None = None,
        id: str | None = None,  # noqa: A002 (the documented name)
        episode: str | None = None,
        extra: Mapping[str, Any] | None = None,
        replace: bool = False,
    ) -> Message:
        """Keep one message; the same id and content twice changes nothing.

        It joins the running episode of its user and session, or begins one, as the settings `boundary` say.

        Args:
            text: What was said.
            role: user, assistant, system or tool.
            speaker: Name of who speaks.
            session: Id of its session.
            at: When it was said, aware; None: at this moment.
            id: The caller's own id; None: a new time-ordered one.
            episode: Id of a stored episode that it belongs to; None: the boundaries decide.
            extra: Anything else, kept as given, never searched.
            replace: Whether it replaces a stored message of this id.

        Returns:
            The message as it was kept, with its episode.

        Raises:
            InvalidInputError: A value is refused.
            ConflictError: The id is stored with other content.
            NotFoundError: The episode is not stored, or is another user's.
            ModelError: The embedder failed, and nothing was kept; or an episode that ended could not be
                finalised: the message is kept then, and the episode is pending.
        """
        fields = {"text": text, "role": role, "speaker": speaker, "session": session, "at": at, "id": id}
        message = self._read({**fields, "episode": episode, "extra": dict(extra or {})}, self._workspace.now())
        kept = [self._write([message], set(), replace=replace)]
        saved, episode = kept[0].saved, kept[0].episodes.get(message.id)
        if not replace:
            refuse_changed(saved, "message")
        self._finalise(kept)
        return message if episode is None else message.model_copy(update={"episode": episode})

    def add_many(self, messages: Iterable[Message | Mapping[str, Any]], *, replace: bool = False) -> Saved:
        """Keep a stream of messages in batches, each written at once or not at all.

        Args:
            messages: Messages, or mappings of their fields; one without `id` gets a new one, one
                without `at` was said at this moment.
            replace: Whether changed content replaces what is stored.

        Returns:
            What was added, changed (stored with other content) and unchanged.

        Raises:
            InvalidInputError: A value is refused; earlier batches are kept.
            NotFoundError: An episode is not stored, or is another user's; earlier batches are kept.
            ModelError: The embedder failed, and earlier batches are kept; or an episode that ended could not
                be finalised: all messages are kept then, and the episode is pending.
        """
        kept = list(self._keep(messages, replace=replace))
        self._finalise(kept)
        return together(written.saved for written in kept)

    def get(self, id: str) -> Message:  # noqa: A002 (the documented name)
        """The message with this id.

        Raises:
            NotFoundError: There is none, or it is another user's.
        """
        return to_message(self._workspace.fetch("Message", id, "message"))

    def list(
        self,
        *,
        session: str | None = None,
        role: Role | None = None,
        speaker: str | None = None,
        episode: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        order: str = "at",
        after: Cursor | None = None,
        limit: int = 100,
    ) -> Listing[Message]:
        """A page of messages, oldest first.

        Args:
            session: Only of this session.
            role: Only of this role.
            speaker: Only by this speaker, as written.
            episode: Only of this episode.
            since: Said at or after this time.
            until: Said at or before this time.
            order: at, created_at, id or another filterable property; `-` before it for falling order.
            after: `next` of the page before.
            limit: 1 to 10,000.
        """
        conditions = equals(session=session, role=role, speaker=speaker, episode=episode)
        filters = self._workspace.filters("Message", *conditions, *between("at", since, until))
        page = read_page(self._workspace.graph, "Message", filters, order=order, after=after, limit=limit)
        return listing(page, to_message)

    def forget(self, id: str) -> None:  # noqa: A002 (the documented name)
        """Remove a message with all its links; an episode that was made of it alone goes too.

        What it says of facts no longer counts, and what it alone says goes.

        Raises:
            NotFoundError: There is none, or it is another user's.
        """
        record = self._workspace.fetch("Message", id, "message")
        placement = retried(self._workspace, lambda _: self._remove(record))
        self._segments.finalise(placement.ended)

    def _remove(self, record: NodeRecord) -> Placement:
        placement = self._segments.without(record)
        settlement = without_source(self._workspace, record.ref)
        with self._workspace.graph.transaction() as transaction:
            settlement.write(transaction)
            transaction.remove_nodes([record.ref])
            placement.write(transaction, ())
        return placement

    def _keep(self, messages: Iterable[Message | Mapping[str, Any]], *, replace: bool) -> Iterator[Written]:
        known: set[NodeRef] = set()
        ends = StreamEnds()
        for batch in batches(self._read_all(messages), key=lambda message: message.id, weight=_characters):
            written = self._write(batch, known, replace=replace, before=ends)
            ends = written.ends or StreamEnds()
            yield written

    def _write(
        self,
        messages: Sequence[Message],
        known: set[NodeRef],
        *,
        replace: bool,
        before: StreamEnds | None = None,
    ) -> Written:
        workspace = self._workspace
        now = workspace.now()
        return write_messages(workspace, messages, now, known, self._segments, replace=replace, before=before)

    def _finalise(self, kept: Iterable[Written]) -> None:
        self._segments.finalise(name for written in kept for name in written.ended)

    def _read_all(self, messages: Iterable[Message | Mapping[str, Any]]) -> Iterator[Message]:
        now = self._workspace.now()
        for message in messages:
            yield self._read(message, now)

    def _read(self, given: Message | Mapping[str, Any], now: datetime) -> Message:
        if isinstance(given, Message):
            return self._workspace.stamped(given)
        fields = self._workspace.fields_of(given, "Message")
        fields.setdefault("at", now)
        if "id" not in fields:
            fields["id"] = self._workspace.new_id(now)
        return checked(Message, fields)


def _characters(message: Message) -> int:
    return len(message.text)
