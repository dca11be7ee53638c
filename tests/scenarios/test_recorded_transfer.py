"""What a recorder leaves, closed, interrupted or waiting, survives exports, copies and erasures."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import graphmem
from graphmem.errors import ReplyError
from graphmem.graph.records import NodeRef
from graphmem.models.episode import EpisodeState, Outcome
from graphmem.testing.clock import FakeClock
from graphmem.testing.scripted_model import ScriptedModel
from graphmem.transfer.copying import copy_store
from graphmem.transfer.erasing import erase_user
from graphmem.transfer.exporting import export_full
from transferring import exported, exported_records, import_data

BEGIN = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
END = BEGIN + timedelta(minutes=4)
SAID = "I live in Seoul."
REPLY = json.dumps(
    {
        "summary": "A refund was wanted. It was looked up. The refund was issued.",
        "lessons": ["Check stock first."],
        "outcome": {"value": "success", "reason": "It was issued.", "quote": "refund issued"},
        "facts": [{"subject": "Ada", "predicate": "lives_in", "object": "Seoul", "quote": SAID}],
    }
)
NAMES = ("bad", "closed", "corrected", "failed", "judged", "open", "waiting")

Begin = Callable[..., graphmem.GraphMemory]


@pytest.fixture
def begin(tmp_path: Path) -> Begin:
    def opened(name: str = "first", **more: Any) -> graphmem.GraphMemory:
        return graphmem.open(tmp_path / f"{name}.db", embedder="hashing", clock=FakeClock(), **more)

    return opened


def fill(begin: Begin, user: str = "ada") -> None:
    """One episode of each kind."""
    with begin(user=user) as memory:
        with memory.episodes.record("주문 17번 환불", id="closed", started_at=BEGIN, session="s1") as run:
            run.step("조회", errors=["시간 초과"], effective=False, tools=["http"], concepts=["가전"])
            run.step("대기", fixes=["시간 초과"])
            run.succeed("환불했다", lessons=["재고를 본다"], at=END)
        with memory.episodes.record("g", id="corrected", started_at=BEGIN) as run:
            run.succeed(at=END)
        memory.episodes.set_outcome("corrected", "failure", source="desk", at=END)
        with pytest.raises(TimeoutError), memory.episodes.record("g", id="failed") as run, run.step("pay"):
            raise TimeoutError("결제 17")
        with pytest.raises(KeyboardInterrupt), memory.episodes.record("g", id="open") as run, run.step("look"):
            raise KeyboardInterrupt
        with memory.episodes.record("g", id="bad", started_at=BEGIN) as run:
            run.close("failure", source="judge", at=END)
    with begin(user=user, language_model=ScriptedModel([REPLY], always="no")) as memory:
        run = memory.episodes.record("Refund order 17", id="judged", started_at=BEGIN)
        run.step("pay", result="refund issued")
        memory.messages.add(SAID, id="m1", at=BEGIN, episode="judged")
        run.close(at=END)
        with pytest.raises(ReplyError):
            memory.episodes.record("g", id="waiting", started_at=BEGIN).partial("half", lessons=["l"], at=END)


def test_exporting_importing_and_exporting_gives_the_same_bytes(begin: Begin) -> None:
    fill(begin)
    with begin() as first, begin("second") as second:
        data = exported(first.workspace.graph)
        assert not import_data(second.workspace, data).refused
        assert exported(second.workspace.graph) == data
        assert [record["id"] for record in exported_records(second.workspace.graph, "episode")] == list(NAMES)
        for name in ("closed", "failed", "bad", "corrected"):
            assert second.episodes.get(name) == first.episodes.get(name)
        assert second.episodes.get("open").state is EpisodeState.OPEN
        judged = second.episodes.get("judged")
        assert (judged.outcome, judged.summary) == (Outcome.SUCCESS, json.loads(REPLY)["summary"])


def test_an_export_read_into_its_own_store_is_unchanged(begin: Begin) -> None:
    fill(begin)
    with begin() as memory:
        data = exported(memory.workspace.graph)
        report = import_data(memory.workspace, data)
        # of an episode that waits, the export says what is known of its end
        assert (report.added, report.changed, report.refused) == (0, 1, [])
        assert exported(memory.workspace.graph) == data
        for name in NAMES:
            if memory.episodes.get(name).state is EpisodeState.CLOSED:
                assert memory.episodes.add(memory.episodes.get(name)).unchanged


def test_what_is_known_of_the_end_of_a_waiting_episode_is_exported(begin: Begin) -> None:
    fill(begin)
    with begin() as first, begin("second") as second:
        import_data(second.workspace, exported(first.workspace.graph))
        stored = second.episodes.get("waiting")
        assert (stored.outcome, stored.resolution, stored.lessons) == (Outcome.PARTIAL, "half", ("l",))
        assert first.episodes.finalize() == ("waiting",)
        assert first.episodes.get("waiting") == stored


def test_a_full_export_and_a_copy_keep_what_it_waits_for(begin: Begin) -> None:
    fill(begin)
    with begin() as first, begin("copied") as copied, begin("restored") as restored:
        copy_store(first.store, copied.store, [first.tenant])
        stream = io.BytesIO()
        export_full(first.workspace.graph, stream, first.store.info().embedder)
        assert not import_data(restored.workspace, stream.getvalue()).refused
        for memory in (copied, restored):
            waiting = {one.id: (one.why, one.is_ended) for one in first.episodes.pending()}
            assert {one.id: (one.why, one.is_ended) for one in memory.episodes.pending()} == waiting
            assert set(waiting) == {"open", "waiting"}
            assert memory.episodes.finalize() == ("waiting",)
            assert memory.episodes.get("waiting").outcome is Outcome.PARTIAL
            memory.episodes.resume("open").succeed()


def test_erasing_a_user_leaves_nothing_of_his_recordings(begin: Begin) -> None:
    fill(begin)
    with begin(user="bora") as memory, begin(user="ada") as hers:
        memory.episodes.record("보라의 일", id="bora-1").succeed()
        assert [one.text for one in hers.recall("Seoul", kinds=["fact"])] == [SAID]
        graph = memory.workspace.graph
        erased = erase_user(graph, "ada")
        assert erased["Episode"] == len(NAMES)
        assert erased["Finding"] >= 2
        assert (erased["Memory"], erased["Message"]) == (1, 1)
        left = {label: graph.count(label) for label in ("Episode", "Step", "Finding", "Memory", "Message", "Tool")}
        assert left == {"Episode": 1, "Step": 0, "Finding": 0, "Memory": 0, "Message": 0, "Tool": 0}
        assert hers.episodes.pending() == ()


def test_a_fact_outlives_the_episode_it_was_found_in_while_its_message_stands(begin: Begin) -> None:
    with begin(language_model=ScriptedModel(always=REPLY)) as memory:
        run = memory.episodes.record("Refund order 17", id="e", started_at=BEGIN)
        memory.messages.add(SAID, id="m1", at=BEGIN, episode="e")
        run.close(at=END)
        assert memory.workspace.graph.count("Memory") == 1
        memory.episodes.forget("e")
        # what was said stays, and so does the fact that the message asserts
        (fact,) = memory.workspace.graph.scan("Memory").records
        edges = memory.workspace.graph.edges([fact.ref])
        assert [(edge.type, edge.target) for edge in edges] == [("ASSERTED_IN", NodeRef("Message", "m1"))]
