"""Reads what is stored of a stream: its last message, its running conversation, neighbours in time."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from graphmem.episodes.conversations import is_conversation
from graphmem.errors import StoreMissingError
from graphmem.graph.mapping.message import to_message
from graphmem.graph.records import And, Equals, Filter, In, Missing, NodeRecord, NodeRef, Range
from graphmem.models.message import Message
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import every_node
from graphmem.ports.segmenting import Placed, Stream

_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
_LATEST_PER_STREAM = 4
"""Messages read a stream when the last ones of many are looked for at once."""
_TICK = timedelta(microseconds=1)
"""Stores keep microseconds: what is younger than a message is younger by at least one."""


def stream_of(message: Message) -> Stream:
    """The stream that a message belongs to."""
    return message.user_id, message.session


def latest_messages(graph: TenantGraph, streams: Collection[Stream]) -> dict[Stream, Placed | None]:
    """The last message of each stream in time; of several at one time, any.

    Streams that go on side by side end among the last messages of them all, so one question answers most.
    """
    asked = set(streams)
    found: dict[Stream, Placed | None] = {}
    sessions = sorted({session for _, session in asked if session is not None})
    if len(sessions) > 1:
        where = In("session", tuple(sessions))
        for placed in _read(graph, where, "-at", _LATEST_PER_STREAM * len(sessions)):
            stream = stream_of(placed.message)
            if stream in asked:
                found.setdefault(stream, placed)
    return {**{stream: _first(graph, _where(stream), "-at") for stream in asked - found.keys()}, **found}


def running_root(graph: TenantGraph, stream: Stream) -> NodeRecord | None:
    """The open conversation of a stream that nothing ended, the youngest where writers began several at once."""
    running = [
        root
        for root in every_node(graph, "Episode", And((Equals("state", "open"), *_where(stream))))
        if is_running(root)
    ]
    return max(running, key=lambda root: (str(root.properties.get("started_at")), root.id), default=None)


def is_running(root: NodeRecord) -> bool:
    """Whether a stored episode is a conversation that goes on."""
    return (
        is_conversation(root.properties)
        and root.properties.get("state") == "open"
        and "closing" not in root.properties
    )


def new_sessions(graph: TenantGraph, streams: Iterable[Stream]) -> set[str]:
    """Sessions of these streams of which nothing is stored."""
    named = {session for _, session in streams if session is not None}
    stored = read_nodes(graph, [NodeRef("Session", session) for session in sorted(named)])
    return {session for session in named if NodeRef("Session", session) not in stored}


def read_nodes(graph: TenantGraph, refs: list[NodeRef]) -> dict[NodeRef, NodeRecord]:
    """The nodes that are stored; none in a store that is not there yet."""
    if not refs:
        return {}
    try:
        return graph.get(refs)
    except StoreMissingError:
        return {}


@dataclass(slots=True)
class Neighbours:
    """What stands before and after late messages of one stream; they are asked for in time order."""

    graph: TenantGraph
    stream: Stream
    reach: timedelta
    """Time within which they are looked for first: an index of times then holds few others."""
    _before: Placed | None = None
    _after: Placed | None = None

    def of(self, message: Message) -> tuple[Placed | None, Placed | None]:
        """The stored messages right before and right after a time; the store is asked where they changed."""
        if self._after is None or message.at >= self._after.message.at:
            self._before = self._nearest(_moved(message.at, -self.reach), message.at, "-at")
            self._after = self._nearest(message.at + _TICK, _moved(message.at, self.reach), "at")
        return self._before, self._after

    def _nearest(self, low: datetime, high: datetime, order: str) -> Placed | None:
        where = _where(self.stream)
        near = _first(self.graph, (*where, Range("at", low, high)), order)
        if near is not None:
            return near
        beyond = Range("at", None, high) if order.startswith("-") else Range("at", low, None)
        return _first(self.graph, (*where, beyond), order)

    def put(self, placed: Placed) -> None:
        """Note a late message that was put there: the next one follows it."""
        self._before = placed


def _moved(at: datetime, by: timedelta) -> datetime:
    """A time moved as far as time goes."""
    try:
        return at + by
    except OverflowError:
        return _FIRST if by < timedelta(0) else _LAST


def _where(stream: Stream) -> tuple[Filter, ...]:
    user, session = stream
    return (
        Missing("session") if session is None else Equals("session", session),
        Missing("user_id") if user is None else Equals("user_id", user),
    )


def _first(graph: TenantGraph, where: tuple[Filter, ...], order: str) -> Placed | None:
    return next(iter(_read(graph, And(where), order, 1)), None)


def _read(graph: TenantGraph, where: Filter, order: str, limit: int) -> list[Placed]:
    try:
        page = graph.scan("Message", where, order=order, limit=limit)
    except StoreMissingError:
        return []
    messages = map(to_message, page.records)
    return [Placed(message, message.episode) for message in messages]
