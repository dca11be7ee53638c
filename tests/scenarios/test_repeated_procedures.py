"""Steps that succeeded repeatedly become a procedure where there is too little to mine; it claims counts alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

import graphmem
from graphmem.consolidation.consolidate import consolidate
from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.models.procedure import Procedure
from graphmem.transfer.erasing import erase_user

OpenMemory = Callable[..., graphmem.GraphMemory]


@pytest.fixture
def memory(open_memory: OpenMemory) -> graphmem.GraphMemory:
    """A memory without a grammar, which nothing here needs."""
    return open_memory(analyzer="plain")


WAY = ("주문 조회", "환불", "알림")


def run(number: int, actions: Iterable[str], outcome: str = "success", **fields: Any) -> graphmem.Episode:
    steps = [{"action": action} for action in actions]
    given = {"id": f"r{number}", "goal": "g", "outcome": outcome, "task": f"t{number}", "user_id": f"u{number}"}
    return graphmem.Episode.model_validate({**given, "steps": steps, **fields})


def repeated(memory: graphmem.GraphMemory, **fields: Any) -> list[Procedure]:
    return [one for one in memory.procedures.list(limit=1000, **fields) if one.origin == "repeated"]


def test_steps_that_succeeded_three_times_over_two_tasks_are_kept(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many([run(n, ("로그인", *WAY) if n else WAY) for n in range(2)])
    memory.consolidate()
    assert repeated(memory) == []
    memory.episodes.add(run(2, (*WAY, "종료"), task="t1"))
    memory.consolidate()
    (one,) = repeated(memory)
    assert (one.steps, one.successes, one.failures, one.user_id) == (WAY, 3, 0, None)
    assert set(one.sources) == {"r0", "r1", "r2"}
    assert not memory.consolidate(plan=True)


def test_one_task_is_not_enough_and_one_user_teaches_himself_alone(open_memory: OpenMemory) -> None:
    memory = open_memory(analyzer="plain")
    memory.episodes.add_many([run(n, WAY, task="same") for n in range(5)])
    memory.consolidate()
    assert repeated(memory) == []
    memory.episodes.add_many([run(n, ("빌드", "배포"), user_id="ada") for n in range(10, 13)])
    memory.consolidate()
    assert [one.user_id for one in repeated(memory)] == ["ada"]
    assert repeated(open_memory(user="bob")) == []
    memory.episodes.add(run(13, ("빌드", "배포"), user_id="bob"))
    memory.consolidate()
    assert [(one.user_id, one.successes) for one in repeated(open_memory(user="cy"))] == [(None, 4)]
    assert not memory.consolidate(plan=True)


def test_failures_lower_the_rate_and_hide_nothing(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many([run(n, WAY) for n in range(3)])
    memory.consolidate()
    (before,) = repeated(memory)
    memory.episodes.add_many([run(n, WAY, "failure") for n in range(3, 8)])
    memory.consolidate()
    (after,) = repeated(memory)
    assert after.id == before.id
    assert (after.successes, after.failures) == (3, 5)
    assert after.confidence < before.confidence
    assert not memory.consolidate(plan=True)


def test_what_fails_as_often_is_not_taught(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many([run(n, WAY, ("success", "failure")[n % 2]) for n in range(8)])
    memory.consolidate()
    assert repeated(memory) == []


def test_steps_without_effect_and_repetition_are_left_out(memory: graphmem.GraphMemory) -> None:
    steps = [{"action": "조회"}, {"action": "조회"}, {"action": "막힘", "effective": False}, {"action": "환불"}]
    memory.episodes.add_many([run(n, (), steps=steps) for n in range(3)])
    memory.consolidate()
    assert [one.steps for one in repeated(memory)] == [("조회", "환불")]


def test_a_longer_way_is_a_newer_version(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many([run(n, WAY[:2]) for n in range(3)])
    memory.consolidate()
    (older,) = repeated(memory)
    memory.episodes.add_many([run(n, WAY) for n in range(3, 6)])
    memory.consolidate()
    (newer,) = repeated(memory)
    assert newer.steps == WAY
    assert [one.id for one in memory.procedures.history(newer.id)] == [newer.id, older.id]
    assert memory.procedures.get(older.id).successes == 6
    assert not memory.consolidate(plan=True)


def test_it_goes_with_the_episodes_it_was_learned_from(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many([run(n, WAY, user_id="ada") for n in range(3)])
    memory.consolidate()
    assert repeated(memory)
    erase_user(memory.workspace.graph, "ada")
    memory.consolidate()
    assert repeated(memory, superseded=True) == []
    assert not memory.consolidate(plan=True)


def test_where_there_is_enough_to_mine_nothing_untested_is_learned(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many([run(n, WAY) for n in range(5)])
    work = memory.workspace
    policy = ConsolidationPolicy(repeated_most_episodes=4)
    consolidate(work.graph, embedder=work.embedder, clock=work.clock, entropy=work.entropy(10), policy=policy)
    assert repeated(memory) == []
