"""What the rules of both languages share: the match of a rule, the time beside it, the objects it names. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphmem.language.fact_rules import FactRule
from graphmem.language.relative_time import TimeMention

_APART = re.compile(r"[;.!?]|,(?=\s*\w+\s)|\b(?:and|but|so|because|when|while)\b")
"""What separates a fact from a time behind it."""
_APART_BEFORE = re.compile(r"[;.!?]|\w{3}.*\w{3}")
"""What separates a time from a fact behind it: another clause, or more than one word."""
_QUALIFIER = re.compile(
    r"^(?:the|a little|a bit of|some|fluent|basic|good|native|conversational)\s+", re.IGNORECASE
)
_LONGEST = 200
"""Characters of an object: what is longer is no name, and a store holds 512."""
_EDGE = " \t\n.,!?;:'\"-"


@dataclass(frozen=True, slots=True)
class Found:
    """One match of a rule."""

    rule: FactRule
    start: int
    """Offset of the match in the sentence."""
    object: str
    """What it names."""
    when: TimeMention | None
    """The time in the same clause."""
    factor: float = 1.0
    """What the prior is multiplied by."""


def without(text: str, *spans: tuple[int, int]) -> str:
    """The text with the spans made blank, of the same length."""
    for start, end in spans:
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def time_beside(text: str, match: re.Match[str], times: tuple[TimeMention, ...]) -> TimeMention | None:
    """The nearest time that stands in the clause of a match."""
    near = [
        (max(time.start - match.end(), match.start() - time.end, 0), time)
        for time in times
        if not _APART.search(text[match.end() : time.start])
        and not (time.end <= match.start() and _APART_BEFORE.search(text[time.end : match.start()]))
    ]
    return min(near, key=lambda pair: pair[0])[1] if near else None


def named(text: str, join: re.Pattern[str] | None) -> Iterator[str]:
    """The objects that a text names, without articles and outer marks; what holds no letter or digit is none.

    Args:
        text: What the rule took for its object.
        join: What stands between several; None: it is one.
    """
    for part in join.split(text) if join else [text]:
        name = " ".join(_QUALIFIER.sub("", part.strip(_EDGE)).split())
        if len(name) <= _LONGEST and any(map(str.isalnum, name)):
            yield name
