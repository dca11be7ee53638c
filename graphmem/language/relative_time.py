"""Resolves the times that a sentence names against the time at which it was said: pure, no wall clock.

A time without a year is the nearest one in the past, or in the future when the sentence speaks of it.
Left out: vague times ("recently", 얼마 전), seasons, holidays, times of the day and durations.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from graphmem.errors import InvalidInputError
from graphmem.language.english_time import ENGLISH_DURATION, ENGLISH_TIMES, Builder, lasted
from graphmem.language.korean_time import KOREAN_TIMES, TAIL
from graphmem.language.periods import Anchor, Interval

_MONTH_WORD = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE)
_WEEKDAY_WORD = re.compile(r"\b(?:mon|tue|wed|thu|fri|sat|sun)", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_STEP_WORD = re.compile(r"\b(?:last|past|previous|this|next|coming)\s", re.IGNORECASE)
_AGO_WORD = re.compile(r"\s(?:ago|back)\b", re.IGNORECASE | re.ASCII)
_AHEAD_WORD = re.compile(r"\bin\s|\bfrom\s+now\b", re.IGNORECASE | re.ASCII)
_DAY_WORD = re.compile(
    r"yesterday|today|tonight|tomorrow|last night|this (?:morning|afternoon|evening)", re.IGNORECASE
)
_SIGNS = (
    ("month>\\d", _DIGIT),
    ("month>", _MONTH_WORD),
    ("weekday>", _WEEKDAY_WORD),
    ("year>", _DIGIT),
    ("step>", _STEP_WORD),
    ("from_now>", _AHEAD_WORD),
    ("count>", _AGO_WORD),
    ("word>", _DAY_WORD),
)


def _sign(pattern: str) -> re.Pattern[str] | None:
    """What a text must hold for an English pattern to be worth a try, as most hold no time at all."""
    return next((sign for group, sign in _SIGNS if group in pattern), None)


_ENGLISH: tuple[tuple[re.Pattern[str], Builder, re.Pattern[str] | None], ...] = (
    *(
        (re.compile(rf"(?<![\w-]){pattern}", re.IGNORECASE | re.ASCII), build, _sign(pattern))
        for pattern, build in ENGLISH_TIMES
    ),
)
_KOREAN: tuple[tuple[re.Pattern[str], Builder], ...] = (
    *((re.compile(rf"(?<![\w-]){pattern}{TAIL}"), build) for pattern, build in KOREAN_TIMES),
)
_LASTING = re.compile(rf"\b{ENGLISH_DURATION}", re.IGNORECASE)
_PERFECT = re.compile(r"\b(?:have|has|been)\b|'ve\b|'s been\b", re.IGNORECASE)
_SINCE = re.compile(r"(?:since|from)\b", re.IGNORECASE)
_IS = re.compile(r"\b(?:is|are|was|were)\s$", re.IGNORECASE)
_FUTURE = re.compile(
    r"\b(?:will|shall|going\s+to|gonna|next|tomorrow|upcoming)\b|\w'll\b|예정|계획|할\s?거|을\s?거|ㄹ\s?거|겠|다음|내일|모레|내년"
)
_NAMED = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)"
_HINT_EN = re.compile(
    rf"\d|yesterday|today|tonight|tomorrow|\b(?:(?:ago|back|from\s+now)\b|week\s+before\s+last\b|(?:last|past|previous|this|next|coming)\s+(?:{_NAMED}"
    rf"|week|month|year|night|morning|afternoon|evening)|(?:in|on|since|from|by|until|during|of)\s+(?:the\s+)?"
    rf"(?:(?:early|late|mid)[\s-]+)?{_NAMED}|(?:for|in)\s+\w+(?:\s+\w+){{0,3}}\s+(?:day|week|month|year)s?\b)",
    re.IGNORECASE | re.ASCII,
)
"""What every English time holds: most sentences name none, and this is quicker than all patterns."""
_HINT_KO = re.compile(r"\d|[년월달주일해]|전|[제젯]|늘|모레|저께|글피")
_HANGUL = re.compile(r"[가-힣]")


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time that a text names."""

    start: int
    """Offset of its first character in the text, its preposition included."""
    end: int
    """Offset after its last character, its particle included."""
    interval: Interval
    """The time meant; without an end after "since" and 부터."""


class _Candidate(NamedTuple):
    """A place that reads like a time; without an interval when no calendar has such a day."""

    start: int
    end: int
    interval: Interval | None


def resolve_when(text: str, said_at: datetime) -> Interval | None:
    """The first time that a text names, as an interval in UTC; None when it names none.

    >>> from datetime import UTC
    >>> resolve_when("I moved in March", datetime(2026, 12, 1, tzinfo=UTC)).start.date().isoformat()
    '2026-03-01'

    Args:
        text: A sentence or an expression, Korean or English.
        said_at: When it was said; days begin at midnight of its own offset or zone.

    Raises:
        InvalidInputError: The time is naive.
    """
    found = find_times(unicodedata.normalize("NFC", text), said_at)
    return found[0].interval if found else None


def find_times(text: str, said_at: datetime) -> tuple[TimeMention, ...]:
    """All times that a text in NFC names, in order; a time that no calendar has (30 February) is none.

    Raises:
        InvalidInputError: The time is naive.
    """
    if said_at.utcoffset() is None:
        raise InvalidInputError("said_at has no offset: pass an aware datetime, such as datetime.now(UTC)")
    if not _HINT_EN.search(text) and not (_HINT_KO.search(text) and _HANGUL.search(text)):
        return ()
    anchor = Anchor(said_at, is_future=_FUTURE.search(text) is not None)
    found = sorted(_candidates(text, anchor), key=lambda candidate: (candidate.start, -candidate.end))
    return tuple(_without_overlaps(found))


def _candidates(text: str, anchor: Anchor) -> Iterator[_Candidate]:
    for pattern, build, sign in _ENGLISH:
        if sign is None or sign.search(text):
            yield from _resolved(pattern, build, text, anchor)
    if _PERFECT.search(text):
        yield from _resolved(_LASTING, lasted, text, anchor)
    if _HANGUL.search(text):
        for pattern, build in _KOREAN:
            yield from _resolved(pattern, build, text, anchor)


def _resolved(pattern: re.Pattern[str], build: Builder, text: str, anchor: Anchor) -> Iterator[_Candidate]:
    for match in pattern.finditer(text):
        interval: Interval | None
        try:
            interval = build(match, anchor)
        except (ValueError, OverflowError):
            interval = None
        yield _Candidate(
            match.start(), match.end(), interval.onwards() if interval and _is_open(match) else interval
        )


def _is_open(match: re.Match[str]) -> bool:
    tail = match.groupdict().get("tail") or match.string[match.end() : match.end() + 2]
    if tail.startswith(("부터", "이후")):
        return True
    # what is from a day is of that day
    return _SINCE.match(match[0]) is not None and not _IS.search(match.string[: match.start()])


def _without_overlaps(candidates: list[_Candidate]) -> Iterator[TimeMention]:
    """The first and longest at each place; a day that no calendar has takes its place and yields nothing."""
    end = -1
    for one in candidates:
        if one.start >= end:
            end = one.end
            if one.interval is not None:
                yield TimeMention(one.start, one.end, one.interval)
