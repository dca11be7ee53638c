"""Whether a running conversation is like something that happened before, and what that suggests.

Reading the messages and wording the suggestion are pure. Retrieved text is data: it is quoted, so the
suggestion stays one line. Leaves out whether anybody should act on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from graphmem.episodes.experience import outline, when
from graphmem.episodes.similar import SimilarEpisode, similar_episodes
from graphmem.errors import InvalidInputError
from graphmem.graph.records import Filter
from graphmem.models.episode import Episode, Outcome, Step
from graphmem.models.message import Message
from graphmem.ports.prompt_text import Language, chosen_language, quoted
from graphmem.ports.workspace import Workspace

LAST_MESSAGES = 3
"""Messages with text that make up a situation."""

MAX_NAMES = 5
"""Steps that a suggestion names at most."""

Utterance = Message | str | Mapping[str, Any]
"""A message, its text, or a mapping with `text` or, as chat APIs have it, `content`."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What a conversation is like."""

    is_similar: bool
    """Whether any episode is similar enough."""
    episodes: tuple[SimilarEpisode, ...]
    """The similar ones, best first."""
    suggestion: str
    """One line made of the nearest of them, with its id and date; "" when none is similar enough."""


@dataclass(frozen=True, slots=True)
class _Words:
    """The pieces of a suggestion in one language."""

    failure: str
    success: str
    partial: str
    unknown: str
    lesson: str
    left: str
    source: str


_WORDS: dict[Language, _Words] = {
    "ko": _Words(
        failure="이전에 유사한 상황에서 문제가 발생했습니다: {}",
        success="이전에 유사한 상황을 성공적으로 처리한 경험이 있습니다: {}",
        partial="이전에 유사한 상황을 일부만 처리했습니다: {}",
        unknown="이전에 유사한 상황이 있었지만 결과는 알려지지 않았습니다: {}",
        lesson="교훈: {}",
        left="남은 것: {}",
        source="(에피소드 {})",
    ),
    "en": _Words(
        failure="A similar situation went wrong before: {}",
        success="A similar situation was handled successfully before: {}",
        partial="A similar situation was handled in part before: {}",
        unknown="A similar situation came up before, and how it ended is not known: {}",
        lesson="Lesson: {}",
        left="Left: {}",
        source="(episode {})",
    ),
}


def situation_of(
    workspace: Workspace,
    messages: Iterable[Utterance] | Utterance,
    conditions: tuple[Filter, ...],
    *,
    limit: int,
    min_similarity: float,
    language: str | None,
) -> Situation:
    """What a conversation is like; see `EpisodesService.situation`."""
    text = last_texts(messages)
    spoken = chosen_language(language, text)
    found = similar_episodes(workspace, text, conditions, limit=limit, min_similarity=min_similarity)
    return Situation(bool(found), found, suggestion(found[0].episode, spoken) if found else "")


def last_texts(messages: Iterable[Utterance] | Utterance) -> str:
    """The text of the last messages that have any, a line each.

    Args:
        messages: In the order in which they were said, or a single one.

    Raises:
        InvalidInputError: One of them is no message.
    """
    alone = isinstance(messages, str | Message | Mapping)
    texts = [_text(message, place) for place, message in enumerate([messages] if alone else messages)]
    return "\n".join([text for text in texts if text.strip()][-LAST_MESSAGES:])


def _text(message: Any, place: int) -> str:
    if isinstance(message, Message):
        return message.text
    if isinstance(message, str):
        return message
    if isinstance(message, Mapping) and ("text" in message or "content" in message):
        held = message["text"] if message.get("text") is not None else message.get("content")
        # an assistant that only calls tools says nothing
        if held is None:
            return ""
        if isinstance(held, str):
            return held
        if isinstance(held, list):
            return "\n".join(_part(part) for part in held)
    raise InvalidInputError(
        f"message {place}: give a Message, its text, or a mapping with `text` or `content`, not"
        f" {type(message).__name__}"
    )


def _part(part: Any) -> str:
    """The text of one part of a message's content: others are images, sounds and files."""
    held = part.get("text") if isinstance(part, Mapping) else part
    return held if isinstance(held, str) else ""


def suggestion(episode: Episode, language: Language) -> str:
    """One line on an episode: what went wrong, what worked, what was left, by how it ended."""
    words = _WORDS[language]
    lesson = next((text for text in episode.lessons if text.strip()), "")
    match episode.outcome:
        case Outcome.SUCCESS:
            parts = [(words.success, outline(episode))]
        case Outcome.FAILURE:
            parts = [(words.failure, outline(episode)), (words.lesson, lesson)]
        case Outcome.PARTIAL:
            parts = [(words.partial, _worked(episode)), (words.left, _left(episode) or lesson)]
        case _:
            parts = [(words.unknown, outline(episode)), (words.lesson, lesson)]
    begun = when(episode)
    date = "" if begun is None else f", {begun:%Y-%m-%d}"
    told = [form.format(_cited(text)) for form, text in parts if text]
    return " ".join([*told, words.source.format(f"{episode.id}{date}")])


def _worked(episode: Episode) -> str:
    """What came out; where nobody wrote it down, the steps that worked."""
    if episode.resolution and episode.resolution.strip():
        return episode.resolution
    actions = [step.action for step in episode.steps if step.effective]
    return ", ".join(dict.fromkeys(actions[-MAX_NAMES:])) or outline(episode)


def _left(episode: Episode) -> str:
    """Actions that never worked afterwards, with what they ran into, in the order of their last try."""
    last: dict[str, Step] = {}
    for step in episode.steps:
        last.pop(step.action, None)
        last[step.action] = step
    failed = [step for step in last.values() if not step.effective][-MAX_NAMES:]
    return ", ".join(_failed(step) for step in failed)


def _failed(step: Step) -> str:
    return f"{step.action} ({', '.join(step.errors)})" if step.errors else step.action


def _cited(text: str) -> str:
    """A text quoted so that the sentence after it begins anew."""
    line = quoted(text)
    return line if line.endswith((".", "!", "?", "…", "。")) else f"{line}."
