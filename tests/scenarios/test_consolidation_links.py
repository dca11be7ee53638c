"""Links between concepts and between episodes that consolidation finds, on every store: exact, and made once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from unicodedata import normalize

import pytest

import graphmem
from graphmem.consolidation.consolidate import consolidate, plan_consolidation
from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.graph.records import EdgeRecord
from graphmem.ports.reading import every_node
from graphmem.transfer.erasing import erase_user

OpenMemory = Callable[..., graphmem.GraphMemory]


@pytest.fixture
def memory(open_memory: OpenMemory) -> graphmem.GraphMemory:
    """A memory without a grammar, which nothing here needs."""
    return open_memory(analyzer="plain")


START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def episode(name: str, hour: float | None = None, **fields: Any) -> graphmem.Episode:
    """An episode of half an hour that began so many hours after START."""
    given: dict[str, Any] = {"id": name, "goal": name, "outcome": "success", "steps": (), **fields}
    if hour is not None:
        began = START + timedelta(hours=hour)
        given = {"started_at": began, "ended_at": began + timedelta(minutes=30), **given}
    return graphmem.Episode.model_validate(given)


def caused(name: str, *pairs: tuple[str, str], **fields: Any) -> graphmem.Episode:
    return episode(name, causes=[{"effect": effect, "cause": cause} for effect, cause in pairs], **fields)


def edges(memory: graphmem.GraphMemory, kind: str) -> list[EdgeRecord]:
    graph = memory.workspace.graph
    refs = [node.ref for label in ("Concept", "Episode") for node in every_node(graph, label)]
    return graph.edges(refs, [kind])


def causes(memory: graphmem.GraphMemory) -> dict[tuple[str, str], EdgeRecord]:
    found = edges(memory, "CAUSES")
    nodes = memory.workspace.graph.get({ref for edge in found for ref in (edge.source, edge.target)})
    return {(str(nodes[e.source].properties["name"]), str(nodes[e.target].properties["name"])): e for e in found}


def pairs(memory: graphmem.GraphMemory, kind: str) -> set[tuple[str, str]]:
    return {(edge.source.id, edge.target.id) for edge in edges(memory, kind)}


def test_causes_of_episodes_are_gathered_between_concepts(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many([caused(f"run-{n}", ("시간초과", "풀 고갈"), user_id=f"u{n}") for n in range(3)])
    memory.episodes.add(caused("run-3", ("시간초과", "네트워크 단절"), (normalize("NFD", "시간초과"), "풀 고갈")))
    plan = memory.consolidate(plan=True)
    shown = {(one["cause"], one["effect"]): one["episodes"] for one in plan.to_dict()["causes"]}
    assert shown == {("풀 고갈", "시간초과"): 4, ("네트워크 단절", "시간초과"): 1}
    assert causes(memory) == {}
    memory.consolidate()
    found = causes(memory)
    assert set(found) == set(shown)
    edge = found["풀 고갈", "시간초과"].properties
    assert (edge["count"], edge["evidence_count"], edge["source"]) == (4, 4, "consolidated")
    assert edge["evidence_ids"] == ["run-3", "run-2", "run-1", "run-0"]
    assert edge["confidence"] == pytest.approx(5 / 6, abs=1e-6)
    assert not memory.consolidate(plan=True)


def test_causes_follow_episodes_that_change_or_go(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many([caused(f"run-{n}", ("a leak", "old seal"), user_id=f"u{n % 2}") for n in range(4)])
    memory.consolidate()
    memory.episodes.add(caused("run-1", ("a leak", "cold"), user_id="u1"), replace=True)
    memory.consolidate()
    counts = {pair: edge.properties["count"] for pair, edge in causes(memory).items()}
    assert counts == {("old seal", "a leak"): 3, ("cold", "a leak"): 1}
    erase_user(memory.workspace.graph, "u1")
    memory.consolidate()
    assert {pair: edge.properties["evidence_ids"] for pair, edge in causes(memory).items()} == {
        ("old seal", "a leak"): ["run-2", "run-0"]
    }
    for name in ("run-0", "run-2"):
        memory.episodes.forget(name)
    memory.consolidate()
    assert causes(memory) == {}
    assert not memory.consolidate(plan=True)


def test_a_given_cause_stays_as_it_was_given(memory: graphmem.GraphMemory) -> None:
    memory.concepts.relate("old seal", "causes", "a leak", confidence=0.4)
    memory.episodes.add(caused("run-1", ("a leak", "old seal")))
    memory.consolidate()
    (edge,) = edges(memory, "CAUSES")
    assert (edge.properties["source"], edge.properties["confidence"]) == ("given", 0.4)
    assert not memory.consolidate(plan=True)


def test_an_edge_names_the_newest_fifty_episodes(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many([caused(f"run-{n:02}", ("a leak", "old seal"), hour=n) for n in range(60)])
    memory.consolidate()
    edge = causes(memory)["old seal", "a leak"].properties
    assert edge["count"] == 60
    assert edge["evidence_ids"] == [f"run-{n:02}" for n in range(59, 9, -1)]


def test_alike_episodes_are_linked_once_with_their_similarity(memory: graphmem.GraphMemory) -> None:
    goals = ["환불이 안 돼요 카드 결제", "환불이 안 돼요 카드 결제 취소", "printer is out of paper on floor two"]
    memory.episodes.add_many([episode(f"run-{n}", goal=goal) for n, goal in enumerate(goals)])
    assert [one["similar"] for one in memory.consolidate(plan=True).to_dict()["similar"]] == ["run-1"]
    memory.consolidate()
    (edge,) = edges(memory, "SIMILAR_TO")
    assert (edge.source.id, edge.target.id) == ("run-0", "run-1")
    (first, second) = memory.episodes.similar(goals[0], limit=2)
    assert {first.id, second.id} == {"run-0", "run-1"}
    assert edge.properties["weight"] == pytest.approx(second.similarity, abs=1e-4)
    assert not memory.consolidate(plan=True)


def test_only_new_episodes_are_searched_for(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many([episode(f"run-{n}", goal="환불이 안 돼요") for n in range(3)])
    assert memory.consolidate().counts["compared"] == 3
    memory.episodes.add(episode("run-9", goal="환불이 안 돼요"))
    assert memory.consolidate().counts["compared"] == 1
    found = {frozenset(pair) for pair in pairs(memory, "SIMILAR_TO")}
    assert found == {
        frozenset((a, b))
        for a in ("run-0", "run-1", "run-2", "run-9")
        for b in ("run-1", "run-2", "run-9")
        if a != b
    }
    assert not memory.consolidate(plan=True)


def test_similar_episodes_are_bounded_and_go_with_them(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many([episode(f"run-{n}", goal="환불이 안 돼요") for n in range(10)])
    memory.consolidate()
    leaving: dict[str, int] = {}
    for source, _ in pairs(memory, "SIMILAR_TO"):
        leaving[source] = leaving.get(source, 0) + 1
    assert max(leaving.values()) <= ConsolidationPolicy().similar_most
    memory.episodes.forget("run-0")
    assert not any("run-0" in pair for pair in pairs(memory, "SIMILAR_TO"))
    memory.episodes.add(episode("run-1", goal="printer is out of paper"), replace=True)
    memory.consolidate()
    assert not any("run-1" in pair for pair in pairs(memory, "SIMILAR_TO"))
    assert not memory.consolidate(plan=True)


def test_without_an_embedder_nothing_is_alike(open_memory: OpenMemory) -> None:
    memory = open_memory(analyzer="plain")
    memory.episodes.add_many([episode(f"run-{n}", goal="환불이 안 돼요") for n in range(3)])
    work = memory.workspace
    plan = plan_consolidation(work.graph, ConsolidationPolicy(), work.now())
    assert plan.to_dict().get("similar", []) == []


def test_a_stopped_search_goes_on_to_the_same_links(open_memory: OpenMemory) -> None:
    goals = [
        "환불이 안 돼요",
        "환불이 안 돼요 카드",
        "환불이 또 안 돼요",
        "카드 환불이 안 돼요",
        "환불 안 돼요 카드 결제",
    ]
    found = []
    for bound in (None, 2):
        memory = open_memory(analyzer="plain", tenant=f"{open_memory().tenant}-{bound}")
        memory.episodes.add_many([episode(f"run-{n}", goal=goal) for n, goal in enumerate(goals)])
        work = memory.workspace
        policy = ConsolidationPolicy(max_items=bound, similar_most=2, similar_least=0.3)
        while plan_consolidation(work.graph, policy, work.now(), embedder=work.embedder):
            consolidate(
                work.graph, embedder=work.embedder, clock=work.clock, entropy=work.entropy(10), policy=policy
            )
        found.append({edge[1:3]: edge.properties["weight"] for edge in edges(memory, "SIMILAR_TO")})
    assert found[0]
    assert found[0] == found[1]


def test_episodes_of_a_session_follow_one_another_in_time(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many(
        [
            episode("third", 30, session="s", user_id="ada"),
            episode("first", 0, session="s", user_id="ada"),
            episode("second", 1, session="s", user_id="ada"),
            episode("beside", 30.2, session="s", user_id="ada"),
            episode("bobs", 2, session="s", user_id="bob"),
            episode("timeless", session="s", user_id="ada"),
        ]
    )
    memory.consolidate()
    assert pairs(memory, "FOLLOWED_BY") == {("first", "second"), ("second", "third")}
    assert not memory.consolidate(plan=True)
    memory.episodes.forget("second")
    memory.consolidate()
    assert pairs(memory, "FOLLOWED_BY") == {("first", "third")}


def test_episodes_without_a_session_follow_within_a_gap(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many(
        [
            episode("one", 0, user_id="김"),
            episode("two", 1, user_id="김"),
            episode("late", 4, user_id="김"),
            episode("nobodys", 4.6),
            episode("nobodys-next", 5.2),
        ]
    )
    memory.consolidate()
    assert pairs(memory, "FOLLOWED_BY") == {("one", "two")}


def test_an_episode_leads_to_the_one_that_was_asked_for_its_finding(memory: graphmem.GraphMemory) -> None:
    found = ({"action": "조회", "errors": ["결제 시간초과"]},)
    memory.episodes.add_many(
        [
            episode("first", 0, session="s", goal="주문을 조회한다", steps=found, outcome="failure"),
            episode("again", 1, session="s", goal="주문을 다시 조회한다", steps=found, outcome="failure"),
            episode("fix", 2, session="s", goal=normalize("NFD", "결제 시간초과를 고친다")),
            episode("elsewhere", 3, session="other", goal="결제 시간초과를 고친다"),
            episode("word", 4, session="s", goal="결제 시간초과금을 낸다"),
        ]
    )
    memory.consolidate()
    (edge,) = edges(memory, "LED_TO")
    assert (edge.source.id, edge.target.id) == ("again", "fix")
    assert edge.properties["evidence"] == ["결제 시간초과"]
    assert not memory.consolidate(plan=True)


def test_what_was_asked_for_before_leads_nowhere(memory: graphmem.GraphMemory) -> None:
    found = ({"action": "look", "errors": ["broken pipe", "error"]},)
    asked = {"goal": "fix the broken pipe error", "task": "t", "steps": found, "outcome": "failure"}
    memory.episodes.add_many([episode(f"run-{n}", n, **asked) for n in range(3)])
    memory.episodes.add(episode("ended", 3, task="u", goal="ship it", error="DiskFullError", outcome="failure"))
    memory.episodes.add(episode("next", 4, task="u", goal="ship it", trigger="DiskFullError came up, please look"))
    memory.consolidate()
    assert pairs(memory, "LED_TO") == {("ended", "next")}


def test_open_episodes_are_like_nothing_yet(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many(
        [episode(f"open-{n}", goal="환불이 안 돼요", state="open", outcome=None) for n in range(7)]
    )
    memory.episodes.add_many([episode(f"run-{n}", goal="환불이 안 돼요") for n in range(2)])
    memory.consolidate()
    assert pairs(memory, "SIMILAR_TO") == {("run-0", "run-1")}
