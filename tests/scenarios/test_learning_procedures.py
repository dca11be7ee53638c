"""What went with success becomes a procedure; failures of those who follow it lower its confidence."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest

import graphmem
from graphmem.graph.records import NodeRef
from graphmem.models.procedure import Procedure
from graphmem.transfer.erasing import erase_user

NOISE = ("열람", "검색", "기록", "전송", "lookup", "notify", "archive", "fetch")
LESSON = ("연결 확인", "재시작")


def run(number: int, actions: Iterable[str], outcome: str, **fields: Any) -> graphmem.Episode:
    steps = tuple({"action": action} for action in actions)
    return graphmem.Episode(id=f"run-{number:03}", goal="g", outcome=outcome, domain="운영", steps=steps, **fields)


def corpus(*, users: int = 3) -> list[graphmem.Episode]:
    """Sixty runs of noise that go either way; forty with the lesson in them, thirty-eight of these well."""
    chance = random.Random(7)
    found = []
    for number in range(60):
        actions = chance.sample(NOISE, 3)
        found.append(run(number, actions, ("success", "failure")[number % 2], user_id=f"u{number % 5}"))
    for number in range(60, 100):
        actions = [chance.choice(NOISE), *LESSON, chance.choice(NOISE)]
        user = f"u{number % users}"
        found.append(run(number, actions, "failure" if number in (70, 80) else "success", user_id=user))
    return found


def learned(memory: graphmem.GraphMemory) -> list[Procedure]:
    return [one for one in memory.procedures.list() if one.steps == LESSON]


def test_a_positive_pattern_becomes_a_procedure_with_its_counts_and_sources(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many(corpus())
    report = memory.patterns.mine()
    (procedure,) = learned(memory)
    assert report.procedures >= 1
    assert (procedure.successes, procedure.partials, procedure.failures) == (38, 0, 2)
    assert set(procedure.sources) <= {f"run-{number:03}" for number in range(60, 100)}
    assert procedure.confidence == pytest.approx(39 / 42)
    pattern = memory.patterns.get(str(procedure.extra["pattern"]))
    assert pattern.polarity == "positive"
    graph = memory.workspace.graph
    edges = graph.edges([NodeRef("Procedure", procedure.id)], ["RECOMMENDS", "DERIVED_FROM"], "both")
    assert {edge.type for edge in edges} == {"RECOMMENDS", "DERIVED_FROM"}


def test_mining_again_changes_no_procedure(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many(corpus())
    memory.patterns.mine()
    before = list(memory.procedures.list())
    assert memory.patterns.mine().procedures == 0
    assert list(memory.procedures.list()) == before


def test_later_failures_lower_the_confidence_even_when_nothing_is_claimed_any_more(
    memory: graphmem.GraphMemory,
) -> None:
    memory.episodes.add_many(corpus())
    memory.patterns.mine()
    (before,) = learned(memory)
    memory.episodes.add_many(run(number, LESSON, "failure", user_id="u1") for number in range(100, 140))
    memory.patterns.mine()
    (after,) = learned(memory)
    assert after.id == before.id
    assert (after.successes, after.failures) == (38, 42)
    assert after.confidence < before.confidence


def test_one_user_teaches_nobody(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many(corpus(users=1))
    memory.patterns.mine()
    assert learned(memory) == []
    told = [one for one in memory.patterns.list(limit=1000) if {node.label for node in one.nodes} >= set(LESSON)]
    assert told
    assert all(one.single_user and one.recommendation is None for one in told)


def test_what_goes_with_failure_teaches_no_procedure(memory: graphmem.GraphMemory) -> None:
    turned = {"success": "failure", "failure": "success"}
    memory.episodes.add_many(
        one.model_copy(update={"outcome": graphmem.Outcome(turned[str(one.outcome.value)])})
        for one in corpus()
        if one.outcome
    )
    memory.patterns.mine()
    assert learned(memory) == []


def test_erasing_a_user_takes_procedures_that_count_his_episodes_until_mined_anew(
    memory: graphmem.GraphMemory,
) -> None:
    memory.episodes.add_many(corpus())
    memory.patterns.mine()
    assert learned(memory)
    erase_user(memory.workspace.graph, "u0")
    assert learned(memory) == []
    memory.patterns.mine()
    (again,) = learned(memory)
    assert again.successes + again.failures == sum(number % 3 != 0 for number in range(60, 100))


def test_a_procedure_goes_with_its_pattern(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many(corpus())
    memory.patterns.mine()
    (procedure,) = learned(memory)
    memory.patterns.forget(str(procedure.extra["pattern"]))
    for number in range(60, 98):
        memory.episodes.forget(f"run-{number:03}")
    memory.patterns.mine()
    assert learned(memory) == []


def test_from_failure_to_partial_is_no_success(memory: graphmem.GraphMemory) -> None:
    """A shift between partial and failure alone claims nothing, so it teaches and recommends nothing."""
    memory.episodes.add_many(
        one.model_copy(update={"outcome": graphmem.Outcome.PARTIAL}) if number >= 60 else one
        for number, one in enumerate(corpus())
    )
    memory.patterns.mine()
    assert learned(memory) == []
    told = [one for one in memory.patterns.list(limit=1000) if {node.label for node in one.nodes} >= set(LESSON)]
    assert told
    assert all(one.polarity != "positive" for one in told)
