"""A summary of an episode without a model: what was wanted, the main course, how it ended. Pure.

Three to five sentences, made of what was recorded alone, and the same for the same episode.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from graphmem.language.central import central_sentence
from graphmem.models.episode import Episode, Outcome
from graphmem.models.message import Message
from graphmem.ports.prompt_text import Language

MAX_PART = 240
"""Characters of a sentence's quoted part at most."""

_STEPS = 6
"""Distinct actions that are named; the others are counted."""

_ENDS = (".", "!", "?", "。", "！", "？", "…")
_INNER_END = re.compile(r"[.!?。！？]+(?=[\"'”’)\]]*\s+(?![a-z]))")
"""An end of a sentence with more behind it; before a small letter it is that of an abbreviation."""

_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "goal": "Goal: {}",
        "course": "Course: {}",
        "more": "and {} more",
        "nothing": "no steps were recorded",
        "errors": "Errors: {}",
        "said": "{count} messages, such as: {text}",
        "said once": "1 message: {text}",
        "result": "Result: {}",
        "outcome": "Outcome: {}",
        "success": "success",
        "partial": "partly reached",
        "failure": "failure",
        "unknown": "not known",
    },
    "ko": {
        "goal": "목표: {}",
        "course": "과정: {}",
        "more": "그 밖에 {}개",
        "nothing": "기록된 단계 없음",
        "errors": "오류: {}",
        "said": "메시지 {count}개, 예: {text}",
        "said once": "메시지 1개: {text}",
        "result": "결과: {}",
        "outcome": "결말: {}",
        "success": "성공",
        "partial": "일부 달성",
        "failure": "실패",
        "unknown": "알 수 없음",
    },
}


def rule_summary(episode: Episode, language: Language, messages: Sequence[Message] = ()) -> str:
    """Sum up what was recorded.

    Args:
        episode: A closed episode.
        language: Of the summary.
        messages: What was said in it, in order: its course where it has no steps.

    Returns:
        Never blank.
    """
    words = _WORDS[language]
    parts = [words["goal"].format(_short(episode.goal) or words["unknown"])]
    is_talk = bool(messages) and not episode.steps
    parts.append(words["course"].format(_said(words, messages) if is_talk else _course(words, episode)))
    errors = list(dict.fromkeys(name for step in episode.steps for name in step.errors))
    if episode.error is not None and episode.error not in errors:
        errors.append(episode.error)
    if errors:
        parts.append(words["errors"].format(_listed(words, errors)))
    result = episode.resolution or _last_answer(messages)
    if result:
        parts.append(words["result"].format(_short(result)))
    outcome = episode.outcome or Outcome.UNKNOWN
    parts.append(words["outcome"].format(words[outcome.value]))
    return " ".join(part if part.endswith(_ENDS) else f"{part}." for part in map(_one_sentence, parts))


def corrected(summary: str, before: Outcome, after: Outcome) -> str:
    """A summary by rules after its outcome was corrected; any other one stays as it is."""
    for words in _WORDS.values():
        end = _outcome_part(words, before)
        if summary.endswith(end):
            return summary.removesuffix(end) + _outcome_part(words, after)
    return summary


def _outcome_part(words: Mapping[str, str], outcome: Outcome) -> str:
    return f"{words['outcome'].format(words[outcome.value])}."


def _one_sentence(text: str) -> str:
    """What was recorded may be several sentences, of which a summary has five at most."""
    return _INNER_END.sub(";", text)


def _course(words: dict[str, str], episode: Episode) -> str:
    actions = list(dict.fromkeys(step.action for step in episode.steps if step.effective))
    return _listed(words, actions or [step.action for step in episode.steps]) or words["nothing"]


def _listed(words: dict[str, str], names: Sequence[str]) -> str:
    shown = [*names[:_STEPS], *([words["more"].format(len(names) - _STEPS)] if len(names) > _STEPS else [])]
    return _short(", ".join(shown))


def _said(words: dict[str, str], messages: Sequence[Message]) -> str:
    form = words["said once" if len(messages) == 1 else "said"]
    return form.format(count=len(messages), text=_short(central_sentence([one.text for one in messages])))


def _last_answer(messages: Sequence[Message]) -> str:
    return next((one.text for one in reversed(messages) if one.role == "assistant" and one.text.strip()), "")


def _short(text: str) -> str:
    """The text as one line, cut at a blank where it is long."""
    line = " ".join(text[: 4 * MAX_PART].split())
    if len(line) <= MAX_PART:
        return line
    cut = line[:MAX_PART].rsplit(" ", 1)[0] or line[:MAX_PART]
    return f"{cut} …"
