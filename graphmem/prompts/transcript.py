"""Writes what happened in an episode as numbered entries for a prompt: pure.

An entry begins at the margin with a number of ours; all other lines of its text are indented. So no text,
whatever it holds, begins an entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from graphmem.models.episode import Episode, Step
from graphmem.models.message import Message
from graphmem.prompts.fencing import shown

MAX_CHARACTERS = 20_000
"""Of the entries of one prompt: some 5,000 tokens of English, up to 30,000 of Korean."""

_MAX_SPEAKER = 64
_INDENT = "    "


@dataclass(frozen=True, slots=True)
class Turn:
    """Something that was said or done."""

    speaker: str
    """Who or what it comes from: a role, a name, a step. It may come from users: it is data as well."""
    text: str


def transcript(turns: Iterable[Turn], max_characters: int = MAX_CHARACTERS) -> str:
    """Numbered entries, fit to be fenced.

    Args:
        turns: In their order.
        max_characters: Characters of the whole, at least 200; of more, the middle is left out, and a line
            at the margin says how much.
    """
    text = "\n".join(_entry(number, turn) for number, turn in enumerate(turns, start=1))
    if len(text) <= max_characters:
        return text
    half = max_characters // 2
    left_out = len(text) - 2 * half
    # the rest begins somewhere within a line: indented, it is no entry
    return f"{text[:half]}\n[{left_out:,} characters left out here]\n{_INDENT}{text[-half:]}"


def episode_turns(episode: Episode, messages: Sequence[Message] = ()) -> tuple[Turn, ...]:
    """The turns of an episode: what was wanted, said, done, and what came out.

    Args:
        episode: Its summary and lessons are not looked at: they are what a model is asked for.
        messages: What was said in it, in order.
    """
    return tuple(turn for turn in _turns(episode, messages) if turn.text.strip())


def _turns(episode: Episode, messages: Sequence[Message]) -> Iterator[Turn]:
    yield Turn("goal", episode.goal)
    if episode.trigger and episode.trigger != episode.goal:
        yield Turn("request", episode.trigger)
    for message in messages:
        yield Turn(message.speaker or message.role, message.text)
    for number, step in enumerate(episode.steps, start=1):
        yield Turn(f"step {number}", _step(step))
    if episode.resolution:
        yield Turn("resolution", episode.resolution)


def _step(step: Step) -> str:
    state = "" if step.effective else " (ineffective)"
    errors = f"error: {', '.join(step.errors)}" if step.errors else ""
    parts = (f"{step.action}{state}", step.reasoning, step.result, errors)
    return "\n".join(part for part in parts if part.strip())


def _entry(number: int, turn: Turn) -> str:
    speaker = shown(" ".join(turn.speaker[:_MAX_SPEAKER].split()))
    return f"[{number}] {speaker}: {shown(turn.text)}".replace("\n", f"\n{_INDENT}")
