"""How messages reach episodes as they are kept: the port between them and what cuts conversations.

A placement is worked out before the transaction in which the messages are written, and written with them.
Left out: where a conversation is cut, which is `graphmem.episodes.segmentation`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from time import sleep
from typing import Protocol, TypeVar

from graphmem.errors import ConflictError
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef
from graphmem.models.message import Message
from graphmem.ports.graph_store import Transaction
from graphmem.ports.workspace import Workspace

SEGMENTED = "segmented"
"""`source` of an edge from an episode to a message that was put there rather than given to it."""

ATTEMPTS = 8
"""How often messages are placed anew where other writers of the same conversation were faster."""

_PAUSE = 0.02
"""Seconds of the first pause at most; each next one may be twice as long."""

_TOGETHER = "another writer kept messages of the same conversation at once: add them again"

Result = TypeVar("Result")

Stream = tuple[str | None, str | None]
"""User and session: what was said in one stream is one run of messages in time."""


def retried(workspace: Workspace, write: Callable[[bool], Result]) -> Result:
    """Write, again where another writer of the same conversation was faster.

    Args:
        workspace: Where to write; chance spreads the attempts, or the same writer would lose each time.
        write: Places and writes; told whether it was tried before.

    Raises:
        ConflictError: Others were faster `ATTEMPTS` times.
    """
    for attempt in range(ATTEMPTS - 1):
        try:
            return write(attempt > 0)
        except ConflictError:
            sleep(workspace.entropy(1)[0] / 255 * _PAUSE * 2**attempt)
    return write(True)


def is_free(message: Message) -> bool:
    """Whether a message may be put into an episode: it names none, and was not said to have none."""
    return message.episode is None and "episode" not in message.model_fields_set


@dataclass(frozen=True, slots=True)
class Placed:
    """A message with the episode that it belongs to."""

    message: Message
    episode: str | None
    """None: none, as after its episode was forgotten."""


@dataclass(frozen=True, slots=True)
class StreamEnds:
    """How streams stand once a batch is written; while nobody else writes, the next one need not ask the store."""

    version: int = -2
    """The tenant's version before the batch; its write adds one."""
    last: Mapping[Stream, Placed] = field(default_factory=dict)
    """Stream -> its last message in time."""
    running: Mapping[Stream, str | None] = field(default_factory=dict)
    """Stream -> the episode that goes on."""
    roots: Mapping[str, NodeRecord] = field(default_factory=dict)
    """Id of an episode -> how it is stored: those of the last messages."""

    def at(self, version: int) -> StreamEnds:
        """These, where the tenant is as the batch left it; else none."""
        return self if version == self.version + 1 else StreamEnds()


@dataclass(frozen=True, slots=True)
class Placement:
    """Which episodes some messages belong to, and all that is written for it."""

    episodes: Mapping[str, str] = field(default_factory=dict)
    """Id of a message -> id of its episode; messages that name one themselves are left out."""
    begun: tuple[NodeRecord, ...] = ()
    """Episodes that begin."""
    changed: tuple[NodeRecord, ...] = ()
    """Stored episodes as they become."""
    expected: Mapping[NodeRef, str] = field(default_factory=dict)
    """content_hash that each changed episode must still have."""
    emptied: tuple[NodeRef, ...] = ()
    """Episodes that lost their last message, and go."""
    edges: tuple[EdgeRecord, ...] = ()
    gone: tuple[EdgeRecord, ...] = ()
    """Edges to messages that moved elsewhere."""
    fresh: frozenset[NodeRef] = frozenset()
    """Messages that must not be stored yet."""
    ended: tuple[str, ...] = ()
    """Episodes that wait to be finalised."""
    ends: StreamEnds | None = None
    """How the streams stand once it is written; None: nobody asked."""

    def placed(self, record: NodeRecord) -> NodeRecord:
        """A message as it is stored: with its episode, which is no part of its content."""
        episode = self.episodes.get(record.id) if record.label == "Message" else None
        if episode is None:
            return record
        return NodeRecord(record.label, record.id, {**record.properties, "episode": episode}, record.vector)

    def write(
        self, transaction: Transaction, added: Collection[NodeRef], edges: Sequence[EdgeRecord] = ()
    ) -> None:
        """Write the episodes and all edges, once the messages are written.

        Args:
            transaction: The one in which the messages were written.
            added: Messages that were not stored before.
            edges: Edges of the messages themselves.

        Raises:
            ConflictError: Somebody else wrote meanwhile; work the placement out again.
        """
        if not self.fresh <= set(added):
            raise ConflictError(_TOGETHER)
        if self.changed:
            transaction.save_nodes(self.changed, expected=self.expected)
        if self.begun and len(transaction.save_nodes(self.begun, replace=False).added) < len(self.begun):
            raise ConflictError(_TOGETHER)
        if self.gone:
            transaction.remove_edges(self.gone)
        if self.emptied:
            transaction.remove_nodes(self.emptied)
        if edges or self.edges:
            transaction.save_edges([*edges, *self.edges])


class Segments(Protocol):
    """Puts messages into episodes."""

    def place(
        self,
        messages: Sequence[Message],
        replaced: Mapping[str, NodeRecord],
        recorded_at: datetime,
        *,
        careful: bool = False,
        before: StreamEnds | None = None,
    ) -> Placement:
        """Find the episodes of messages that are about to be written.

        Args:
            messages: Messages with distinct ids, in the order given.
            replaced: What is stored under the ids of those that replace something.
            recorded_at: Becomes created_at of episodes that begin.
            careful: Whether the placement before ran into somebody else's.
            before: How the batch before left its streams, where batches follow each other; empty ones ask for
                those of this batch.
        """
        ...

    def without(self, message: NodeRecord) -> Placement:
        """What becomes of the episode of a stored message that is about to be removed."""
        ...

    def finalise(self, episodes: Iterable[str]) -> None:
        """Finalise episodes that have ended; others are passed over.

        Raises:
            ModelError: The language model or the embedder failed; what is left stays pending.
        """
        ...


class NoSegments:
    """Keeps messages as they are: no episode is made of them."""

    def place(
        self,
        messages: Sequence[Message],
        replaced: Mapping[str, NodeRecord],
        recorded_at: datetime,
        *,
        careful: bool = False,
        before: StreamEnds | None = None,
    ) -> Placement:
        """No placement."""
        del messages, replaced, recorded_at, careful, before
        return Placement()

    def without(self, message: NodeRecord) -> Placement:
        """No change."""
        del message
        return Placement()

    def finalise(self, episodes: Iterable[str]) -> None:
        """Nothing to do."""
