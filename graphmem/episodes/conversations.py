"""An episode that is cut out of messages, while it is put together: pure values.

Its content hash grows with its messages, in whatever order they come, so nobody takes it for unchanged
when one was added.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from graphmem.episodes.closing import Closing, closed, closing_text, read_closing
from graphmem.graph.mapping.episode import episode_hash, episode_tree, is_closed, to_episode
from graphmem.graph.mapping.values import HASH_LENGTH, content_hash
from graphmem.graph.records import EdgeRecord, NodeRecord, Value
from graphmem.models.episode import Episode, EpisodeState, Outcome
from graphmem.models.message import Message

CONVERSATION = "conversation"
"""`origin` of an episode that was cut out of messages."""

CUE = "closing cue"
"""How the source of an outcome begins that a cue of the conversation says."""

MAX_GOAL = 400
"""Characters of a goal at most: a first message may be a whole log file."""

MAX_TRIGGER = 4000
"""Characters of a trigger at most."""

_ID = re.compile(r"conversation-[0-9a-f]{16}")
_MODULUS = 1 << 4 * HASH_LENGTH
_REOPENED = "reopened"


@dataclass(frozen=True, slots=True)
class Conversation:
    """One episode with the messages that were put into it so far."""

    episode: Episode
    """Open, without what was derived."""
    content: str
    """Content hash of it as it stands."""
    closing: Closing | None = None
    """How it ended; None: it runs."""
    stored: NodeRecord | None = None
    """The episode as it is stored; None: it begins now."""

    @property
    def id(self) -> str:
        """The episode's id."""
        return self.episode.id

    @property
    def ended_by_cue(self) -> bool:
        """Whether its end was said, so that nothing said later belongs to it."""
        sources = [change.source for change in self.episode.outcome_history]
        return any(source.startswith(CUE) for source in (*sources, self.closing.source if self.closing else ""))

    def joined(self, message: Message) -> Conversation:
        """With one more message; a closed one is open again, and keeps how it ended."""
        episode = self.episode
        changes: dict[str, object] = {}
        if episode.started_at is None or message.at < episode.started_at:
            changes |= {"started_at": message.at, "utc_offset": message.utc_offset}
        if episode.trigger is None and message.text.strip():
            if message.role == "user":
                changes |= {"goal": _goal(message.text), "trigger": _trigger(message.text)}
            elif not episode.goal:
                changes["goal"] = _goal(message.text)
        grown = episode.model_copy(update=changes) if changes else episode
        return Conversation(grown, summed(self.content, message_digest(message)), self.closing, self.stored)

    def left(self, message: Message, others: Sequence[Message]) -> Conversation:
        """Without a message that it had, whose words it no longer repeats.

        Args:
            message: The message.
            others: Those that stay, in order; at least one.
        """
        episode = self.episode.model_copy(update=_begin(others))
        return replace(self, episode=episode, content=summed(self.content, -message_digest(message)))

    def ended(self, closing: Closing) -> Conversation:
        """With how it ended."""
        return replace(self, closing=closing, content=summed(self.content, _number(closing_text(closing))))

    def tree(self, recorded_at: datetime) -> tuple[NodeRecord, tuple[EdgeRecord, ...]]:
        """The episode as it is stored, and its own edges."""
        made = recorded_at if self.stored is None else self.stored.properties["created_at"]
        assert isinstance(made, datetime)  # noqa: S101 (every node carries it)
        tree = episode_tree(self.episode, made, content=self.content)
        own = dict(of_messages(tree.root).properties)
        # while it runs its messages are found, and it would say the same once more
        own.pop("search_text", None)
        if self.closing is not None:
            own["closing"] = closing_text(self.closing)
        return replace(tree.root, properties=own), tree.edges


def begun(message: Message, number: int = 1) -> Conversation:
    """A conversation that begins with a message.

    Args:
        message: Its first one.
        number: Above 1 where the id of a lower number is taken.
    """
    episode = Episode(
        id=conversation_id(message, number),
        goal="",
        state=EpisodeState.OPEN,
        user_id=message.user_id,
        session=message.session,
        started_at=message.at,
        utc_offset=message.utc_offset,
    )
    return Conversation(episode, episode_hash(episode)).joined(message)


