"""Times that a sentence names, against the time at which it was said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.errors import InvalidInputError
from graphmem.language.periods import Interval
from graphmem.language.relative_time import find_times, resolve_when

KST = timezone(timedelta(hours=9))
TUESDAY = datetime(2026, 3, 10, 9, 30, tzinfo=KST)


def _days(found: Interval | None, zone: timezone | ZoneInfo = KST) -> tuple[str, str | None, str] | None:
    if found is None:
        return None
    end = found.end.astimezone(zone).date().isoformat() if found.end else None
    return found.start.astimezone(zone).date().isoformat(), end, found.granularity


@pytest.mark.parametrize(
    ("text", "start", "end", "granularity"),
    [
        ("I moved in March", "2026-03-01", "2026-04-01", "month"),
        ("in April", "2025-04-01", "2025-05-01", "month"),
        ("last March", "2025-03-01", "2025-04-01", "month"),
        ("this May", "2026-05-01", "2026-06-01", "month"),
        ("next January", "2027-01-01", "2027-02-01", "month"),
        ("I will go in February", "2027-02-01", "2027-03-01", "month"),
        ("in May last year", "2025-05-01", "2025-06-01", "month"),
        ("May 2024", "2024-05-01", "2024-06-01", "month"),
        ("on 3 May 2024", "2024-05-03", "2024-05-04", "day"),
        ("May 3rd, 2024", "2024-05-03", "2024-05-04", "day"),
        ("the 3rd of May", "2025-05-03", "2025-05-04", "day"),
        ("2024-05-03", "2024-05-03", "2024-05-04", "day"),
        ("on February 29", "2024-02-29", "2024-03-01", "day"),
        ("in 2019", "2019-01-01", "2020-01-01", "year"),
        ("since 2020", "2020-01-01", None, "year"),
        ("since last Friday", "2026-03-06", None, "day"),
        ("I have lived here for three years", "2023-01-01", None, "year"),
        ("last Friday", "2026-03-06", "2026-03-07", "day"),
        ("on Tuesday", "2026-03-03", "2026-03-04", "day"),
        ("we will meet on Tuesday", "2026-03-17", "2026-03-18", "day"),
        ("next Friday", "2026-03-13", "2026-03-14", "day"),
        ("Friday last week", "2026-03-06", "2026-03-07", "day"),
        ("last week", "2026-03-02", "2026-03-09", "week"),
        ("last weekend", "2026-03-07", "2026-03-09", "weekend"),
        ("last month", "2026-02-01", "2026-03-01", "month"),
        ("next year", "2027-01-01", "2028-01-01", "year"),
        ("yesterday", "2026-03-09", "2026-03-10", "day"),
        ("the day before yesterday", "2026-03-08", "2026-03-09", "day"),
        ("two weeks ago", "2026-02-23", "2026-03-02", "week"),
        ("a couple of days ago", "2026-03-08", "2026-03-09", "day"),
        ("14 months ago", "2025-01-01", "2025-02-01", "month"),
        ("three years ago", "2023-01-01", "2024-01-01", "year"),
        ("어제", "2026-03-09", "2026-03-10", "day"),
        ("그저께 봤어요", "2026-03-08", "2026-03-09", "day"),
        ("지난주 금요일", "2026-03-06", "2026-03-07", "day"),
        ("지난주에", "2026-03-02", "2026-03-09", "week"),
        ("지난 금요일에", "2026-03-06", "2026-03-07", "day"),
        ("3월에", "2026-03-01", "2026-04-01", "month"),
        ("4월에 이사했어요", "2025-04-01", "2025-05-01", "month"),
        ("4월에 이사할 예정이에요", "2026-04-01", "2026-05-01", "month"),
        ("작년 5월", "2025-05-01", "2025-06-01", "month"),
        ("재작년에", "2024-01-01", "2025-01-01", "year"),
        ("다음 달에", "2026-04-01", "2026-05-01", "month"),
        ("지난달 15일에", "2026-02-15", "2026-02-16", "day"),
        ("2년 전에", "2024-01-01", "2025-01-01", "year"),
        ("두 달 전에", "2026-01-01", "2026-02-01", "month"),
        ("일주일 전", "2026-03-02", "2026-03-09", "week"),
        ("사흘 전에", "2026-03-07", "2026-03-08", "day"),
        ("2020년부터", "2020-01-01", None, "year"),
        ("5년째", "2021-01-01", None, "year"),
        ("2024년 5월 3일에", "2024-05-03", "2024-05-04", "day"),
        ("12월 25일에", "2025-12-25", "2025-12-26", "day"),
        ("2월 29일", "2024-02-29", "2024-03-01", "day"),
        ("월요일에", "2026-03-09", "2026-03-10", "day"),
    ],
)
def test_a_time_is_counted_from_when_it_was_said(text: str, start: str, end: str | None, granularity: str) -> None:
    assert _days(resolve_when(text, TUESDAY)) == (start, end, granularity)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I may march on",
        "30 February 2024",
        "2월 30일",
        "2023-02-29",
        "in order",
        "3월드",
        "제가 전에",
        "on time",
    ],
)
def test_what_names_no_time_of_a_calendar_gives_none(text: str) -> None:
    assert resolve_when(text, TUESDAY) is None


def test_days_begin_at_midnight_of_the_offset_in_which_it_was_said() -> None:
    instant = datetime(2026, 3, 10, 0, 30, tzinfo=KST)
    assert _days(resolve_when("today", instant)) == ("2026-03-10", "2026-03-11", "day")
    assert _days(resolve_when("today", instant.astimezone(UTC)), UTC) == ("2026-03-09", "2026-03-10", "day")


def test_hours_do_not_depend_on_the_offset() -> None:
    assert resolve_when("3 hours ago", TUESDAY) == resolve_when("3 hours ago", TUESDAY.astimezone(UTC))
    assert resolve_when("3시간 전", TUESDAY) == resolve_when("3 hours ago", TUESDAY)


def test_the_day_on_which_the_clocks_go_forward_has_23_hours() -> None:
    found = resolve_when("yesterday", datetime(2026, 3, 30, 12, tzinfo=ZoneInfo("Europe/Berlin")))
    assert found is not None
    assert found.end is not None
    assert found.end - found.start == timedelta(hours=23)


def test_the_turn_of_the_year_is_crossed() -> None:
    new_year = datetime(2027, 1, 1, 0, 5, tzinfo=KST)
    assert _days(resolve_when("yesterday", new_year)) == ("2026-12-31", "2027-01-01", "day")
    assert _days(resolve_when("지난달", new_year)) == ("2026-12-01", "2027-01-01", "month")
    assert _days(resolve_when("in December", new_year)) == ("2026-12-01", "2027-01-01", "month")
    assert _days(resolve_when("last week", new_year)) == ("2026-12-21", "2026-12-28", "week")


def test_a_time_is_found_with_its_words() -> None:
    text = "I moved in March, 작년에 and since 2020."
    assert [text[found.start : found.end] for found in find_times(text, TUESDAY)] == [
        "in March",
        "작년에",
        "since 2020",
    ]


def test_a_naive_time_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="aware"):
        resolve_when("yesterday", datetime(2026, 3, 10))  # noqa: DTZ001 (the fault)


_PARTS = st.sampled_from(
    (
        *(
            "last",
            "next",
            "since",
            "in",
            "on",
            "two",
            "99",
            "9999",
            "years",
            "year",
            "weeks",
            "days",
            "ago",
            "Friday",
        ),
        *("March", "29", "February", "지난", "다음", "주", "달", "3월", "31일", "9999년", "전", "년", "부터"),
    )
)


@given(
    st.one_of(st.text(max_size=80), st.lists(_PARTS, max_size=10).map(" ".join)),
    st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)),  # noqa: DTZ001 (made aware below)
    st.integers(-14, 14),
)
@settings(deadline=None)
def test_any_text_at_any_time_gives_forward_intervals_in_utc_or_none(
    text: str, moment: datetime, hours: int
) -> None:
    for found in find_times(text, moment.replace(tzinfo=timezone(timedelta(hours=hours)))):
        assert found.interval.start.tzinfo is UTC
        assert found.interval.end is None or found.interval.end > found.interval.start
        assert 0 <= found.start < found.end <= len(text)
