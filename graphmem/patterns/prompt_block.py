"""Tested patterns as a block for a prompt.

The rendering is pure. Only replicated and significant patterns are told: the others claim nothing that an
agent should act on. Titles and recommendations are quoted, since they hold names out of episodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from graphmem.models.pattern import CLAIMING_TIERS, Pattern
from graphmem.patterns.advice import misleads
from graphmem.patterns.retelling import retold
from graphmem.ports.prompt_text import Language, quoted, tokens_of

SURE = 0.6
"""Share of successes (of failures, where a pattern is to be avoided) that its interval must not fall below."""

Confidence = Literal["high", "medium"]


@dataclass(frozen=True, slots=True)
class _Words:
    """How the block is written in one language."""

    heading: str
    standing: str
    one_episode: str
    episodes: str
    confidence: dict[Confidence, str]


_WORDS: dict[Language, _Words] = {
    "ko": _Words(
        heading="[학습된 행동 패턴]",
        standing="신뢰도: {}, 근거: {}",
        one_episode="1개 에피소드",
        episodes="{}개 에피소드",
        confidence={"high": "높음", "medium": "보통"},
    ),
    "en": _Words(
        heading="[Learned patterns]",
        standing="confidence: {}, evidence: {}",
        one_episode="1 episode",
        episodes="{} episodes",
        confidence={"high": "high", "medium": "medium"},
    ),
}


def confidence_of(pattern: Pattern) -> Confidence | None:
    """How sure a tested pattern is, by its tier and its interval, never by its mere count.

    Returns:
        high for a replicated one, and for a significant one whose interval lies wholly at `SURE` or beyond, unless
        no episode of like length could be compared; medium for other significant ones; None for what no prompt
        may hold.
    """
    if pattern.tier not in CLAIMING_TIERS:
        return None
    near = _near_bound(pattern)
    comparable = pattern.length_adjusted is None or pattern.length_adjusted.interval is not None
    return (
        "high" if pattern.tier == "replicated" or (near is not None and near >= SURE and comparable) else "medium"
    )


def _near_bound(pattern: Pattern) -> float | None:
    """The end of the interval that says least for the pattern; None where it claims nothing of outcomes."""
    if pattern.interval is None or pattern.polarity is None:
        return None
    low, high = pattern.interval
    return low if pattern.polarity == "positive" else 1 - high


def by_confidence(patterns: Iterable[Pattern]) -> list[Pattern]:
    """Patterns that a prompt may hold: replicated first, then the surer, then by falling support and id."""
    told = [pattern for pattern in patterns if pattern.tier in CLAIMING_TIERS and not misleads(pattern)]
    return sorted(
        told,
        key=lambda one: (CLAIMING_TIERS.index(one.tier), confidence_of(one) != "high", -one.support, one.id),
    )


def patterns_block(
    patterns: Sequence[Pattern], language: Language, budget: int, contrasts: Mapping[str, Pattern] | None = None
) -> str:
    """The block of the patterns that fit, numbered in their order.

    Args:
        patterns: Best first; those that no prompt may hold are left out, and those that would mislead (late
            ones, one user's, what length explains): an agent would follow a bare title.
        language: Of the words around labels; a text that was reworded stays as it is.
        budget: Tokens at most, by `tokens_of`; whole patterns are dropped from the end.
        contrasts: Patterns by id that contrasts name, to say their titles in the language as well.

    Returns:
        The block; "" when there is nothing to tell, or nothing fits.
    """
    words = _WORDS[language]
    lines, text = [words.heading], ""
    told = (pattern for pattern in patterns if confidence_of(pattern) and not misleads(pattern))
    for number, pattern in enumerate(told, 1):
        lines += _item(number, retold(pattern, language, contrasts), words)
        longer = "\n".join(lines)
        if tokens_of(longer) > budget:
            break
        text = longer
    return text


def _item(number: int, pattern: Pattern, words: _Words) -> list[str]:
    advice = pattern.recommendation
    confidence = words.confidence[confidence_of(pattern) or "medium"]
    evidence = words.one_episode if pattern.support == 1 else words.episodes.format(pattern.support)
    line = f"{number}. {quoted(pattern.title)} ({words.standing.format(confidence, evidence)})"
    return [line, f"   - {quoted(advice)}"] if advice and advice.strip() else [line]
