"""Korean words for times, each pattern with the period that it means: data and small pure builders."""

from __future__ import annotations

import re
from datetime import date, timedelta

from graphmem.language.english_time import Builder, counted_back, no_season
from graphmem.language.periods import Anchor, Interval

_WEEKDAYS = "월화수목금토일"
_STEPS = {"지지난": -2, "지난": -1, "저번": -1, "이번": 0, "다음": 1, "다다음": 2}
_DAYS = {
    "그끄저께": -3,
    "그저께": -2,
    "그제": -2,
    "어제": -1,
    "어젯밤": -1,
    "오늘": 0,
    "오늘 아침": 0,
    "오늘 밤": 0,
    "내일": 1,
    "모레": 2,
    "내일모레": 2,
    "글피": 3,
}
_YEARS = {"재작년": -2, "작년": -1, "지난해": -1, "올해": 0, "금년": 0, "내년": 1}
_NATIVE = {"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10}
_DAY_COUNTS = {"하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "열흘": 10, "보름": 15}
_UNITS = {
    "시간": "hour",
    "일": "day",
    "주": "week",
    "주일": "week",
    "달": "month",
    "개월": "month",
    "년": "year",
    "해": "year",
}

_STEP = r"(?P<step>지지난|다다음|지난|저번|이번|다음)"
_MONTH = r"(?P<month>1[0-2]|[1-9])\s?월"
_DAY = r"(?P<day>3[01]|[12]\d|[1-9])\s?일"
_WEEKDAY = r"(?P<weekday>[월화수목금토일])요일"
_YEAR_WORD = rf"(?P<year_word>{'|'.join(_YEARS)})"
_COUNT = rf"(?:약\s?)?(?P<count>\d{{1,4}}|{'|'.join(_NATIVE)})"
TAIL = r"(?:\s?(?:초|말|중순))?(?P<tail>부터는?|이후로?|에서?는?|까지|쯤에?|경에?)?(?![가-힣])"
"""What may follow a time: a part of it, then a particle."""


def _year(match: re.Match[str], anchor: Anchor) -> int:
    word = match.groupdict().get("year_word")
    return anchor.today.year + _YEARS[word] if word else int(match["year"])


def _named_month(match: re.Match[str], anchor: Anchor) -> Interval:
    month, step, present = int(match["month"]), _STEPS[match["step"]], anchor.today.month
    past, coming = step < 0 and month >= present, step > 0 and month <= present
    return anchor.month(anchor.today.year - past + coming, month)


def _named_weekday(match: re.Match[str], anchor: Anchor) -> Interval:
    weekday, step = _WEEKDAYS.index(match["weekday"]), _STEPS[match["step"]]
    if step == 0:
        return anchor.weekday_of_week(weekday, 0)
    return anchor.weekday_before(weekday) if step < 0 else anchor.weekday_after(weekday)


def _weekday(match: re.Match[str], anchor: Anchor) -> Interval:
    weekday = _WEEKDAYS.index(match["weekday"])
    return anchor.weekday_after(weekday) if anchor.is_future else anchor.weekday_before(weekday)


def _month_day(match: re.Match[str], anchor: Anchor) -> Interval:
    months = anchor.today.month + _STEPS[match["step"]]
    year, month = anchor.today.year + (months - 1) // 12, (months - 1) % 12 + 1
    return anchor.days(date(year, month, int(match["day"])))


def _counted(match: re.Match[str]) -> int:
    return _NATIVE.get(match["count"]) or int(match["count"])


def _weekend(match: re.Match[str], anchor: Anchor) -> Interval:
    saturday = anchor.today + timedelta(days=5 - anchor.today.weekday(), weeks=_STEPS[match["step"]])
    return anchor.days(saturday, 2, "weekend")


_PAST = re.compile(r"[았었했갔왔됐났샀봤섰]")


def _counted_on(match: re.Match[str], anchor: Anchor) -> Interval:
    """The day, week, month or year so many of them after now.

    Raises:
        ValueError: The sentence tells what is over, and counts from another moment than now.
    """
    if _PAST.search(match.string):
        raise ValueError("a story counts from a moment of its own")
    count = 1 if match["count"] is None else _counted(match)
    return counted_back(anchor, -count, "week" if match["count"] is None else _UNITS[match["unit"]])


KOREAN_TIMES: tuple[tuple[str, Builder], ...] = (
    (
        r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)",
        lambda m, a: a.days(date(int(m["year"]), int(m["month"]), int(m["day"]))),
    ),
    (
        rf"(?:(?P<year>(?:19|20)\d\d)\s?년|{_YEAR_WORD})\s*{_MONTH}\s*{_DAY}",
        lambda m, a: a.days(date(_year(m, a), int(m["month"]), int(m["day"]))),
    ),
    (
        rf"(?:(?P<year>(?:19|20)\d\d)\s?년|{_YEAR_WORD})\s*{_MONTH}",
        lambda m, a: a.month(_year(m, a), int(m["month"])),
    ),
    (rf"(?:(?P<year>(?:19|20)\d\d)\s?년|{_YEAR_WORD})", lambda m, a: a.year(_year(m, a))),
    (rf"(?:(?P<year>(?:19|20)\d\d)\s?년|{_YEAR_WORD})\s*(?:봄|여름|가을|겨울)", no_season),
    (rf"{_MONTH}\s*{_DAY}", lambda m, a: a.nearest_date(int(m["month"]), int(m["day"]))),
    (rf"{_STEP}\s?{_MONTH}", _named_month),
    (_MONTH, lambda m, a: a.nearest_month(int(m["month"]))),
    (
        rf"{_STEP}\s?주\s?{_WEEKDAY}",
        lambda m, a: a.weekday_of_week(_WEEKDAYS.index(m["weekday"]), _STEPS[m["step"]]),
    ),
    (rf"{_STEP}\s?{_WEEKDAY}", _named_weekday),
    (_WEEKDAY, _weekday),
    (rf"{_STEP}\s?주말", _weekend),
    (rf"{_STEP}\s?주", lambda m, a: a.week(a.today + timedelta(weeks=_STEPS[m["step"]]))),
    (rf"{_STEP}\s?달\s?{_DAY}", _month_day),
    (rf"{_STEP}\s?달", lambda m, a: a.month(a.today.year, a.today.month + _STEPS[m["step"]])),
    (
        rf"{_COUNT}\s?(?P<unit>시간|주일|주|일|달|개월|년|해)\s?전",
        lambda m, a: counted_back(a, _counted(m), _UNITS[m["unit"]]),
    ),
    (rf"(?:{_COUNT}\s?(?P<unit>주일|주|일|달|개월|년|해)|일주일)\s?(?:뒤|후)", _counted_on),
    (r"일주일\s?전", lambda _, a: counted_back(a, 1, "week")),
    (rf"(?P<word>{'|'.join(_DAY_COUNTS)})\s?전", lambda m, a: counted_back(a, _DAY_COUNTS[m["word"]], "day")),
    (
        rf"{_COUNT}\s?(?P<unit>주|일|달|개월|년|해)\s?(?:째|동안\s?쭉)",
        lambda m, a: counted_back(a, _counted(m), _UNITS[m["unit"]]).onwards(),
    ),
    (
        rf"(?P<word>{'|'.join(sorted(_DAYS, key=len, reverse=True))})",
        lambda m, a: a.days(a.today + timedelta(days=_DAYS[m["word"]])),
    ),
)
"""Pattern and builder; at one place the longest match counts."""
