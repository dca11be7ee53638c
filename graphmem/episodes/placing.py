"""Decides which conversation each message of a stream belongs to: pure, over what is known of the stream.

Messages in time order are cut by the boundaries. A late one goes where its time says: into the conversation
of the message before it where that goes on, else into that of the message after it where that is near, else
into one of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from graphmem.episodes.boundaries import Boundary, BoundaryPolicy, detect_boundary
from graphmem.episodes.closing import Closing
from graphmem.episodes.conversations import Conversation, begun
from graphmem.language.cues import Cues
from graphmem.models.episode import Outcome
from graphmem.models.message import Message
from graphmem.ports.segmenting import Placed, is_free


class Drafts:
    """The conversations that a batch of messages is put into, of all its streams."""

    def __init__(self, load: Callable[[str], Conversation | None], taken: Callable[[str], bool]) -> None:
        self._load = load
        self._taken = taken
        self._known: dict[str, Conversation | None] = {}
        self.changed: dict[str, Conversation] = {}
        """Those that begin or change, by id."""
        self.episodes: dict[str, str] = {}
        """Id of a message -> id of its conversation."""
        self.emptied: list[str] = []
        """Those that lost their last message."""

    def know(self, conversation: Conversation) -> None:
        """Note a conversation that was read with others."""
        self._known.setdefault(conversation.id, conversation)

    def get(self, episode: str | None) -> Conversation | None:
        """The conversation as it stands by now; None where an episode is none."""
        if episode is None:
            return None
        if episode not in self._known:
            self._known[episode] = self._load(episode)
        return self._known[episode]

    def begin(self, message: Message) -> Conversation:
        """Begin one with a message."""
        number = 1
        conversation = begun(message)
        while self._known.get(conversation.id) is not None or self._taken(conversation.id):
            number += 1
            conversation = begun(message, number)
        self.episodes[message.id] = conversation.id
        return self.keep(conversation)

    def join(self, conversation: Conversation, message: Message) -> Conversation:
        """Put a message into one."""
        self.episodes[message.id] = conversation.id
        return self.keep(conversation.joined(message))

    def empty(self, conversation: Conversation) -> None:
        """Note that one has no message any more."""
        self._known[conversation.id] = None
        self.changed.pop(conversation.id, None)
        self.emptied.append(conversation.id)

    def keep(self, conversation: Conversation) -> Conversation:
        """Note what became of one."""
        self._known[conversation.id] = self.changed[conversation.id] = conversation
        return conversation


@dataclass(frozen=True, slots=True)
class Rules:
    """How conversations are cut."""

    policy: BoundaryPolicy
    cues: Cues | None

    def boundary(self, message: Message, previous: Message | None, *, ended: bool) -> Boundary:
        """What a message does, see `detect_boundary`."""
        return detect_boundary(message, previous, ended=ended, policy=self.policy, cues=self.cues)

    def is_near(self, earlier: Message, later: Message) -> bool:
        """Whether no gap lies between two messages."""
        return (later.at - earlier.at).total_seconds() <= self.policy.gap_minutes * 60


class Timeline:
    """One stream while messages are put into it, in the order of their times."""

    def __init__(self, rules: Rules, drafts: Drafts, latest: Placed | None, running: str | None) -> None:
        self._rules = rules
        self._drafts = drafts
        self.latest = latest
        """The last message in time."""
        self.running = running
        """The conversation that goes on."""

    def is_late(self, message: Message) -> bool:
        """Whether a message is older than one that is there."""
        return self.latest is not None and message.at < self.latest.message.at

    def append(self, message: Message) -> None:
        """Put a message at the end."""
        if not is_free(message):
            self.latest = Placed(message, message.episode)
            return
        running = self._drafts.get(self.running)
        previous = self.latest
        boundary = self._rules.boundary(
            message, None if previous is None else previous.message, ended=running is None
        )
        if boundary.starts:
            if running is not None and previous is not None:
                self._drafts.keep(running.ended(_closing(boundary, previous.message)))
            conversation = self._drafts.begin(message)
            self.running = conversation.id
        else:
            conversation = self._go_on(message, running)
        if boundary.decision == "end":
            self._drafts.keep(conversation.ended(_closing(boundary, message)))
            self.running = None
        self.latest = Placed(message, conversation.id)

    def _go_on(self, message: Message, running: Conversation | None) -> Conversation:
        """Put a message into the running conversation; after an end, one without words into the ended one."""
        last = running or self._drafts.get(None if self.latest is None else self.latest.episode)
        if last is not None:
            return self._drafts.join(last, message)
        conversation = self._drafts.begin(message)
        self.running = conversation.id
        return conversation

    def insert(self, message: Message, before: Placed | None, after: Placed | None) -> Placed:
        """Put a late message between its neighbours in time.

        Args:
            message: What came late.
            before: The last message that is not younger; None: there is none.
            after: The first one that is younger.

        Returns:
            It with its episode.
        """
        if not is_free(message):
            return Placed(message, message.episode)
        follows = None if after is None else self._drafts.get(after.episode)
        preceding = None if before is None else self._drafts.get(before.episode)
        if before is not None and preceding is not None:
            if follows is not None and follows.id == preceding.id:
                return Placed(message, self._drafts.join(preceding, message).id)
            boundary = self._rules.boundary(message, before.message, ended=preceding.ended_by_cue)
            if not boundary.starts:
                return Placed(message, self._join_end(preceding, message, boundary).id)
        if after is not None and follows is not None and self._rules.is_near(message, after.message):
            return Placed(message, self._drafts.join(follows, message).id)
        # what came after it belongs to another one, so it is over
        own = self._drafts.begin(message).ended(Closing(outcome=Outcome.UNKNOWN, ended_at=message.at))
        return Placed(message, self._drafts.keep(own).id)

    def _join_end(self, conversation: Conversation, message: Message, boundary: Boundary) -> Conversation:
        """Put a message at the end of a past conversation; what it says of its outcome counts if nothing did."""
        joined = self._drafts.join(conversation, message)
        closing = joined.closing
        if boundary.decision != "end" or closing is None or closing.outcome is not Outcome.UNKNOWN:
            return joined
        return self._drafts.keep(joined.ended(_closing(boundary, message)))


def _closing(boundary: Boundary, last: Message) -> Closing:
    outcome = Outcome.SUCCESS if boundary.is_success else Outcome.UNKNOWN
    return Closing(outcome=outcome, source=boundary.why, ended_at=last.at)
