"""The guide's recipe for asyncio: cancelled at any moment it leaves an episode open, whole as far as it went."""

from __future__ import annotations

import asyncio
import importlib.util
from pathlib import Path
from typing import Any

import pytest

import graphmem
from document_blocks import ROOT, Prompt, runnable
from graphmem.memory import GraphMemory
from graphmem.models.episode import EpisodeState, Outcome

GUIDE = ROOT / "docs" / "guide" / "episodes.md"
ACTIONS = ("주문 조회", "issue_refund", "send_mail")


@pytest.fixture
def recording(tmp_path: Path) -> Any:
    [block] = [block for block in runnable(GUIDE) if "cat > recording.py" in block.code]
    assert Prompt(tmp_path).run(block).returncode == 0
    spec = importlib.util.spec_from_file_location("recording", tmp_path / "recording.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.recording


async def refund(recording: Any, memory: GraphMemory, name: str) -> None:
    async with recording(memory, goal="주문 환불", id=name) as (run, write):
        for action in ACTIONS:
            await write(run.step, action)
        await write(run.succeed, "환불함")


async def cancelled(recording: Any, memory: GraphMemory, name: str, turns: int) -> None:
    """A refund that is cancelled after so many turns of the event loop."""
    task = asyncio.create_task(refund(recording, memory, name))
    for _ in range(turns):
        await asyncio.sleep(0.001)
    task.cancel()
    [ended] = await asyncio.gather(task, return_exceptions=True)
    assert ended is None or isinstance(ended, asyncio.CancelledError)


def test_cancelled_at_any_moment_an_episode_is_whole_as_far_as_it_went(recording: Any, tmp_path: Path) -> None:
    with graphmem.open(tmp_path / "memory.db", embedder="hashing") as memory:
        memory.remember("so that there is a store")
        for turns in range(25):
            asyncio.run(cancelled(recording, memory, f"run-{turns}", turns))
        waiting = {item.id: item for item in memory.episodes.pending()}
        episodes = list(memory.episodes.all())
        for episode in episodes:
            actions = tuple(step.action for step in episode.steps)
            assert actions == ACTIONS[: len(actions)]
            assert (episode.state is EpisodeState.OPEN) == (episode.id in waiting)
            if episode.state is EpisodeState.CLOSED:
                assert (actions, episode.outcome) == (ACTIONS, Outcome.SUCCESS)
            elif actions:
                assert "CancelledError" in waiting[episode.id].why
        for name in waiting:
            memory.episodes.resume(name).fail("취소됨")
        assert memory.episodes.pending() == ()


def test_several_recordings_at_a_time_and_an_exception_in_one(recording: Any, tmp_path: Path) -> None:
    async def failing(memory: GraphMemory) -> None:
        async with recording(memory, goal="주문 환불", id="failing") as (run, write):
            await write(run.step, "issue_refund")
            raise ValueError("카드가 거절됨")

    async def all_of_them(memory: GraphMemory) -> list[BaseException | None]:
        runs = [refund(recording, memory, f"run-{number}") for number in range(8)]
        return await asyncio.gather(*runs, failing(memory), return_exceptions=True)

    with graphmem.open(tmp_path / "memory.db", embedder="hashing") as memory:
        *good, bad = asyncio.run(all_of_them(memory))
        assert good == [None] * 8
        assert isinstance(bad, ValueError)
        assert [memory.episodes.get(f"run-{number}").outcome for number in range(8)] == [Outcome.SUCCESS] * 8
        failed = memory.episodes.get("failing")
        assert (failed.outcome, failed.error) == (Outcome.FAILURE, "ValueError: 카드가 거절됨")
