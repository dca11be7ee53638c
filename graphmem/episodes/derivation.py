"""What is found out about a closed episode by rules, and what of an episode was given: pure.

An episode that is read back carries what rules wrote. Given again, that is no content: so the same episode
is unchanged, whether it comes from its source, from an export or from this memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.episodes.lessons import may_be_by_rules, rule_lessons
from graphmem.episodes.summary import rule_summary
from graphmem.graph.mapping.episode import RULES, Derived, is_blank
from graphmem.models.episode import Episode, EpisodeState
from graphmem.models.message import Message
from graphmem.ports.prompt_text import Language, language_of

_SAMPLE = 400
"""Characters that decide the language."""


def language_of_episode(episode: Episode) -> Language:
    """Language of what was wanted."""
    text = (episode.trigger or episode.goal)[:_SAMPLE]
    return "en" if text.isascii() else language_of(text)


def derived_by_rules(episode: Episode, messages: Sequence[Message] = ()) -> Derived | None:
    """Summary and lessons by rules; None while the episode is open.

    Args:
        episode: As it was given.
        messages: What was said in it, where it is a conversation.
    """
    if episode.state is EpisodeState.OPEN:
        return None
    language = language_of_episode(episode)
    lessons = tuple(one for one in rule_lessons(episode, language) if one not in episode.lessons)
    summary = rule_summary(episode, language, messages) if is_blank(episode.summary) else ""
    return Derived(summary, RULES, lessons)


def as_given(episode: Episode) -> Episode:
    """An episode without what the rules would write."""
    if episode.state is EpisodeState.OPEN:
        return episode
    is_taught = any(map(may_be_by_rules, episode.lessons))
    if episode.summary is None and not is_taught:
        return episode
    language = language_of_episode(episode)
    changes: dict[str, object] = {}
    if episode.summary is not None and _is_ruled(episode.summary, episode, language):
        changes["summary"] = None
    if is_taught:
        ruled = set(rule_lessons(episode, language))
        kept = tuple(one for one in episode.lessons if one not in ruled)
        if kept != episode.lessons:
            changes["lessons"] = kept
    return episode.model_copy(update=changes) if changes else episode


def _is_ruled(summary: str, episode: Episode, language: Language) -> bool:
    """Whether a summary says nothing, or is that of the rules, be it from before its outcome was corrected."""
    if is_blank(summary):
        return True
    said = (outcome for change in episode.outcome_history for outcome in (change.outcome, change.previous))
    outcomes = dict.fromkeys([episode.outcome, *said])
    return any(
        summary == rule_summary(episode.model_copy(update={"outcome": outcome}), language) for outcome in outcomes
    )
