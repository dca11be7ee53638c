"""Cuts messages into episodes as they are kept: reads what is there, decides, and hands over what to write.

Where a conversation is cut is decided in `placing`; writing is the business of whoever writes the messages,
in the same transaction. What has ended is finalised afterwards, each episode in a transaction of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from graphmem.episodes.boundaries import BoundaryPolicy
from graphmem.episodes.closing import Closing
from graphmem.episodes.concluding import finalise_conversations
from graphmem.episodes.conversations import Conversation, is_conversation, read_conversation
from graphmem.episodes.finalising import read_messages
from graphmem.episodes.placing import Drafts, Rules, Timeline
from graphmem.episodes.streams import (
    Neighbours,
    is_running,
    latest_messages,
    new_sessions,
    read_nodes,
    running_root,
    stream_of,
)
from graphmem.errors import StoreMissingError
from graphmem.graph.mapping.message import to_message
from graphmem.graph.mapping.values import edge_origin
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef
from graphmem.language.cues import Cues
from graphmem.models.episode import Outcome
from graphmem.models.message import Message
from graphmem.ports.segmenting import SEGMENTED, Placed, Placement, Stream, StreamEnds
from graphmem.ports.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Segmentation:
    """Puts messages into episodes; see `graphmem.ports.segmenting.Segments`."""

    workspace: Workspace
    policy: BoundaryPolicy = field(default_factory=BoundaryPolicy)
    cues: Cues | None = None
    """None: those that come with graphmem."""

    def place(
        self,
        messages: Sequence[Message],
        replaced: Mapping[str, NodeRecord],
        recorded_at: datetime,
        *,
        careful: bool = False,
        before: StreamEnds | None = None,
    ) -> Placement:
        """Find the episodes of messages that are about to be written."""
        if not self.policy.enabled or not messages:
            return Placement()
        version = None if before is None else self._version()
        known = StreamEnds() if before is None or version is None or careful else before.at(version)
        drafts = Drafts(self._load, self._is_stored if careful else lambda _: False)
        moved = [
            self._revised(drafts, message, replaced[message.id]) for message in messages if message.id in replaced
        ]
        new = [message for message in messages if message.id not in replaced]
        timelines = self._timelines(drafts, new, known)
        for timeline, neighbours, said in timelines:
            _fill(timeline, neighbours, said)
        placement = self._placement(
            drafts, messages, recorded_at, [edge for edge in moved if edge is not None], replaced
        )
        if version is None:
            return placement
        ends = StreamEnds() if replaced else _ends(version, timelines, placement)
        return replace(placement, ends=ends)

    def without(self, message: NodeRecord) -> Placement:
        """What becomes of the episode of a stored message that is about to be removed."""
        episode = message.properties.get("episode")
        conversation = self._load(episode) if isinstance(episode, str) else None
        if conversation is None:
            return Placement()
        others = self._others(conversation.id, message.id)
        if not others:
            return Placement(emptied=(NodeRef("Episode", conversation.id),))
        drafts = Drafts(self._load, self._is_stored)
        drafts.keep(conversation.left(to_message(message), others))
        return self._placement(drafts, [], self.workspace.now(), [], {})

    def finalise(self, episodes: Iterable[str]) -> None:
        """Finalise conversations that have ended, in the order in which they began."""
        finalise_conversations(self.workspace, episodes)

    def _load(self, episode: str) -> Conversation | None:
        ref = NodeRef("Episode", episode)
        root = read_nodes(self.workspace.graph, [ref]).get(ref)
        return read_conversation(root) if root is not None and is_conversation(root.properties) else None

    def _is_stored(self, episode: str) -> bool:
        return bool(read_nodes(self.workspace.graph, [NodeRef("Episode", episode)]))

    def _others(self, episode: str, message: str) -> list[Message]:
        """The messages of an episode but one, in order."""
        return [one for one in read_messages(self.workspace, episode) if one.id != message]

    def _version(self) -> int:
        """The tenant's version; 0 in a store that is not there yet."""
        try:
            return self.workspace.graph.version()
        except StoreMissingError:
            return 0

    def _timelines(
        self, drafts: Drafts, messages: Sequence[Message], known: StreamEnds
    ) -> list[tuple[Timeline, Neighbours, list[Message]]]:
        """The streams of some messages as they are stored, each with its new messages in time order."""
        streams: dict[Stream, list[Message]] = {}
        for message in messages:
            streams.setdefault(stream_of(message), []).append(message)
        graph, reach = self.workspace.graph, timedelta(minutes=self.policy.gap_minutes)
        asked = [stream for stream in streams if stream not in known.last]
        unknown = new_sessions(graph, asked) if len(asked) > 1 else set()
        stored = latest_messages(graph, [stream for stream in asked if stream[1] not in unknown])
        ends = {**known.last, **stored}
        roots = self._roots(drafts, stored.values(), known)
        found = []
        for stream, said in streams.items():
            end = ends.get(stream)
            is_known = stream in known.running
            running = known.running[stream] if is_known else self._running(drafts, roots, stream, end)
            timeline = Timeline(Rules(self.policy, self.cues), drafts, end, running)
            said.sort(key=lambda message: message.at)
            found.append((timeline, Neighbours(graph, stream, reach), said))
        return found

    def _roots(self, drafts: Drafts, ends: Iterable[Placed | None], known: StreamEnds) -> dict[str, NodeRecord]:
        """The episodes of the streams' last messages."""
        names = dict.fromkeys(end.episode for end in ends if end is not None and end.episode is not None)
        roots = read_nodes(self.workspace.graph, [NodeRef("Episode", name) for name in names])
        for root in (*roots.values(), *known.roots.values()):
            if is_conversation(root.properties):
                drafts.know(read_conversation(root))
        return {root.id: root for root in roots.values()}

    def _running(
        self, drafts: Drafts, roots: Mapping[str, NodeRecord], stream: Stream, end: Placed | None
    ) -> str | None:
        """The conversation of a stream that goes on: mostly that of its last message."""
        if end is None:
            return None
        root = roots.get(end.episode or "")
        if root is None or not is_running(root):
            root = running_root(self.workspace.graph, stream)
        if root is None:
            return None
        drafts.know(read_conversation(root))
        return root.id

    def _revised(self, drafts: Drafts, message: Message, stored: NodeRecord) -> EdgeRecord | None:
        """Keep a message that is replaced where it is; in another stream it begins an episode of its own.

        Returns:
            The edge that must go, where it does not stay.
        """
        old = to_message(stored)
        conversation = drafts.get(old.episode)
        if conversation is None:
            return None
        others = self._others(conversation.id, message.id)
        if message.episode == conversation.id or (
            message.episode is None and stream_of(message) == stream_of(old)
        ):
            said = sorted([*others, message], key=lambda one: (one.at, one.id))
            drafts.join(conversation.left(old, said), message)
            return None
        if message.episode is None:
            drafts.keep(drafts.begin(message).ended(Closing(outcome=Outcome.UNKNOWN, ended_at=message.at)))
        if others:
            drafts.keep(conversation.left(old, others))
        else:
            drafts.empty(conversation)
        return EdgeRecord("HAS_MESSAGE", NodeRef("Episode", conversation.id), NodeRef("Message", old.id))

    def _placement(
        self,
        drafts: Drafts,
        messages: Sequence[Message],
        recorded_at: datetime,
        gone: Sequence[EdgeRecord],
        replaced: Mapping[str, NodeRecord],
    ) -> Placement:
        begun: list[NodeRecord] = []
        changed: list[NodeRecord] = []
        expected: dict[NodeRef, str] = {}
        edges: list[EdgeRecord] = []
        for conversation in drafts.changed.values():
            root, own = conversation.tree(recorded_at)
            if conversation.stored is None:
                begun.append(root)
                edges += own
            else:
                changed.append(root)
                expected[root.ref] = conversation.stored.content_hash
        edges += [
            _edge(message, drafts.episodes[message.id], recorded_at)
            for message in messages
            if message.id in drafts.episodes
        ]
        return Placement(
            episodes=drafts.episodes,
            begun=tuple(begun),
            changed=tuple(changed),
            expected=expected,
            emptied=tuple(NodeRef("Episode", name) for name in drafts.emptied),
            edges=tuple(edges),
            gone=tuple(gone),
            fresh=frozenset(NodeRef("Message", name) for name in drafts.episodes if name not in replaced),
            ended=tuple(name for name, one in drafts.changed.items() if one.closing is not None),
        )


def _ends(version: int, timelines: Iterable[tuple[Timeline, object, object]], placement: Placement) -> StreamEnds:
    """How the streams of a batch stand, but those whose last message is in none of the episodes it writes."""
    roots = {root.id: root for root in (*placement.begun, *placement.changed)}
    last: dict[Stream, Placed] = {}
    running: dict[Stream, str | None] = {}
    for timeline, _, _ in timelines:
        if timeline.latest is not None and timeline.latest.episode in roots:
            stream = stream_of(timeline.latest.message)
            last[stream], running[stream] = timeline.latest, timeline.running
    return StreamEnds(version, last, running, roots)


def _fill(timeline: Timeline, neighbours: Neighbours, messages: Sequence[Message]) -> None:
    """Put the messages of a stream, in time order, where they belong."""
    for message in messages:
        if timeline.is_late(message):
            neighbours.put(timeline.insert(message, *neighbours.of(message)))
        else:
            timeline.append(message)


def _edge(message: Message, episode: str, recorded_at: datetime) -> EdgeRecord:
    own = edge_origin(message.user_id, recorded_at, SEGMENTED)
    return EdgeRecord("HAS_MESSAGE", NodeRef("Episode", episode), NodeRef("Message", message.id), own)
