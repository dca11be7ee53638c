"""The offset of a time as it was given: DST, half hours, leap days, year ends, what has none, and no content."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError

from graphmem.graph.mapping.episode import episode_hash
from graphmem.graph.mapping.values import content_hash
from graphmem.models.episode import Episode
from graphmem.models.message import Message
from graphmem.models.offsets import in_offset, offset_of

NEW_YORK = ZoneInfo("America/New_York")
SEOUL = ZoneInfo("Asia/Seoul")
AMBIGUOUS = datetime(2026, 11, 1, 1, 30, tzinfo=NEW_YORK)


@pytest.mark.parametrize(
    ("given", "utc", "shown"),
    [
        ("2026-03-01T09:00:00+09:00", "2026-03-01T00:00:00", "2026-03-01T09:00:00+09:00"),
        ("2026-03-01T09:00:00Z", "2026-03-01T09:00:00", "2026-03-01T09:00:00+00:00"),
        ("2026-03-01T09:00:00-00:00", "2026-03-01T09:00:00", "2026-03-01T09:00:00+00:00"),
        ("2026-03-01T09:00:00+05:30", "2026-03-01T03:30:00", "2026-03-01T09:00:00+05:30"),
        ("2026-03-01T09:00:00+05:45", "2026-03-01T03:15:00", "2026-03-01T09:00:00+05:45"),
        ("2026-03-01T09:00:00-03:30", "2026-03-01T12:30:00", "2026-03-01T09:00:00-03:30"),
        ("2026-03-01T09:00:00.25-00:30", "2026-03-01T09:30:00.250000", "2026-03-01T09:00:00.250000-00:30"),
        ("2028-02-29T08:59:59+09:00", "2028-02-28T23:59:59", "2028-02-29T08:59:59+09:00"),
        ("2027-01-01T08:30:00+09:00", "2026-12-31T23:30:00", "2027-01-01T08:30:00+09:00"),
        ("2026-12-31T20:00:00-05:00", "2027-01-01T01:00:00", "2026-12-31T20:00:00-05:00"),
        ("9999-12-31T23:59:59+09:00", "9999-12-31T14:59:59", "9999-12-31T23:59:59+09:00"),
        (AMBIGUOUS, "2026-11-01T05:30:00", "2026-11-01T01:30:00-04:00"),
        (AMBIGUOUS.replace(fold=1), "2026-11-01T06:30:00", "2026-11-01T01:30:00-05:00"),
        (datetime(2026, 3, 8, 2, 30, tzinfo=NEW_YORK), "2026-03-08T07:30:00", "2026-03-08T02:30:00-05:00"),
        (datetime(1988, 7, 1, 9, tzinfo=SEOUL), "1988-06-30T23:00:00", "1988-07-01T09:00:00+10:00"),
        (datetime(1900, 1, 1, tzinfo=SEOUL), "1899-12-31T15:32:08", "1899-12-31T23:59:08+08:27"),
        (0, "1970-01-01T00:00:00", "1970-01-01T00:00:00+00:00"),
    ],
)
def test_a_time_is_kept_in_utc_and_shown_as_it_was_given(given: Any, utc: str, shown: str) -> None:
    message = Message(id="m", text="안녕", at=given)
    assert message.at == datetime.fromisoformat(f"{utc}+00:00")
    assert message.at.utcoffset() == timedelta(0)
    assert message.local_at.isoformat() == shown
    episode = Episode(id="e", goal="g", started_at=given)
    assert episode.local_started_at == message.local_at
    assert episode.utc_offset == message.utc_offset


def test_the_offset_of_the_begin_holds_for_the_end_too() -> None:
    both = Episode(
        id="e", goal="g", started_at="2026-03-01T09:00:00+09:00", ended_at=datetime(2026, 3, 1, 0, 5, tzinfo=UTC)
    )
    assert both.local_ended_at is not None
    assert both.local_ended_at.isoformat() == "2026-03-01T09:05:00+09:00"
    ended = Episode(id="e", goal="g", ended_at="2026-03-01T09:05:00+09:00")
    assert (ended.local_started_at, ended.local_ended_at) == (None, both.local_ended_at)
    assert Episode(id="e", goal="g").utc_offset is None


def test_the_offset_is_no_content() -> None:
    seoul = Message(id="m", text="안녕", at="2026-03-01T09:00:00+09:00")
    utc = Message(id="m", text="안녕", at="2026-03-01T00:00:00Z")
    assert (seoul.utc_offset, utc.utc_offset) == (540, None)
    assert content_hash(seoul) == content_hash(utc)
    runs = [Episode(id="e", goal="g", started_at=one.local_at) for one in (seoul, utc)]
    assert episode_hash(runs[0]) == episode_hash(runs[1])


def test_an_offset_that_is_given_beside_a_time_holds() -> None:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    assert Message(id="m", text="t", at=at, utc_offset=-210).local_at.isoformat() == "2026-02-28T20:30:00-03:30"
    for bad in (1440, -1440, 9.5, "540"):
        with pytest.raises(ValidationError):
            Message(id="m", text="t", at=at, utc_offset=bad)


def test_what_is_no_time_has_no_offset_and_is_refused_as_such() -> None:
    naive = datetime(2026, 3, 1)  # noqa: DTZ001 (naive is what is refused)
    given: list[Any] = ["yesterday", None, [], True, naive]
    for bad in given:
        assert offset_of(bad) is None
        with pytest.raises(ValidationError, match="time"):
            Message(id="m", text="t", at=bad)


def test_an_offset_that_leads_out_of_the_calendar_is_left_out() -> None:
    for moment, offset in ((datetime.max.replace(tzinfo=UTC), 60), (datetime.min.replace(tzinfo=UTC), -60)):
        assert in_offset(moment, offset) == moment
    assert offset_of(datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=23, minutes=59, seconds=59)))) == 1439
