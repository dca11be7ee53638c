"""What users tell to be done becomes a procedure with its messages: one user's own until another one agrees."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any
from unicodedata import normalize

import pytest

import graphmem
from graphmem.graph.records import NodeRef
from graphmem.models.procedure import Procedure
from graphmem.transfer.erasing import erase_user

OpenMemory = Callable[..., graphmem.GraphMemory]


@pytest.fixture
def memory(open_memory: OpenMemory) -> graphmem.GraphMemory:
    """A memory without a grammar, which nothing here needs."""
    return open_memory(analyzer="plain")


START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
RULE = "푸시하기 전에는 항상 테스트를 돌려."
DEPLOY = "배포하려면 먼저 빌드하고, 그다음 테스트하고, 마지막으로 서버에 올려."
NEWER = "배포하려면 먼저 빌드하고, 그다음 승인을 받고, 마지막으로 서버에 올려."


def say(memory: graphmem.GraphMemory, name: str, text: str, user: str | None = "ada", **fields: Any) -> None:
    memory.messages.add_many(
        [{"id": name, "text": text, "user_id": user, "at": START + timedelta(minutes=int(name[1:])), **fields}]
    )


def told(memory: graphmem.GraphMemory, **fields: Any) -> list[Procedure]:
    return [one for one in memory.procedures.list(limit=1000, **fields) if one.origin == "told"]


def test_an_instruction_of_a_user_is_kept_with_its_message(memory: graphmem.GraphMemory) -> None:
    say(memory, "m1", RULE)
    say(memory, "m2", "오늘 점심은 뭐 먹지?")
    (document,) = memory.consolidate(plan=True).to_dict()["taught"]
    assert document["steps"] == ["테스트를 돌려", "푸시"]
    assert told(memory) == []
    memory.consolidate()
    (one,) = told(memory)
    assert (one.steps, one.user_id, one.sources) == (("테스트를 돌려", "푸시"), "ada", ("m1",))
    edges = memory.workspace.graph.edges([NodeRef("Procedure", one.id)], ["DERIVED_FROM"])
    assert [edge.target for edge in edges] == [NodeRef("Message", "m1")]
    assert [item.id for item in memory.recall("테스트 푸시", kinds=["procedure"])] == [one.id]
    assert not memory.consolidate(plan=True)


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_words_of_others_than_users_teach_nothing(memory: graphmem.GraphMemory, role: str) -> None:
    say(memory, "m1", RULE, role=role)
    memory.consolidate()
    assert told(memory) == []


def test_one_users_instruction_is_his_until_another_one_says_the_same(open_memory: OpenMemory) -> None:
    memory, bob = open_memory(analyzer="plain"), open_memory(user="bob")
    say(memory, "m1", RULE)
    say(memory, "m2", RULE)
    memory.consolidate()
    assert told(bob) == []
    say(memory, "m3", normalize("NFD", RULE), "bob")
    memory.consolidate()
    (one,) = told(bob)
    assert (one.user_id, one.sources, one.extra["users"]) == (None, ("m1", "m2", "m3"), 2)
    assert told(memory) == [one]
    assert not memory.consolidate(plan=True)
    erase_user(memory.workspace.graph, "bob")
    memory.consolidate()
    assert [(one.user_id, one.sources) for one in told(memory)] == [("ada", ("m1", "m2"))]


def test_changed_steps_are_a_new_version(memory: graphmem.GraphMemory) -> None:
    say(memory, "m1", DEPLOY)
    memory.consolidate()
    (older,) = told(memory)
    say(memory, "m2", NEWER)
    assert memory.consolidate().counts["superseded"] == 1
    (newer,) = told(memory)
    assert newer.steps == ("빌드", "승인을 받기", "서버에 올려")
    assert [one.id for one in memory.procedures.history(newer.id)] == [newer.id, older.id]
    assert memory.procedures.get(older.id).steps == ("빌드", "테스트", "서버에 올려")
    memory.messages.forget("m2")
    memory.consolidate()
    assert [one.id for one in told(memory)] == [older.id]
    assert not memory.consolidate(plan=True)


def test_versions_are_those_of_the_order_of_saying_whatever_the_order_of_arrival(open_memory: OpenMemory) -> None:
    said = {"m1": DEPLOY, "m2": NEWER, "m3": DEPLOY.replace("빌드", "컴파일")}
    found = set()
    for number, order in enumerate(permutations(said)):
        memory = open_memory(analyzer="plain", tenant=f"{open_memory().tenant}-{number}")
        for name in order:
            say(memory, name, said[name])
            memory.consolidate()
        (current,) = told(memory)
        found.add(tuple(one.steps for one in memory.procedures.history(current.id)))
    ways = (("컴파일", "테스트"), ("빌드", "승인을 받기"), ("빌드", "테스트"))
    assert found == {tuple((*way, "서버에 올려") for way in ways)}


def test_a_changed_message_takes_its_instruction_back(memory: graphmem.GraphMemory) -> None:
    say(memory, "m1", RULE)
    memory.consolidate()
    memory.messages.add_many([{"id": "m1", "text": "아니야, 됐어.", "user_id": "ada", "at": START}], replace=True)
    memory.consolidate()
    assert told(memory) == []


def test_rules_about_one_occasion_stand_beside_each_other(memory: graphmem.GraphMemory) -> None:
    say(memory, "m1", "Always run the tests before you push.")
    say(memory, "m2", "Always run the linter before you push.")
    memory.consolidate()
    assert sorted(one.steps[0] for one in told(memory)) == ["run the linter", "run the tests"]


def run(name: str, actions: Iterable[str], outcome: str = "success", **fields: Any) -> graphmem.Episode:
    steps = [{"action": action} for action in actions]
    return graphmem.Episode.model_validate({"id": name, "goal": "g", "outcome": outcome, "steps": steps, **fields})


def test_uses_of_a_told_procedure_are_counted_and_failures_lower_its_rate(memory: graphmem.GraphMemory) -> None:
    say(memory, "m1", DEPLOY)
    way = ("빌드", "테스트", "서버에 올려")
    memory.episodes.add_many([run(f"r{n}", way, user_id="ada", task=f"t{n}") for n in range(3)])
    memory.episodes.add(run("other", way, "failure", user_id="bob"))
    memory.consolidate()
    (before,) = told(memory)
    assert (before.successes, before.failures) == (3, 0)
    memory.episodes.add(run("r9", way, "failure", user_id="ada"))
    memory.consolidate()
    (after,) = told(memory)
    assert (after.successes, after.failures, after.success_rate) == (3, 1, 0.75)
    assert after.success_interval is not None
    assert after.confidence < before.confidence
    assert not memory.consolidate(plan=True)
