"""Consolidation over both stores: planned first, applied once, correct when things change."""

from __future__ import annotations

from typing import Any

import graphmem
from graphmem.consolidation.consolidate import consolidate, plan_consolidation
from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.graph.records import Equals, NodeRef
from graphmem.language.relations.extractor import Extractor

EPISODES = 314 + 11
"""The runs of the samples, and the conversations that their messages are cut into."""


def episode(number: int, **step: Any) -> graphmem.Episode:
    return graphmem.Episode(
        id=f"run-{number}",
        task=f"task-{number}",
        goal="환불",
        outcome="success",
        steps=({"action": "refund", **step},),
    )


def concepts(memory: graphmem.GraphMemory) -> set[tuple[str, str]]:
    page = memory.workspace.graph.scan("Concept", limit=1000)
    return {(str(node.properties["name"]), str(node.properties["kind"])) for node in page.records}


def links(memory: graphmem.GraphMemory, label: str, node_id: str) -> set[tuple[str, str]]:
    graph = memory.workspace.graph
    edges = graph.edges([NodeRef(label, node_id)], ["MENTIONS", "ABOUT", "INSTANCE_OF"])
    nodes = graph.get(edge.target for edge in edges)
    return {(edge.type, str(nodes[edge.target].properties["name"])) for edge in edges}


def test_a_plan_changes_nothing_and_a_second_one_is_empty(sampled: graphmem.GraphMemory) -> None:
    before = concepts(sampled)
    plan = sampled.consolidate(plan=True)
    assert plan.counts()["episodes"] == EPISODES
    assert concepts(sampled) == before
    report = sampled.consolidate()
    assert report.counts == plan.counts()
    assert not sampled.consolidate(plan=True)
    again = sampled.consolidate()
    assert again.run is None
    assert sampled.workspace.graph.count("ConsolidationRun") == 1


def test_tools_findings_concepts_and_categories_are_linked(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many(
        episode(
            number,
            tools=["결제"],
            concepts=["세탁기"],
            errors=["Timeout"],
            arguments={"등급": "우수", "id": f"X{number}"},
        )
        for number in range(3)
    )
    memory.consolidate()
    assert links(memory, "Episode", "run-0") == {
        ("MENTIONS", name) for name in ("결제", "세탁기", "Timeout", "등급=우수")
    }
    assert links(memory, "Step", "run-0/0") == {("ABOUT", "세탁기"), ("ABOUT", "등급=우수")}
    assert links(memory, "Tool", "결제") == {("INSTANCE_OF", "결제")}
    assert links(memory, "Finding", "run-0/timeout") == {("INSTANCE_OF", "Timeout")}
    assert concepts(memory) == {
        ("세탁기", "concept"),
        ("결제", "tool"),
        ("Timeout", "finding"),
        ("등급=우수", "argument"),
    }


def test_a_value_that_recurs_later_is_linked_in_the_earlier_episodes_too(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many(episode(number, arguments={"cabin": "economy"}) for number in range(2))
    memory.consolidate()
    assert links(memory, "Step", "run-0/0") == set()
    memory.episodes.add(episode(2, arguments={"cabin": "economy"}))
    memory.consolidate()
    assert links(memory, "Step", "run-0/0") == {("ABOUT", "cabin=economy")}
    assert not memory.consolidate(plan=True)


def test_a_value_that_turns_out_to_be_free_text_is_unlinked(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many(episode(number, arguments={"name": "kim"}) for number in range(3))
    memory.consolidate()
    assert ("ABOUT", "name=kim") in links(memory, "Step", "run-0/0")
    names = [f"{first}{second}" for first in "abcde" for second in "fghij"]
    memory.episodes.add_many(episode(10 + place, arguments={"name": name}) for place, name in enumerate(names))
    memory.consolidate()
    assert links(memory, "Step", "run-0/0") == set()
    assert not memory.consolidate(plan=True)


def test_a_tool_takes_the_concept_that_a_given_relation_made(memory: graphmem.GraphMemory) -> None:
    memory.concepts.relate("orders", "is_a", "database")
    memory.episodes.add(episode(1, tools=["orders"]))
    memory.consolidate()
    assert concepts(memory) == {("orders", "concept"), ("database", "concept")}
    assert links(memory, "Tool", "orders") == {("INSTANCE_OF", "orders")}


def test_a_replaced_episode_is_linked_anew(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add(episode(1, tools=["orders"]))
    memory.consolidate()
    memory.episodes.add(episode(1, tools=["payments"]), replace=True)
    memory.consolidate()
    assert links(memory, "Episode", "run-1") == {("MENTIONS", "payments")}


def test_a_bounded_run_leaves_the_rest_for_the_next(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many(episode(number, tools=["orders"]) for number in range(5))
    work = memory.workspace
    policy = ConsolidationPolicy(max_items=2)
    done = []
    assert work.analyzer is not None
    reader = Extractor(work.analyzer)
    while plan_consolidation(work.graph, policy, work.now(), reader=reader):
        report = consolidate(
            work.graph,
            embedder=work.embedder,
            clock=work.clock,
            entropy=work.entropy(10),
            policy=policy,
            reader=reader,
        )
        done.append((report.counts["episodes"], report.counts["remaining"]))
    assert done == [(2, 3), (2, 1), (1, 0)]
    assert not memory.consolidate(plan=True)


def test_open_episodes_wait(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add(
        graphmem.Episode(id="run-1", goal="g", state="open", steps=({"action": "a", "tools": ["t"]},))
    )
    assert not memory.consolidate(plan=True)


def test_a_new_concept_is_found_by_recall(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add(episode(1, tools=["결제시스템"]))
    memory.consolidate()
    found = [item.text for item in memory.recall("결제시스템", kinds=["concept"])]
    assert found[0].startswith("결제시스템")
    assert memory.workspace.graph.count("Concept", Equals("kind", "tool")) == 1