def conversation_id(first: Message, number: int = 1) -> str:
    """Id out of the first message, so that an import that is run again makes the same episode."""
    parts = [first.user_id or "", first.session or "", first.id, *([str(number)] if number > 1 else [])]
    return f"conversation-{sha256(chr(0).join(parts).encode()).hexdigest()[:16]}"


def is_running_conversation(episode: Episode) -> bool:
    """Whether an open episode of a file was a conversation where it was exported: its id says so."""
    return episode.state is EpisodeState.OPEN and not episode.steps and _ID.fullmatch(episode.id) is not None


def of_messages(root: NodeRecord) -> NodeRecord:
    """An episode that is marked as cut out of messages, so that it can go on."""
    return replace(root, properties={**root.properties, "origin": CONVERSATION})


def is_conversation(properties: Mapping[str, Value]) -> bool:
    """Whether a stored episode was cut out of messages."""
    return properties.get("origin") == CONVERSATION


def read_conversation(root: NodeRecord) -> Conversation:
    """A stored conversation, open again where it was closed: what was derived is derived anew."""
    properties = dict(root.properties)
    if properties.pop("summary_source", None) is not None:
        properties.pop("summary", None)
    given, lessons = properties.pop("lessons_given", None), properties.get("lessons")
    if isinstance(given, int) and isinstance(lessons, list):
        properties["lessons"] = lessons[:given]
    episode = to_episode(replace(root, properties=properties), ())
    if not is_closed(root):
        return Conversation(episode, root.content_hash, read_closing(root.properties), root)
    closing = Closing(outcome=episode.outcome or Outcome.UNKNOWN, ended_at=episode.ended_at)
    opened = episode.model_copy(update={"state": EpisodeState.OPEN, "outcome": None, "ended_at": None})
    return Conversation(opened, summed(root.content_hash, _number(_REOPENED)), closing, root)


def told(episode: Episode, closing: Closing, messages: Sequence[Message]) -> Episode:
    """A conversation that has ended, with what its messages say of it: what began it, when it began and ended.

    Args:
        episode: The open episode.
        closing: How it ended; said before its messages were replaced or forgotten, its time may be outdated.
        messages: All of its messages, in order.
    """
    if not messages:
        return closed(episode, closing)
    begin, end = messages[0].at, messages[-1].at
    within = closing.model_copy(update={"ended_at": max(begin, closing.ended_at or end)})
    return closed(episode.model_copy(update=_begin(messages)), within).model_copy(update={"ended_at": end})


def _begin(messages: Sequence[Message]) -> dict[str, object]:
    texts = [message.text for message in messages if message.text.strip()]
    asked = [message.text for message in messages if message.role == "user" and message.text.strip()]
    return {
        "goal": _goal((asked or texts or [""])[0]),
        "trigger": _trigger(asked[0]) if asked else None,
        "started_at": messages[0].at,
        "utc_offset": messages[0].utc_offset,
    }


def conversation_hash(episode: Episode, messages: Sequence[Message]) -> str:
    """Content hash of a closed conversation: of its fields and of every message."""
    return summed(episode_hash(episode), sum(map(message_digest, messages)))


def message_digest(message: Message) -> int:
    """A number for a message, wherever it was put."""
    unplaced = message if message.episode is None else message.model_copy(update={"episode": None})
    return _number(f"{message.id}\n{content_hash(unplaced)}")


def summed(content: str, number: int) -> str:
    """A hash with a number added: the order in which several are added makes no difference."""
    return f"{(int(content or '0', 16) + number) % _MODULUS:0{HASH_LENGTH}x}"


def _number(text: str) -> int:
    return int(sha256(text.encode()).hexdigest()[:HASH_LENGTH], 16)


def _goal(text: str) -> str:
    """The begin of a text as one line."""
    line = " ".join(text[: 4 * MAX_GOAL].split())
    return line if len(line) <= MAX_GOAL else f"{line[: MAX_GOAL - 2].rstrip()} …"


def _trigger(text: str) -> str:
    return text if len(text) <= MAX_TRIGGER else f"{text[: MAX_TRIGGER - 2]} …"
