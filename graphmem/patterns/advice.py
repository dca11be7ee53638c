"""What a tested pattern suggests to try or to avoid, in words: pure, from a template over its graph.

The words never claim a cause: a pattern *went with* an outcome.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.models.pattern import CLAIMING_TIERS, LengthAdjusted, Pattern, PatternNode
from graphmem.patterns.titles import shown_name, step_chains
from graphmem.ports.prompt_text import Language

LATE_FROM = 0.8
"""Median relative place from which a pattern belongs to the end of its episodes, not to what led there."""

_SITUATION = ("symptom", "cause", "concept")


@dataclass(frozen=True, slots=True)
class _Words:
    positive: str
    negative: str
    when: str
    instead: str
    untested: str
    tools: str


_WORDS: dict[Language, _Words] = {
    "en": _Words(
        positive="Went with success in {share}: try {what}{tools}{when}.",
        negative="Went with failure, success in {share}: avoid {what}{tools}{when}; {instead}.",
        when=", when it is about {}",
        instead="what went with success in a like situation: {title} ({difference})",
        untested="no other way was seen to go with success in a like situation",
        tools=" with {}",
    ),
    "ko": _Words(
        positive="성공과 함께 나타남({share}): 시도할 것: {what}{tools}{when}.",
        negative="실패와 함께 나타남(성공 {share}): 피할 것: {what}{tools}{when}; {instead}.",
        when=" / 상황: {}",
        instead="비슷한 상황에서 성공과 함께 나타난 것: {title} ({difference})",
        untested="비슷한 상황에서 성공과 함께 나타난 다른 방법은 없음",
        tools=" / 도구: {}",
    ),
}
_COMPARED: dict[Language, tuple[str, str]] = {
    "en": ("difference {:+.2f}, {:+.2f} to {:+.2f}", "not tested"),
    "ko": ("차이 {:+.2f}, {:+.2f} ~ {:+.2f}", "비교되지 않음"),
}
_SHARE: dict[Language, str] = {"en": "{} of {} episodes", "ko": "에피소드 {1}개 중 {0}개"}


def advises(pattern: Pattern) -> bool:
    """Whether a pattern recommends anything.

    It claims an outcome, stands before the last fifth of its episodes, is not one user's alone, and its
    difference does not vanish among episodes of like length.
    """
    return pattern.tier in CLAIMING_TIERS and pattern.polarity is not None and not misleads(pattern)


def misleads(pattern: Pattern) -> bool:
    """Whether what a pattern goes with is no reason to follow it: the end of a run, one user, or its length."""
    return bool(pattern.late) or pattern.single_user or vanishes(pattern.length_adjusted)


def vanishes(adjusted: LengthAdjusted | None) -> bool:
    """Whether nothing is left of a difference among episodes of like length."""
    if adjusted is None or adjusted.interval is None:
        return False
    low, high = adjusted.interval
    return adjusted.p > 0.05 and low <= 0 <= high


def recommendation(pattern: Pattern, language: Language = "en") -> str | None:
    """What to try or to avoid; None where the pattern recommends nothing, or holds no step to take.

    Args:
        pattern: With its figures, its contrast included.
        language: Of the words around labels.
    """
    words, outcomes = _WORDS[language], pattern.outcomes
    steps = _steps(pattern, language)
    if not steps or not advises(pattern):
        return None
    share = _SHARE[language].format(outcomes.success, pattern.support - outcomes.unknown)
    said = {"share": share, "what": steps}
    for name, kinds, template in (("tools", ("tool",), words.tools), ("when", _SITUATION, words.when)):
        labels = _labels(pattern.nodes, kinds, language)
        said[name] = template.format(", ".join(labels)) if labels else ""
    if pattern.polarity == "positive":
        return words.positive.format(**said)
    return words.negative.format(**said, instead=_instead(pattern, language))


def _steps(pattern: Pattern, language: Language) -> str:
    follows = [(source, target) for source, target, kind in pattern.edges if kind == "NEXT"]
    chains = step_chains(follows)
    chained = {place for chain in chains for place in chain}
    alone = [[place] for place, node in enumerate(pattern.nodes) if node.kind == "action" and place not in chained]
    return ", ".join(
        " → ".join(shown_name(pattern.nodes[place], language) for place in chain) for chain in (*chains, *alone)
    )


def _labels(nodes: Sequence[PatternNode], kinds: tuple[str, ...], language: Language) -> list[str]:
    return list(dict.fromkeys(shown_name(node, language) for node in nodes if node.kind in kinds))


def _instead(pattern: Pattern, language: Language) -> str:
    words, contrast = _WORDS[language], pattern.contrast
    if contrast is None:
        return words.untested
    compared, untested = _COMPARED[language]
    if contrast.risk_difference is None or contrast.interval is None:
        return words.instead.format(title=contrast.title, difference=untested)
    figures = compared.format(contrast.risk_difference, *contrast.interval)
    return words.instead.format(title=contrast.title, difference=figures)
