"""Recording an episode while it runs: the same on every store, and the same as adding it at once."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

import graphmem
from graphmem.episodes.recorder import EpisodeLeftOpenWarning, Recorder
from graphmem.errors import ConflictError, InvalidInputError, NotFoundError, RecordingError
from graphmem.graph.records import NodeRef
from graphmem.models.checking import checked
from graphmem.models.episode import Cause, Episode, EpisodeState, Outcome, Step
from graphmem.patterns.reading import read_corpus
from recording import Open, picture, root_vector

BEGIN = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
KST = timezone(timedelta(hours=9))


@pytest.fixture
def memory(open_one: Open) -> graphmem.GraphMemory:
    return open_one()


def minute(number: int) -> datetime:
    return BEGIN + timedelta(minutes=number)


def stored_state(memory: graphmem.GraphMemory, name: str) -> str:
    ref = NodeRef("Episode", name)
    return str(memory.workspace.graph.get([ref])[ref].properties["state"])


def interruption(memory: graphmem.GraphMemory, name: str) -> object:
    ref = NodeRef("Episode", name)
    return memory.workspace.graph.get([ref])[ref].properties.get("interrupted")


# The same as at once


def test_a_recorded_episode_equals_the_same_one_added_at_once(memory: graphmem.GraphMemory) -> None:
    said: dict[str, Any] = {
        "domain": "support",
        "task": "refund",
        "variant": {"model": "m", "t": 0},
        "session": "s1",
    }
    said |= {"trigger": "환불해 주세요", "started_at": BEGIN}
    failed: dict[str, Any] = {"errors": ("Timeout",), "effective": False, "concepts": ("가전",), "at": minute(1)}
    with memory.episodes.record("주문 17번 환불", id="live", tags=["가전"], **said) as run:
        run.step("call_api", tools=["http"], **failed)
        run.step("raise_pool", fixes=["PoolExhausted"], arguments={"size": 20}, at=minute(2))
        with run.step("확인", reasoning="둘 다", after=[0, 1], at=minute(3)) as step:
            step.result, step.concepts = "됐다", ["연결", "가전"]
        run.step("알림", after=[], extra={"k": [1]}, at=minute(4))
        run.cause("Timeout", "PoolExhausted")
        run.succeed("환불했다", lessons=["재고를 먼저 본다"], satisfaction=0.5, at=minute(5))
    both = {"reasoning": "둘 다", "result": "됐다", "concepts": ("연결", "가전"), "extra": {"duration_ms": 0}}
    at_once = Episode(
        id="once",
        goal="주문 17번 환불",
        tags=("가전",),
        ended_at=minute(5),
        outcome=Outcome.SUCCESS,
        resolution="환불했다",
        lessons=("재고를 먼저 본다",),
        satisfaction=0.5,
        causes=(Cause(effect="Timeout", cause="PoolExhausted"),),
        steps=(
            Step(action="call_api", tools=("http",), **failed),
            Step(action="raise_pool", fixes=("PoolExhausted",), arguments={"size": 20}, at=minute(2)),
            checked(Step, {"action": "확인", "after": (0, 1), "at": minute(3), **both}),
            Step(action="알림", after=(), extra={"k": [1]}, at=minute(4)),
        ),
        **said,
    )
    memory.episodes.add(at_once)
    without = frozenset({"created_at", "content_hash"})  # the hash is of the id, too
    assert picture(memory, "live", without) == picture(memory, "once", without)
    assert root_vector(memory, "live") == pytest.approx(root_vector(memory, "once"), abs=1e-6)
    live = memory.episodes.get("live")
    assert live.model_copy(update={"id": "once"}) == memory.episodes.get("once")
    assert memory.episodes.add(live).unchanged
    assert memory.episodes.add(at_once.model_copy(update={"id": "live"})).unchanged


def test_every_step_is_stored_as_it_comes_and_changes_are_kept(
    memory: graphmem.GraphMemory, open_one: Open
) -> None:
    reader = open_one()
    run = memory.episodes.record("g", id="e")
    assert reader.episodes.get("e").state is EpisodeState.OPEN
    with run.step("a", concepts=["x"], errors=["E"]) as step:
        assert [one.action for one in reader.episodes.get("e").steps] == ["a"]
        step.concepts, step.errors, step.fixes = ["y"], [], ["F"]
    assert reader.episodes.get("e") == run.episode
    nodes, edges = picture(reader, "e")
    assert [node["name"] for key, node in nodes.items() if key[0] == "Finding"] == ["F"]
    assert {key[0] for key in edges} == {"HAS_STEP", "HAS_FINDING", "ABOUT", "FIXED"}
    run.fail()


def test_an_open_episode_is_neither_similar_nor_mined(memory: graphmem.GraphMemory) -> None:
    run = memory.episodes.record("주문 17번 환불", id="e")
    run.step("조회")
    assert memory.episodes.similar("주문 17번 환불", min_similarity=0.0) == ()
    assert read_corpus(memory.workspace.graph).episodes == ()
    run.succeed()
    assert [hit.id for hit in memory.episodes.similar("주문 17번 환불", min_similarity=0.0)] == ["e"]


def test_a_corrected_outcome_stands_in_the_summary_too(memory: graphmem.GraphMemory) -> None:
    memory.episodes.record("주문 17번 환불", id="e").succeed("환불했다")
    assert (memory.episodes.get("e").summary or "").endswith("결말: 성공.")
    memory.episodes.set_outcome("e", "failure", source="desk")
    memory.episodes.set_outcome("e", "partial", source="desk")
    assert (memory.episodes.get("e").summary or "").endswith("결과: 환불했다. 결말: 일부 달성.")
    assert memory.episodes.add(memory.episodes.get("e")).unchanged


# Who else writes


def test_another_memory_resumes_and_closes(memory: graphmem.GraphMemory, open_one: Open) -> None:
    run = memory.episodes.record("g", id="e", started_at=BEGIN)
    run.step("a", at=minute(1), tools=["http"])
    other = open_one()
    with other.episodes.resume("e") as resumed:
        resumed.step("b", at=minute(2))
        resumed.succeed("done", at=minute(3))
    assert [step.action for step in memory.episodes.get("e").steps] == ["a", "b"]
    memory.episodes.add(memory.episodes.get("e").model_copy(update={"id": "once"}))
    without = frozenset({"created_at", "content_hash"})
    assert picture(memory, "e", without) == picture(memory, "once", without)
    for name in ("e", "once"):
        with pytest.raises(RecordingError, match="closed"):
            memory.episodes.resume(name)
    with pytest.raises(NotFoundError):
        memory.episodes.resume("nobody")


def test_another_users_episode_cannot_be_resumed(open_one: Open) -> None:
    open_one(user="ada").episodes.record("g", id="e")
    with pytest.raises(NotFoundError):
        open_one(user="bora").episodes.resume("e")


def test_of_two_writers_the_second_is_told_and_nothing_is_lost(
    memory: graphmem.GraphMemory, open_one: Open
) -> None:
    first = memory.episodes.record("g", id="e")
    first.step("a")
    second = open_one().episodes.resume("e")
    second.step("b")
    for write in (
        lambda: first.step("c"),
        lambda: first.cause("x", "y"),
        first.succeed,
        lambda: first.messages([]),
    ):
        with pytest.raises(ConflictError):
            write()
    assert [step.action for step in memory.episodes.get("e").steps] == ["a", "b"]
    second.step("c")
    second.succeed()
    with pytest.raises(ConflictError):
        first.step("d")
    with pytest.raises(ConflictError):
        first.fail()
    stored = memory.episodes.get("e")
    assert (stored.outcome, [step.action for step in stored.steps]) == (Outcome.SUCCESS, ["a", "b", "c"])


def test_an_id_that_is_taken_is_a_conflict(memory: graphmem.GraphMemory) -> None:
    memory.episodes.record("g", id="e")
    with pytest.raises(ConflictError, match="already"):
        memory.episodes.record("g", id="e")
    memory.episodes.add(Episode(id="f", goal="g"))
    with pytest.raises(ConflictError, match="already"):
        memory.episodes.record("g", id="f")


def test_a_forgotten_episode_is_not_brought_back(memory: graphmem.GraphMemory) -> None:
    run = memory.episodes.record("g", id="e")
    memory.episodes.forget("e")
    for write in (lambda: run.step("a"), run.succeed):
        with pytest.raises(ConflictError):
            write()
    assert not memory.workspace.graph.get([NodeRef("Episode", "e")])


def test_threads_record_side_by_side(memory: graphmem.GraphMemory) -> None:
    def record(number: int) -> None:
        with memory.episodes.record(f"g{number}", id=f"e{number}") as run:
            for step in range(4):
                run.step(f"a{step}", tools=["http"], concepts=["가전"])
            run.succeed()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(record, range(8)))
    found = {episode.id: episode for episode in memory.episodes.all()}
    assert set(found) == {f"e{number}" for number in range(8)}
    assert all(len(episode.steps) == 4 and episode.outcome is Outcome.SUCCESS for episode in found.values())
    assert memory.workspace.graph.count("Tool") == memory.workspace.graph.count("Concept") == 1


# How it ends


def test_an_exception_closes_as_a_failure_and_goes_on(memory: graphmem.GraphMemory) -> None:
    fault = TimeoutError("결제 서버 17 응답 없음")
    recording = memory.episodes.record("g", id="e")
    with pytest.raises(TimeoutError) as caught, recording as run:  # noqa: PT012 (the recording is meant)
        run.step("look")
        with run.step("outer"), run.step("pay", errors=["Slow"]):
            raise fault
    assert caught.value is fault
    assert not getattr(fault, "__notes__", [])
    stored = memory.episodes.get("e")
    assert (stored.outcome, stored.error) == (Outcome.FAILURE, stored.resolution)
    assert stored.error == "TimeoutError: 결제 서버 # 응답 없음"
    assert [(said.outcome, said.source) for said in stored.outcome_history] == [(Outcome.FAILURE, "exception")]
    assert [step.errors for step in stored.steps] == [(), (), ("Slow",)]
    assert [step.effective for step in stored.steps] == [True, False, False]
    nodes, edges = picture(memory, "e")
    findings = {node["name"]: node.get("source") for key, node in nodes.items() if key[0] == "Finding"}
    assert findings == {"Slow": None, stored.error: "close"}
    (raised,) = (target for kind, _, target in edges if kind == "RAISED")
    assert nodes[raised]["name"] == "Slow"
    (mined,) = read_corpus(memory.workspace.graph).episodes
    assert {node.key for node in mined.graph.nodes if node.kind in {"symptom", "cause"}} == {"slow"}


def test_an_exception_that_is_caught_marks_only_its_step(memory: graphmem.GraphMemory) -> None:
    with memory.episodes.record("g", id="e") as run:
        with pytest.raises(KeyError), run.step("look") as step:  # noqa: PT012 (the step is meant)
            step.result = "none"
            raise KeyError("주문")
        run.step("ask")
        run.succeed()
    first, second = memory.episodes.get("e").steps
    assert (first.effective, first.errors, first.result) == (False, ("KeyError",), "none")
    assert second.effective
    assert memory.episodes.get("e").error is None


class UnprintableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


@pytest.mark.parametrize(
    "fault",
    [
        ValueError(),
        ValueError("\ud800\0\u202e"),
        UnprintableError(),
        KeyError("x" * 100_000),
        ExceptionGroup("g", [OSError()]),
    ],
)
def test_any_exception_closes_it(memory: graphmem.GraphMemory, fault: Exception) -> None:
    with pytest.raises(type(fault)) as caught, memory.episodes.record("g", id="e") as run, run.step("a"):
        raise fault
    assert caught.value is fault
    assert memory.episodes.get("e").outcome is Outcome.FAILURE
    assert len(memory.episodes.get("e").error or "") <= 80


@pytest.mark.parametrize("fault", [KeyboardInterrupt, asyncio.CancelledError, GeneratorExit, SystemExit])
def test_an_interruption_leaves_it_open(memory: graphmem.GraphMemory, fault: type[BaseException]) -> None:
    given = fault()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        recording = memory.episodes.record("g", id="e")
        with pytest.raises(fault) as caught, recording as run, run.step("a") as step:  # noqa: PT012 (as above)
            step.result = "half"
            raise given
    assert caught.value is given
    stored = memory.episodes.get("e")
    assert (stored.state, stored.outcome, stored.steps[0].result) == (EpisodeState.OPEN, None, "half")
    assert stored.steps[0].effective
    assert interruption(memory, "e") == fault.__name__
    (waiting,) = memory.episodes.pending()
    assert (waiting.id, waiting.is_ended) == ("e", False)
    assert fault.__name__ in waiting.why
    with memory.episodes.resume("e") as run:
        run.step("b")
        assert interruption(memory, "e") is None
        run.succeed()
    assert memory.episodes.pending() == ()


def test_a_generator_and_a_task_that_are_let_go_leave_it_open(memory: graphmem.GraphMemory) -> None:
    def agent() -> Iterator[int]:
        with memory.episodes.record("g", id="generator") as run:
            run.step("a")
            yield 1
            run.succeed()

    running = agent()
    next(running)
    running.close()  # type: ignore[attr-defined]  # a generator has it
    assert interruption(memory, "generator") == "GeneratorExit"

    async def work() -> None:
        with memory.episodes.record("g", id="task") as run:
            run.step("a")
            await asyncio.sleep(60)

    async def cancel() -> None:
        task = asyncio.ensure_future(work())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert interruption(memory, "task") == "CancelledError"


def test_left_without_a_word_it_warns_and_stays_open(memory: graphmem.GraphMemory) -> None:
    with pytest.warns(EpisodeLeftOpenWarning, match="'e'.*resume"), memory.episodes.record("g", id="e") as run:
        run.step("a")
    assert stored_state(memory, "e") == "open"
    assert "left without saying" in str(interruption(memory, "e"))
    assert len(memory.episodes.resume("e").episode.steps) == 1


def everything(run: Recorder) -> Iterator[Any]:
    yield lambda: run.step("late")
    yield lambda: run.cause("a", "b")
    yield lambda: run.messages([])
    yield run.succeed
    yield lambda: run.close("unknown")


def test_after_the_close_everything_is_refused(memory: graphmem.GraphMemory) -> None:
    with memory.episodes.record("g", id="e") as run:
        step = run.step("a")
        run.partial("half")
        for call in everything(run):
            with pytest.raises(RecordingError, match="over"):
                call()
        with pytest.raises(RecordingError, match="over"), step:
            step.result = "late"
    stored = memory.episodes.get("e")
    assert (stored.outcome, stored.steps[0].result) == (Outcome.PARTIAL, "")
    with pytest.warns(EpisodeLeftOpenWarning), memory.episodes.record("g", id="f") as run:
        pass
    with pytest.raises(RecordingError, match="resume"):
        run.step("late")


# What is refused


NAIVE = datetime(2026, 3, 1, 9, 0)  # noqa: DTZ001 (what is tested)


@pytest.mark.parametrize(
    "given",
    [
        {"action": " "},
        {"action": "a" * 600},
        {"action": "a", "result": "\ud800"},
        {"action": "a", "result": 7},
        {"action": "a", "effective": 1},
        {"action": "a", "tools": "http"},
        {"action": "a", "errors": "Timeout"},
        {"action": "a", "concepts": [7]},
        {"action": "a", "fixes": 7},
        {"action": "a", "concepts": ["\u200b"]},
        {"action": "a", "arguments": {"x": object()}},
        {"action": "a", "arguments": [1]},
        {"action": "a", "extra": {"x": float("nan")}},
        {"action": "a", "after": [1]},
        {"action": "a", "after": [5]},
        {"action": "a", "after": [0, 0]},
        {"action": "a", "at": NAIVE},
    ],
)
def test_what_is_refused_leaves_nothing_and_the_recorder_usable(
    memory: graphmem.GraphMemory, given: dict[str, Any]
) -> None:
    run = memory.episodes.record("g", id="e")
    run.step("first")
    before = picture(memory, "e")
    with pytest.raises(InvalidInputError):
        run.step(**given)
    assert picture(memory, "e") == before
    run.step("second")
    run.succeed()
    assert [step.action for step in memory.episodes.get("e").steps] == ["first", "second"]


@pytest.mark.parametrize(
    "given",
    [{"lessons": "Check stock"}, {"satisfaction": 7}, {"satisfaction": -0.1}, {"outcome": "won"}, {"error": ""},
     {"error": "\u200b"}, {"resolution": "\0"}, {"at": BEGIN - timedelta(seconds=1)}, {"at": NAIVE}],
)  # fmt: skip
def test_a_close_that_is_refused_leaves_it_open(memory: graphmem.GraphMemory, given: dict[str, Any]) -> None:
    run = memory.episodes.record("g", id="e", started_at=BEGIN)
    with pytest.raises(InvalidInputError):
        run.close(**{"outcome": "success", **given})
    assert stored_state(memory, "e") == "open"
    assert not any(waiting.is_ended for waiting in memory.episodes.pending())
    run.step("go on")
    run.succeed()
    assert memory.episodes.get("e").outcome is Outcome.SUCCESS


@pytest.mark.parametrize(
    "given", [{"tags": "support"}, {"started_at": NAIVE}, {"id": "a b"}, {"domain": " "}, {"on_error": "x"}]
)
def test_a_recording_that_is_refused_is_not_begun(memory: graphmem.GraphMemory, given: dict[str, Any]) -> None:
    memory.episodes.add(Episode(id="other", goal="g"))
    with pytest.raises(InvalidInputError):
        memory.episodes.record("g", **given)
    assert [episode.id for episode in memory.episodes.all()] == ["other"]


def test_a_naive_time_is_refused_with_what_to_pass(memory: graphmem.GraphMemory) -> None:
    run = memory.episodes.record("g")
    for call in (
        lambda: memory.episodes.record("g", started_at=NAIVE),
        lambda: run.step("a", at=NAIVE),
        lambda: run.succeed(at=NAIVE),
    ):
        with pytest.raises(InvalidInputError, match="aware datetime"):
            call()
    run.succeed()


# Time


def test_equal_backward_and_future_times_are_kept_as_they_are(memory: graphmem.GraphMemory) -> None:
    times = [
        minute(5),
        minute(5),
        minute(1),
        datetime(2100, 2, 28, tzinfo=UTC),
        datetime(2028, 2, 29, 23, 59, tzinfo=KST),
    ]
    run = memory.episodes.record("g", id="e", started_at=minute(3))
    for number, at in enumerate(times):
        run.step(f"a{number}", at=at)
    run.succeed(at=minute(3))
    stored = memory.episodes.get("e")
    assert [step.at for step in stored.steps] == times
    assert [step.action for step in stored.steps] == [f"a{number}" for number in range(len(times))]
    assert stored.duration_ms == 0


def test_a_begin_in_the_future_does_not_keep_it_from_ending(memory: graphmem.GraphMemory) -> None:
    later = memory.workspace.now() + timedelta(hours=1)
    with pytest.raises(ValueError, match="boom"), memory.episodes.record("g", id="e", started_at=later):
        raise ValueError("boom")
    stored = memory.episodes.get("e")
    assert (stored.outcome, stored.ended_at) == (Outcome.FAILURE, later)


def test_blocks_are_timed_by_the_clock(open_one: Open) -> None:
    memory = open_one()
    clock = memory.workspace.clock
    with memory.episodes.record("g", id="e") as run:
        with run.step("a", extra={"k": 1}):
            clock.advance(seconds=1.5)  # type: ignore[attr-defined]  # the tests' own clock
        run.step("b")
        run.succeed()
    first, second = memory.episodes.get("e").steps
    assert first.extra == {"k": 1, "duration_ms": 1500}
    assert second.extra == {}
    assert memory.episodes.get("e").duration_ms == 1500
