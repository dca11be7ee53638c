"""An episode as lines for a reader, or as an entry of a list: pure; escaping is left to the output."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from graphmem.cli.values import time_text

if TYPE_CHECKING:
    from graphmem.models.episode import Episode, Step

MAX_TEXT = 200
"""Characters of a step's reasoning and result that are shown; JSON holds all."""


def episode_summary(episode: Episode, similarity: float | None = None) -> dict[str, Any]:
    """What a list of episodes tells of one, as JSON; a similarity only where a likeness was asked for."""
    return {
        "id": episode.id,
        "goal": episode.goal,
        "domain": episode.domain,
        "outcome": None if episode.outcome is None else episode.outcome.value,
        "started_at": time_text(episode.started_at),
        "similarity": None if similarity is None else round(similarity, 6),
    }


def episode_row(episode: Episode, similarity: float | None = None) -> dict[str, Any]:
    """The same for a reader: times with the offset that they were given with."""
    return episode_summary(episode, similarity) | {"started_at": time_text(episode.local_started_at)}


def episode_lines(episode: Episode) -> Iterator[str]:
    """The episode: what was wanted, how it went, how it ended."""
    yield f"{episode.id}  {episode.outcome.value if episode.outcome else episode.state.value}"
    for name, value in (
        ("goal", episode.goal),
        ("trigger", episode.trigger),
        ("domain", episode.domain),
        ("task", episode.task),
        ("variant", episode.variant),
        ("session", episode.session),
        ("user", episode.user_id),
        ("started", time_text(episode.local_started_at)),
        ("ended", time_text(episode.local_ended_at)),
    ):
        if value is not None:
            yield f"  {name + ':':<9}{value}"
    for index, step in enumerate(episode.steps):
        yield from _step_lines(index, step, episode.predecessors(index))
    for cause in episode.causes:
        yield f"  {cause.effect} was caused by {cause.cause}"
    for name, text in (("resolution", episode.resolution), ("summary", episode.summary)):
        if text:
            yield f"  {name}: {text}"
    for lesson in episode.lessons:
        yield f"  lesson: {lesson}"


def _step_lines(index: int, step: Step, after: tuple[int, ...]) -> Iterator[str]:
    usual = (index - 1,) if index else ()
    order = "" if after == usual else f" after {', '.join(map(str, after)) or 'nothing'}"
    yield f"  [{index}] {step.action}{order}{'' if step.effective else '  (ineffective)'}"
    for name, names in (
        ("tools", step.tools),
        ("about", step.concepts),
        ("errors", step.errors),
        ("fixes", step.fixes),
    ):
        if names:
            yield f"      {name}: {', '.join(names)}"
    for name, text in (("why", step.reasoning), ("result", step.result)):
        if text:
            yield f"      {name}: {_short(text)}"


def _short(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"
