"""Times through the whole memory: shown where they were, exported as given, and naive ones refused with advice."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

import graphmem
from graphmem.episodes.found_facts import facts_by_rules
from graphmem.errors import InvalidInputError
from graphmem.memory import GraphMemory
from graphmem.models.message import Message
from graphmem.testing import FakeClock
from graphmem.transfer.exporting import export_domain
from graphmem.transfer.importing import import_records
from graphmem.transfer.sources import stream_source

SEOUL = timezone(timedelta(hours=9))
KATHMANDU = timezone(timedelta(hours=5, minutes=45))
EARLY = datetime(2026, 3, 1, 8, 0, tzinfo=SEOUL)
"""The 1st of March in Seoul, the last of February in UTC."""
NAIVE = datetime(2026, 3, 1, 9)  # noqa: DTZ001 (naive is what is refused)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[GraphMemory]:
    with graphmem.open(tmp_path / "memory.db", embedder="hashing", clock=FakeClock()) as opened:
        yield opened


def exported(memory: GraphMemory) -> bytes:
    stream = io.BytesIO()
    export_domain(memory.workspace.graph, stream)
    return stream.getvalue()


def imported(path: Path, data: bytes) -> bytes:
    """A store into which a file was imported, exported."""
    with graphmem.open(path, embedder="none") as other:
        report = import_records(other.workspace, [stream_source("export.jsonl", io.BytesIO(data))])
        assert report.refused == []
        return exported(other)


def test_stored_times_come_back_with_their_offset(memory: GraphMemory) -> None:
    message = memory.messages.add("어제 이사했어요", at=EARLY, id="m1")
    memory.episodes.add(
        {"id": "e1", "goal": "환불", "started_at": EARLY, "ended_at": EARLY + timedelta(minutes=3)}
    )
    read, episode = memory.messages.get("m1"), memory.episodes.get("e1")
    assert (read.at, read.local_at) == (message.at, EARLY)
    assert read.local_at.isoformat() == "2026-03-01T08:00:00+09:00"
    assert episode.started_at is not None
    assert episode.started_at.utcoffset() == timedelta(0)
    assert episode.local_started_at is not None
    assert episode.local_started_at.isoformat() == "2026-03-01T08:00:00+09:00"


def test_the_same_moment_in_another_offset_is_the_same_message(memory: GraphMemory) -> None:
    memory.messages.add("안녕하세요", at=EARLY, id="m1")
    memory.messages.add("안녕하세요", at=EARLY.astimezone(UTC), id="m1")
    memory.episodes.add({"id": "e1", "goal": "g", "started_at": EARLY})
    again = memory.episodes.add({"id": "e1", "goal": "g", "started_at": EARLY.astimezone(KATHMANDU)})
    assert (list(again.unchanged), list(again.changed)) != ([], [])
    assert not again.changed
    assert memory.messages.get("m1").local_at.isoformat() == "2026-03-01T08:00:00+09:00"


def test_exporting_importing_and_exporting_again_gives_the_same_bytes(memory: GraphMemory, tmp_path: Path) -> None:
    for number, zone in enumerate((SEOUL, KATHMANDU, UTC, timezone(timedelta(hours=-3, minutes=-30)))):
        at = EARLY.astimezone(zone) + timedelta(microseconds=number)
        memory.messages.add(f"메시지 {number}", at=at, id=f"m{number}", session=f"s{number}")
        memory.episodes.add({"id": f"e{number}", "goal": "환불", "started_at": at, "ended_at": at})
    first = exported(memory)
    assert b'"at":"2026-03-01T08:00:00+09:00"' in first
    assert b'"started_at":"2026-03-01T04:45:00.000001+05:45"' in first
    second = imported(tmp_path / "second.db", first)
    assert second == first
    assert imported(tmp_path / "third.db", second) == first


def test_a_file_written_in_utc_is_what_is_stored_already(memory: GraphMemory) -> None:
    memory.messages.add("안녕하세요", at=EARLY, id="m1", session="s1")
    in_utc = exported(memory).replace(b"2026-03-01T08:00:00+09:00", b"2026-02-28T23:00:00Z")
    report = import_records(memory.workspace, [stream_source("old.jsonl", io.BytesIO(in_utc))])
    assert (report.added, report.changed, report.refused) == (0, 0, [])


def test_days_are_told_where_they_were(memory: GraphMemory) -> None:
    goal = "파손된 주문 환불"
    memory.episodes.add(
        {
            "id": "e1",
            "goal": goal,
            "summary": goal,
            "outcome": "success",
            "resolution": "환불함",
            "started_at": EARLY,
        }
    )
    memory.messages.add("컵이 깨졌어요", at=EARLY, id="m1")
    assert "- 3/1: 환불함" in memory.episodes.experience(goal)
    assert "2026-03-01" in memory.episodes.situation(goal).suggestion
    assert "(2026-03-01) 컵이 깨졌어요" in memory.context("컵이 깨졌어요")
    (item,) = memory.recall("컵이 깨졌어요", kinds=["message"], limit=1)
    assert (item.at, item.local_at) == (EARLY, EARLY)
    assert item.local_at is not None
    assert item.local_at.isoformat() == "2026-03-01T08:00:00+09:00"


def test_yesterday_is_the_day_before_where_it_was_said() -> None:
    message = Message(id="m1", text="I moved to Seoul yesterday.", at=EARLY)
    [found] = facts_by_rules([message])
    assert found.claim.object == "Seoul"
    assert found.claim.valid_from == datetime(2026, 2, 28, tzinfo=SEOUL)


@pytest.mark.parametrize(
    "given",
    [
        lambda memory: memory.messages.add("안녕", at=NAIVE),
        lambda memory: memory.messages.list(since=NAIVE),
        lambda memory: memory.remember("x", at=NAIVE),
        lambda memory: memory.remember("x", valid_from=NAIVE),
        lambda memory: memory.recall("x", as_of=NAIVE),
        lambda memory: memory.episodes.add({"id": "e", "goal": "g", "started_at": NAIVE}),
        lambda memory: memory.episodes.add({"id": "e", "goal": "g", "steps": [{"action": "a", "at": NAIVE}]}),
        lambda memory: memory.episodes.list(until=NAIVE),
        lambda memory: memory.episodes.set_outcome("closed", "failure", at=NAIVE),
        lambda memory: memory.episodes.record(goal="g", started_at=NAIVE),
        lambda memory: memory.episodes.resume("open").step("look", at=NAIVE),
        lambda memory: memory.episodes.resume("open").succeed(at=NAIVE),
    ],
)
def test_a_naive_time_is_refused_with_what_to_pass(
    memory: GraphMemory, given: Callable[[GraphMemory], Any]
) -> None:
    memory.episodes.add({"id": "closed", "goal": "g"})
    memory.episodes.record(goal="g", id="open")
    with pytest.raises(InvalidInputError, match=r"no offset: .*or pass an aware datetime such as datetime\.now"):
        given(memory)
