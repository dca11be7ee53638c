"""What went well and what went wrong in situations like a request, as a block for a prompt.

The rendering is pure. Retrieved text is data: each piece is quoted as one line behind a mark of its own,
so it can neither close the block nor open another one. Ranking is left to `graphmem.episodes.similar`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.episodes.similar import similar_episodes
from graphmem.graph.records import Equals, Filter
from graphmem.models.episode import Episode, Outcome
from graphmem.ports.prompt_text import Language, check_budget, chosen_language, quoted, tokens_of
from graphmem.ports.workspace import Workspace

SUCCESSES = 2
FAILURES = 1


@dataclass(frozen=True, slots=True)
class _Words:
    """How a section is written in one language."""

    heading: str
    lessons: str


_WORDS: dict[tuple[Language, Outcome], _Words] = {
    ("ko", Outcome.SUCCESS): _Words("[과거 성공 경험]", "교훈"),
    ("ko", Outcome.FAILURE): _Words("[과거 실패 경험 - 주의]", "회피할 점"),
    ("en", Outcome.SUCCESS): _Words("[Past successes]", "Lesson"),
    ("en", Outcome.FAILURE): _Words("[Past failures: avoid]", "Avoid"),
}


def experience_of(
    workspace: Workspace,
    request: str,
    conditions: tuple[Filter, ...],
    *,
    language: str | None,
    budget: int,
    min_similarity: float,
) -> str:
    """The block for a request; see `EpisodesService.experience`."""
    spoken = chosen_language(language, request)
    check_budget(budget)
    found = [
        hit.episode
        for outcome, limit in ((Outcome.SUCCESS, SUCCESSES), (Outcome.FAILURE, FAILURES))
        for hit in similar_episodes(
            workspace,
            request,
            (*conditions, Equals("outcome", outcome.value)),
            limit=limit,
            min_similarity=min_similarity,
        )
    ]
    return experience_block(found, spoken, budget)


def experience_block(episodes: Sequence[Episode], language: Language, budget: int) -> str:
    """The block of successes and failures that fits.

    Args:
        episodes: Successes, then failures, each best first; others are left out.
        language: Of the headings; what the episodes hold stays as it was written.
        budget: Tokens at most, by `tokens_of`; whole items are dropped from the end.

    Returns:
        The block; "" when there is nothing to tell, or nothing fits.
    """
    for count in range(len(episodes), 0, -1):
        text = "\n".join(_lines(episodes[:count], language))
        if tokens_of(text) <= budget:
            return text
    return ""


def _lines(episodes: Sequence[Episode], language: Language) -> list[str]:
    lines = []
    for outcome in (Outcome.SUCCESS, Outcome.FAILURE):
        told = [episode for episode in episodes if episode.outcome is outcome]
        words = _WORDS[language, outcome]
        if told:
            lines += [words.heading, *(line for episode in told for line in _item(episode, words))]
    return lines


def _item(episode: Episode, words: _Words) -> list[str]:
    begun = when(episode)
    date = "" if begun is None else f"{begun.month}/{begun.day}: "
    lines = [f"- {date}{quoted(outline(episode))}"]
    lessons = ", ".join(quoted(lesson) for lesson in episode.lessons if lesson.strip())
    return [*lines, f"  {words.lessons}: {lessons}"] if lessons else lines


def outline(episode: Episode) -> str:
    """What an episode came to: its resolution; where it has none its summary, else its goal."""
    told = (text for text in (episode.resolution, episode.summary) if text and text.strip())
    return next(told, episode.goal)


def when(episode: Episode) -> datetime | None:
    """When an episode began, else when it ended, in the offset it was given with; None without times."""
    return episode.local_started_at or episode.local_ended_at
