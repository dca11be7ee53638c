"""Times, names, texts and JSON objects at the boundary."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from graphmem.models.fields import canonical_json, check_name, check_text, sorted_object, to_utc

KOREA = timezone(timedelta(hours=9))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2026-03-01T09:00:00Z", datetime(2026, 3, 1, 9, tzinfo=UTC)),
        ("2026-03-01T09:00:00+09:00", datetime(2026, 3, 1, 0, tzinfo=UTC)),
        (datetime(2026, 3, 1, 9, tzinfo=KOREA), datetime(2026, 3, 1, 0, tzinfo=UTC)),
        (0, datetime(1970, 1, 1, tzinfo=UTC)),
        (1772355600000, datetime(2026, 3, 1, 9, tzinfo=UTC)),
        ("0001-01-01T00:00:00Z", datetime(1, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_time_becomes_utc(given: Any, expected: datetime) -> None:
    moment = to_utc(given)
    assert moment == expected
    assert moment.utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    "given",
    [
        "2026-03-01T09:00:00",
        "2026-03-01",
        datetime(2026, 3, 1, 9),  # noqa: DTZ001 (naive is what is refused)
        "0001-01-01T00:00:00+09:00",
        "9999-12-31T23:59:59-09:00",
        "2026-06-30T23:59:60Z",
        "yesterday",
        float("nan"),
        float("inf"),
        1e300,
        True,
        None,
        [],
    ],
)
def test_a_time_without_offset_or_outside_the_calendar_is_refused(given: Any) -> None:
    with pytest.raises(ValueError, match=r"time|isoformat|second|month|range"):
        to_utc(given)


def test_text_that_no_store_can_hold_is_refused() -> None:
    assert check_text("한국어 ✓") == "한국어 ✓"
    for bad in ("a\0b", "한\0", "\ud800"):
        with pytest.raises(ValueError, match=r"NUL|surrogate"):
            check_text(bad)


def test_a_name_loses_outer_blanks_and_is_never_blank() -> None:
    assert check_name("  raise_pool ") == "raise_pool"
    for bad in ("", "   ", "\u200b", "\n\t"):
        with pytest.raises(ValueError, match="blank"):
            check_name(bad)


def test_json_objects_are_equal_whatever_the_order_of_their_keys() -> None:
    first = sorted_object({"b": {"y": 1, "x": [2, {"q": 0, "p": 1}]}, "a": None})
    second = sorted_object({"a": None, "b": {"x": [2, {"p": 1, "q": 0}], "y": 1}})
    assert canonical_json(first) == canonical_json(second) == '{"a":null,"b":{"x":[2,{"p":1,"q":0}],"y":1}}'


@pytest.mark.parametrize(
    "bad", [{"a": float("nan")}, {"a": "\ud800"}, {"a": ["x\0"]}, {"a\0": 1}, {"a": object()}]
)
def test_a_json_object_that_cannot_be_written_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"JSON"):
        sorted_object(bad)


def test_a_backslash_u0000_that_is_plain_text_is_not_a_nul() -> None:
    assert sorted_object({"a": "\\u0000"}) == {"a": "\\u0000"}
