"""Where an episode of a conversation ends and the next begins: pure, without clock or store.

Cues are found by `graphmem.language.spotting`; what is left out here is keeping the episodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal, Protocol

from pydantic import BeforeValidator, Field

from graphmem.errors import InvalidInputError
from graphmem.language.cues import Cues, Meaning, default_cues
from graphmem.language.lexicon import lexicon
from graphmem.language.spotting import NOTHING, Spotted, spot
from graphmem.models.fields import Frozen

Decision = Literal["start", "continue", "end", "end+start"]
"""What a message does: begin an episode, go on, end it, or end it and begin the next with itself."""


class Said(Protocol):
    """What is read of a message."""

    @property
    def text(self) -> str:
        """What was said."""
        ...

    @property
    def at(self) -> datetime:
        """When, as an aware time."""
        ...

    @property
    def role(self) -> str:
        """Who said it: user, assistant, system or tool."""
        ...


def _listed(value: Any) -> Any:
    """A text as it stands in an environment variable, cut at its commas."""
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


CueWords = Annotated[tuple[Annotated[str, Field(pattern=r"\w", max_length=200)], ...], BeforeValidator(_listed)]


class BoundaryPolicy(Frozen):
    """How conversations are cut into episodes."""

    enabled: bool = Field(default=True, description="Whether messages are cut into episodes as they come.")
    gap_minutes: float = Field(
        30.0, gt=0, le=525_600, description="Minutes between two messages above which a new episode begins."
    )
    closing_cues: CueWords = Field(
        (),
        description="Further words that close an episode, separated by commas; they say nothing of its outcome.",
    )
    new_topic_cues: CueWords = Field((), description="Further words that begin one, likewise.")


@dataclass(frozen=True, slots=True)
class Boundary:
    """What a message does to the running episode, and why."""

    decision: Decision
    cue: str | None
    """The cue that decided, folded; the closing one where there are two."""
    why: str
    """In words: which cues, which gap, or why a cue did not count."""
    closing: Meaning | None = None
    """What the closing cue says: success, or only thanks, understood or enough; None: nothing was closed."""

    @property
    def ends(self) -> bool:
        """Whether the running episode ends."""
        return self.decision in {"end", "end+start"}

    @property
    def starts(self) -> bool:
        """Whether an episode begins with the message."""
        return self.decision in {"start", "end+start"}

    def is_over_after(self, ended: bool) -> bool:
        """Whether the next message finds no running episode: what its `ended` must be.

        Args:
            ended: What it was for this message: one without words leaves it as it was.
        """
        return self.decision == "end" or (self.decision == "continue" and ended)

    @property
    def is_success(self) -> bool:
        """Whether the conversation says that what was wanted was reached."""
        return self.closing == "success"


_DEFAULT_POLICY = BoundaryPolicy()


def detect_boundary(
    message: Said,
    previous: Said | None,
    *,
    ended: bool = False,
    policy: BoundaryPolicy = _DEFAULT_POLICY,
    cues: Cues | None = None,
) -> Boundary:
    """Decide what a message does to the running episode.

    A message without words goes on; the first message and the first after an end begin an episode. Then
    cues of a user count before the gap, and closing before a new topic.

    Args:
        message: The message; `at` is its own time, aware.
        previous: The one before it in the same conversation; None: it is the first.
        ended: Whether an episode ended with the one before.
        policy: The gap and further cues; `enabled` is for the caller to heed.
        cues: Cue tables; None: those that come with graphmem.

    Returns:
        The decision with its reason.

    Raises:
        InvalidInputError: A time is naive.
    """
    _check_aware(message)
    if previous is None:
        return Boundary("start", None, "it is the first message")
    if not message.text or message.text.isspace():
        return Boundary("continue", None, "it has no words")
    if ended:
        return Boundary("start", None, "the episode before it has ended")
    spotted = _spotted(message, policy, cues)
    _check_aware(previous)
    return _by_cues(spotted) or _by_gap(message.at - previous.at, policy, spotted)


def _spotted(message: Said, policy: BoundaryPolicy, cues: Cues | None) -> Spotted:
    if message.role != "user":
        return NOTHING
    known = lexicon(default_cues() if cues is None else cues, policy.closing_cues, policy.new_topic_cues)
    return spot(message.text, known)


def _by_cues(spotted: Spotted) -> Boundary | None:
    topic = spotted.new_topic
    if spotted.closing is not None:
        words = f"closing cue {spotted.closing!r}"
        if topic is not None:
            return Boundary(
                "end+start", spotted.closing, f"{words}, then new-topic cue {topic!r}", spotted.meaning
            )
        return Boundary("end", spotted.closing, words, spotted.meaning)
    return None if topic is None else Boundary("start", topic, f"new-topic cue {topic!r}")


def _check_aware(message: Said) -> None:
    if message.at.utcoffset() is None:
        raise InvalidInputError("the time of a message is naive; pass an aware datetime, such as one with UTC")


def _by_gap(gap: timedelta, policy: BoundaryPolicy, spotted: Spotted) -> Boundary:
    minutes = gap.total_seconds() / 60
    if minutes > policy.gap_minutes:
        return Boundary(
            "start", None, f"{minutes:.4g} minutes since the last message, more than {policy.gap_minutes:g}"
        )
    if spotted.passed_over is not None:
        return Boundary("continue", None, f"the closing cue {spotted.passed_over}")
    return Boundary("continue", None, "no cue and no gap")
