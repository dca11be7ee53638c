"""Lessons out of the course of an episode, by rules: pure.

A step that did not do what it was meant to and a later one that did, about the same error or concept, give
"when X, B worked after A did not".
"""

from __future__ import annotations

from collections.abc import Iterator

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


def rule_lessons(episode: Episode, language: Language) -> tuple[str, ...]:
    """What the steps teach, in their order, at most `MAX_LESSONS`."""
    found: dict[str, None] = {}
    if all(step.effective for step in episode.steps):
        return ()
    causes = _causes(episode)
    for index, step in enumerate(episode.steps):
        if step.effective:
            continue
        for topic, later in _mended(step, episode.steps[index + 1 :], causes):
            form = _FORMS[language, later.action == step.action]
            found[form.format(topic=topic, earlier=step.action, later=later.action)] = None
    return tuple(found)[:MAX_LESSONS]


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


def _mended(step: Step, later: tuple[Step, ...], causes: dict[str, set[str]]) -> Iterator[tuple[str, Step]]:
    """Each error or concept of a failed step with the first effective step that is about it."""
    for name in (*step.errors, *step.concepts):
        key = key_of(name)
        meant = causes.get(key, {key})
        found = next((one for one in later if one.effective and _topics(one) & meant), None)
        if found is not None:
            yield name, found


def _topics(step: Step) -> set[str]:
    return {key_of(name) for name in (*step.fixes, *step.concepts)}
