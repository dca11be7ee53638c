"""English words for times, each pattern with the period that it means: data and small pure builders."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from graphmem.language.periods import Anchor, Interval

Builder = Callable[[re.Match[str], Anchor], Interval]
"""Makes the period of a match; raises ValueError or OverflowError for a day that no calendar has."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "a couple of": 2,
    "a couple": 2,
}
_STEPS = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1}
_DAYS = {
    "yesterday": -1,
    "last night": -1,
    "yesterday morning": -1,
    "today": 0,
    "tonight": 0,
    "this morning": 0,
    "this afternoon": 0,
    "this evening": 0,
    "tomorrow": 1,
    "the day before yesterday": -2,
    "the day after tomorrow": 2,
}

_MONTH = (
    r"(?P<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_WEEKDAY = r"(?P<weekday>Mon|Tues?|Wednes|Wed|Thurs?|Fri|Satur|Sat|Sun)(?:day)?\b"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\b"
_YEAR = r"(?P<year>(?:19|20)\d\d)\b(?![.:,]?\d|-)"
_STEP = r"(?P<step>last|past|previous|this|next|coming)"
_COUNT = rf"(?P<count>\d{{1,4}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_SEASON = r"(?:spring|summer|autumn|fall|winter)"
_LEAD = (
    r"(?:(?:back\s+)?(?:in|on|since|from|by|until|during|around|of)\s+)?(?:(?:early|late|mid)[\s-]+)?(?:the\s+)?"
)

_WEEK_FIRST = (
    rf"{_LEAD}(?P<step2>last|next|this)\s+week\s+(?:on\s+)?"
    r"(?P<weekday2>Mon|Tues?|Wednes|Wed|Thurs?|Fri|Satur|Sat|Sun)(?:day)?\b"
)


def _month(match: re.Match[str]) -> int:
    return _MONTHS.index(match["month"][:3].lower()) + 1


def _weekday(match: re.Match[str]) -> int:
    return _WEEKDAYS.index(match["weekday"][:3].lower())


def _count(match: re.Match[str]) -> int:
    words = " ".join(match["count"].lower().split())
    return int(words) if words.isdigit() else _NUMBERS[words]


def _step(match: re.Match[str]) -> int:
    return _STEPS[match["step"].lower()]


def _on_date(match: re.Match[str], anchor: Anchor) -> Interval:
    if match["year"]:
        return anchor.days(date(int(match["year"]), _month(match), int(match["day"])))
    return anchor.nearest_date(_month(match), int(match["day"]))


def _in_named_month(match: re.Match[str], anchor: Anchor) -> Interval:
    """Last March lies before the present month, next March after it, this March in this year."""
    month, year, present = _month(match), anchor.today.year, anchor.today.month
    return anchor.month(year + {-1: -(month >= present), 0: 0, 1: +(month <= present)}[_step(match)], month)


def _on_named_weekday(match: re.Match[str], anchor: Anchor) -> Interval:
    weekday, step = _weekday(match), _step(match)
    if step == 0:
        return anchor.weekday_of_week(weekday, 0)
    return anchor.weekday_before(weekday) if step < 0 else anchor.weekday_after(weekday)


def _on_weekday(match: re.Match[str], anchor: Anchor) -> Interval:
    return anchor.weekday_after(_weekday(match)) if anchor.is_future else anchor.weekday_before(_weekday(match))


def _named_period(match: re.Match[str], anchor: Anchor) -> Interval:
    step, today = _step(match), anchor.today
    match match["unit"].lower():
        case "week":
            return anchor.week(today + timedelta(weeks=step))
        case "weekend":
            saturday = today + timedelta(days=5 - today.weekday(), weeks=step)
            return anchor.days(saturday, 2, "weekend")
        case "month":
            return anchor.month(today.year, today.month + step)
        case _:
            return anchor.year(today.year + step)


def counted_back(anchor: Anchor, count: int, unit: str) -> Interval:
    """The day, week, month or year so many of them before now, or the hour."""
    today = anchor.today
    match unit:
        case "hour":
            return anchor.hours_ago(count)
        case "day":
            return anchor.days(today - timedelta(days=count))
        case "week":
            return anchor.week(today - timedelta(weeks=count))
        case "month":
            return anchor.month(today.year, today.month - count)
        case _:
            return anchor.year(today.year - count)


_SCHEDULED = re.compile(
    r"\b(?:is|are|am|due|arrives?|begins?|closes?|ends?|expires?|leaves?|opens?|returns?|runs?\s+out|starts?)\s+$",
    re.IGNORECASE,
)
"""Present tenses of what is scheduled: "ends in two weeks" names a time, "learn it in two weeks" a duration."""


def _counted_on(match: re.Match[str], anchor: Anchor) -> Interval:
    """The day, week, month or year so many of them after now.

    Raises:
        ValueError: The sentence does not look ahead, so that it may tell a duration.
    """
    is_told = match["from_now"] or anchor.is_future or _SCHEDULED.search(match.string[: match.start()])
    if not is_told:
        raise ValueError("a duration names no time")
    return counted_back(anchor, -_count(match), match["unit"].lower())


def no_season(match: re.Match[str], anchor: Anchor) -> Interval:
    """A season of a year is no period, and its year alone would say more than was said.

    Raises:
        ValueError: Always.
    """
    del match, anchor
    raise ValueError("when a season begins depends on where somebody is")


ENGLISH_TIMES: tuple[tuple[str, Builder], ...] = (
    (
        rf"{_LEAD}(?P<year>\d{{4}})-(?P<month>\d\d)-(?P<day>\d\d)\b",
        lambda m, a: a.days(date(int(m["year"]), int(m["month"]), int(m["day"]))),
    ),
    (rf"{_LEAD}{_DAY}(?:\s+of)?\s+{_MONTH}(?:,?\s+{_YEAR})?", _on_date),
    (rf"{_LEAD}{_MONTH}\s+(?:the\s+)?{_DAY}(?!:)(?:,?\s+{_YEAR})?", _on_date),
    (rf"{_LEAD}{_MONTH},?\s+(?:of\s+|in\s+)?{_YEAR}", lambda m, a: a.month(int(m["year"]), _month(m))),
    (
        rf"{_LEAD}{_MONTH}\s+(?:of\s+)?{_STEP}\s+year\b",
        lambda m, a: a.month(a.today.year + _step(m), _month(m)),
    ),
    (
        rf"{_STEP}\s+year\s+in\s+{_MONTH}",
        lambda m, a: a.month(a.today.year + _step(m), _month(m)),
    ),
    (rf"{_LEAD}{_STEP}\s+{_MONTH}(?!\s+\d)", _in_named_month),
    (
        rf"(?:back\s+)?(?:in|since|from|by|until|during)\s+(?:(?:early|late|mid)[\s-]+)?{_MONTH}(?!\s+\d)",
        lambda m, a: a.nearest_month(_month(m)),
    ),
    (
        rf"(?:back\s+)?(?:in|since|from|by|until)\s+(?:early\s+|late\s+|mid[\s-])?{_YEAR}",
        lambda m, a: a.year(int(m["year"])),
    ),
    (
        rf"{_LEAD}{_WEEKDAY}\s+(?:of\s+)?{_STEP}\s+week\b|{_WEEK_FIRST}",
        lambda m, a: a.weekday_of_week(
            _WEEKDAYS.index((m["weekday"] or m["weekday2"])[:3].lower()), _STEPS[(m["step"] or m["step2"]).lower()]
        ),
    ),
    (rf"{_LEAD}{_STEP}\s+{_WEEKDAY}", _on_named_weekday),
    (rf"(?:on|since|by|until)\s+{_WEEKDAY}", _on_weekday),
    (rf"{_LEAD}(?:earlier\s+|later\s+)?{_STEP}\s+(?P<unit>weekend|week|month|year)\b", _named_period),
    (rf"{_LEAD}{_SEASON}\s+(?:(?:of|in)\s+)?{_STEP}\s+year\b", no_season),
    (rf"{_LEAD}{_SEASON}\s+(?:(?:of|in)\s+)?{_YEAR}", no_season),
    (rf"{_LEAD}week\s+before\s+(?P<step>last)\b", lambda _, a: a.week(a.today - timedelta(weeks=2))),
    (rf"{_LEAD}a\s+fortnight\s+(?P<count>ago|back)\b", lambda _, a: a.week(a.today - timedelta(weeks=2))),
    (rf"in\s+{_COUNT}\s+(?P<unit>day|week|month|year)s?\b(?P<from_now>(?!))?", _counted_on),
    (rf"{_COUNT}\s+(?P<unit>day|week|month|year)s?\s+(?P<from_now>from\s+now)\b", _counted_on),
    (
        rf"{_LEAD}(?:about\s+|around\s+)?{_COUNT}\s+(?P<unit>hour|day|week|month|year)s?\s+(?:ago|back)\b",
        lambda m, a: counted_back(a, _count(m), m["unit"].lower()),
    ),
    (
        rf"(?:since\s+|from\s+)?(?P<word>{'|'.join(sorted(_DAYS, key=len, reverse=True)).replace(' ', '[ ]')})\b",
        lambda m, a: a.days(a.today + timedelta(days=_DAYS[m["word"].lower()])),
    ),
)
"""Pattern and builder, the more exact ones first; at one place the longest match counts."""

ENGLISH_DURATION = (
    rf"for\s+(?:about\s+|over\s+|almost\s+|the\s+(?:last|past)\s+)?{_COUNT}\s+(?P<unit>day|week|month|year)s?"
    r"(?:\s+now)?\b"
)
"""How long something has lasted until now; read as since then when the sentence is in the perfect tense."""


def lasted(match: re.Match[str], anchor: Anchor) -> Interval:
    """From so long ago until further notice."""
    return counted_back(anchor, _count(match), match["unit"].lower()).onwards()
