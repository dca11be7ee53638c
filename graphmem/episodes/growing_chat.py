"""A chat that is given again and again while it grows: what of it is new to an episode. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from graphmem.episodes.chat import read_conversation
from graphmem.errors import RecordingError
from graphmem.models.checking import checked
from graphmem.models.episode import Episode, Step

Messages = Sequence[Mapping[str, Any] | BaseModel]
"""All messages so far, as mappings or as the objects of a client."""


@dataclass(frozen=True, slots=True)
class GrowingChat:
    """What is known of the chat of a recording."""

    is_resumed: bool
    """Whether the episode had steps before: the chat may be the one that they came from."""
    begin: int | None = None
    """0-based index of its first step in the episode; None: none was given yet."""
    steps: tuple[Step, ...] = ()
    """Its steps as they were given last."""


def continued(chat: GrowingChat, messages: Messages, episode: Episode) -> tuple[GrowingChat, dict[str, Any]]:
    """Read a chat once more.

    Args:
        chat: What is known of it.
        messages: All messages so far.
        episode: The episode as it is recorded.

    Returns:
        What is known of it then, and the fields of the episode that change.

    Raises:
        RecordingError: The list is not the one before, continued, or other steps came after it.
        InvalidInputError: It is no list of messages.
    """
    conversation = read_conversation(_plain(messages))
    begin = _begin(chat, conversation.steps, episode.steps)
    steps = tuple(checked(Step, _shifted(fields, begin)) for fields in conversation.steps)
    if not _continues(chat.steps, steps):
        raise RecordingError("the messages are not those of before, continued: give the whole chat each time")
    if chat.begin is not None and len(episode.steps) != begin + len(chat.steps):
        raise RecordingError("steps were recorded after the messages: give a chat before other steps, or after")
    changes: dict[str, Any] = {"steps": (*episode.steps[:begin], *steps)}
    if conversation.request:
        changes["trigger"] = episode.trigger or conversation.request
        changes["goal"] = episode.goal or conversation.request
    if conversation.unmatched:
        changes["extra"] = {**episode.extra, "unmatched_results": conversation.unmatched}
    return GrowingChat(chat.is_resumed, begin, steps), changes


def _plain(messages: object) -> object:
    """Messages as a list, those of a client's own classes as mappings; what is no list is refused later."""
    if not isinstance(messages, Iterable) or isinstance(messages, str | Mapping):
        return messages
    return [one.model_dump(exclude_none=True) if isinstance(one, BaseModel) else one for one in messages]


def _begin(chat: GrowingChat, fields: Sequence[Mapping[str, Any]], recorded: Sequence[Step]) -> int:
    """Where the chat's steps begin: behind those that are there, unless it was their source before a resume."""
    if chat.begin is not None:
        return chat.begin
    for begin in range(len(recorded) if chat.is_resumed else 0):
        steps = recorded[begin:]
        if _continues(steps, [checked(Step, _shifted(one, begin)) for one in fields[: len(steps)]]):
            return begin
    return len(recorded)


def _continues(known: Sequence[Step], steps: Sequence[Step]) -> bool:
    """Whether steps of a chat begin with known ones; only a result may have come since."""
    return len(steps) >= len(known) and all(
        (now.action, now.arguments, now.reasoning) == (then.action, then.arguments, then.reasoning)
        and then.result in ("", now.result)
        for now, then in zip(steps, known, strict=False)
    )


def _shifted(fields: Mapping[str, Any], begin: int) -> dict[str, Any]:
    """The fields of a step of a chat that begins after other steps: what it follows moves along."""
    after = fields["after"]
    if begin == 0:
        return dict(fields)
    moved = tuple(index + begin for index in after)
    return {**fields, "after": moved or (begin - 1,)}
