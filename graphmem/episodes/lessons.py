"""Lessons out of the course of an episode, by rules: pure.

A step that did not do what it was meant to and a later one that did, about the same error or concept, give
"when X, B worked after A did not".
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence

from graphmem.graph.mapping.label import key_of
from graphmem.models.episode import Episode, Step
from graphmem.ports.prompt_text import Language

MAX_LESSONS = 5
"""Lessons by rules at most: a long run repeats itself."""

_FORMS: dict[tuple[Language, bool], str] = {
    ("en", False): "When {topic}: {later} worked after {earlier} did not.",
    ("en", True): "When {topic}: {earlier} worked when it was tried again.",
    ("ko", False): "{topic} 상황: {earlier} 실패 후 {later} 성공.",
    ("ko", True): "{topic} 상황: {earlier} 재시도 후 성공.",
}
"""By language and whether it was the same action again. No particle stands beside a name, since which one
fits depends on how a name is read."""


_ENDS = tuple(form.rpartition("}")[2] for form in _FORMS.values())


def may_be_by_rules(lesson: str) -> bool:
    """Whether a lesson reads as one that the rules would write: a quick look before they are asked."""
    return lesson.endswith(_ENDS)


def rule_lessons(episode: Episode, language: Language) -> tuple[str, ...]:
    """What the steps teach, in their order, at most `MAX_LESSONS`."""
    failed = [index for index, step in enumerate(episode.steps) if not step.effective]
    if not failed:
        return ()
    found: dict[str, None] = {}
    causes, about = _causes(episode), _effective_by_topic(episode.steps, failed[0] + 1)
    for index in failed:
        step = episode.steps[index]
        for topic, place in _mended(step, index, about, causes):
            later = episode.steps[place]
            form = _FORMS[language, later.action == step.action]
            found[form.format(topic=topic, earlier=step.action, later=later.action)] = None
        if len(found) >= MAX_LESSONS:
            break
    return tuple(found)[:MAX_LESSONS]


def _effective_by_topic(steps: Sequence[Step], begin: int) -> dict[str, list[int]]:
    """Key of what steps fixed or were about -> places of those that did what they were meant to, rising.

    Args:
        steps: All steps.
        begin: The first place that counts.
    """
    about: dict[str, list[int]] = {}
    for index in range(begin, len(steps)):
        step = steps[index]
        if step.effective:
            for name in (*step.fixes, *step.concepts):
                places = about.setdefault(key_of(name), [])
                if not places or places[-1] != index:
                    places.append(index)
    return about


def _causes(episode: Episode) -> dict[str, set[str]]:
    """Key of a finding -> keys of what is behind it, itself included, as far as the episode says."""
    direct: dict[str, set[str]] = {}
    for link in episode.causes:
        direct.setdefault(key_of(link.effect), set()).add(key_of(link.cause))
    behind: dict[str, set[str]] = {}
    for effect in direct:
        waiting, seen = [effect], {effect}
        while waiting:
            new = direct.get(waiting.pop(), set()) - seen
            seen |= new
            waiting += new
        behind[effect] = seen
    return behind


def _mended(
    step: Step, index: int, about: Mapping[str, Sequence[int]], causes: Mapping[str, set[str]]
) -> Iterator[tuple[str, int]]:
    """Each error or concept of a failed step with the place of the first effective step that is about it."""
    for name in (*step.errors, *step.concepts):
        key = key_of(name)
        places = [about[topic] for topic in causes.get(key, {key}) if topic in about]
        later = [one[place] for one in places if (place := bisect(one, index)) < len(one)]
        if later:
            yield name, min(later)
