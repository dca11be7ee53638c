"""Mining over both stores: planted patterns are found, with evidence that a query reproduces."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, get_args

import neo4j
import networkx as nx
import pytest

import graphmem
from graphmem.demo.planted import PLANTED, PlantedPattern
from graphmem.graph.records import NodeRef
from graphmem.models.pattern import Pattern, Tier

EPISODES = 314 + 11
"""The runs of the samples, and the conversations that their messages are cut into."""


def shape(nodes: Any, edges: Any) -> nx.MultiDiGraph[int]:
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    for place, (label, kind) in enumerate(nodes):
        graph.add_node(place, name=(label, kind))
    for source, target, edge_type in edges:
        graph.add_edge(source, target, type=edge_type)
    return graph


def is_planted(pattern: Pattern, planted: PlantedPattern) -> bool:
    if len(pattern.nodes) != len(planted.nodes) or len(pattern.edges) != len(planted.edges):
        return False
    return nx.is_isomorphic(
        shape([(node.label, node.kind) for node in pattern.nodes], pattern.edges),
        shape(planted.nodes, planted.edges),
        node_match=lambda one, other: one["name"] == other["name"],
        edge_match=lambda one, other: (
            sorted(e["type"] for e in one.values()) == sorted(e["type"] for e in other.values())
        ),
    )


def all_patterns(memory: graphmem.GraphMemory) -> list[Pattern]:
    return list(memory.patterns.list(limit=10_000))


def episode(number: int, *actions: str, **fields: Any) -> graphmem.Episode:
    steps = tuple({"action": action} for action in actions)
    return graphmem.Episode(**{"id": f"run-{number}", "goal": "g", "outcome": "success", "steps": steps, **fields})


def test_every_planted_pattern_of_the_samples_is_found_with_its_support_and_outcomes(
    sampled: graphmem.GraphMemory,
) -> None:
    sampled.consolidate()
    report = sampled.patterns.mine()
    assert report.episodes == EPISODES
    assert sum(report.tiers.values()) == report.patterns
    patterns = [found for tier in get_args(Tier) for found in sampled.patterns.list(tier=tier, limit=10_000)]
    assert len(patterns) == report.patterns
    for planted in PLANTED:
        found = [pattern for pattern in patterns if is_planted(pattern, planted)]
        assert [pattern.support for pattern in found] == [planted.episodes], planted.name
        assert found[0].outcomes.success == planted.successes
        assert found[0].domain == planted.domain
        assert found[0].episodes == tuple(sorted(found[0].episodes))


def test_mining_twice_writes_nothing_the_second_time(sampled: graphmem.GraphMemory) -> None:
    first = sampled.patterns.mine(domain="쇼핑몰")
    before = all_patterns(sampled)
    second = sampled.patterns.mine(domain="쇼핑몰")
    assert first.added == first.patterns > 0
    assert (second.added, second.removed, second.patterns) == (0, 0, first.patterns)
    assert all_patterns(sampled) == before


def test_each_occurrence_names_nodes_of_its_own_episode(sampled: graphmem.GraphMemory) -> None:
    sampled.patterns.mine(domain="여행")
    graph = sampled.workspace.graph
    pattern = max(all_patterns(sampled), key=lambda found: (len(found.nodes), found.support))
    edges = graph.edges([NodeRef("Pattern", pattern.id)], ["EVIDENCED_BY"])
    assert {edge.target.id for edge in edges} == set(pattern.episodes)
    labels = {"action": "Step", "tool": "Tool", "concept": "Concept", "symptom": "Finding", "cause": "Finding"}
    for edge in edges:
        roles = json.loads(str(edge.properties["roles"]))
        refs = [NodeRef(labels[node.kind], roles[str(place)]) for place, node in enumerate(pattern.nodes)]
        assert len(graph.get(refs)) == len(pattern.nodes)
        assert all(ref.id.startswith(f"{edge.target.id}/") for ref in refs if ref.label in ("Step", "Finding"))


def test_a_forgotten_episode_takes_its_patterns_along_until_they_are_mined_anew(
    memory: graphmem.GraphMemory,
) -> None:
    memory.episodes.add_many(episode(number, "조회", "환불") for number in range(4))
    assert memory.patterns.mine().patterns == 1
    (before,) = all_patterns(memory)
    memory.episodes.forget("run-0")
    assert all_patterns(memory) == []
    assert memory.patterns.mine().added == 1
    (after,) = all_patterns(memory)
    assert (after.id, after.support) == (before.id, 3)
    memory.episodes.forget("run-1")
    assert memory.patterns.mine().patterns == 0


def test_a_pattern_that_no_longer_holds_goes_and_a_new_one_comes(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many(episode(number, "조회", "환불") for number in range(3))
    assert memory.patterns.mine().patterns == 1
    (before,) = all_patterns(memory)
    memory.episodes.add_many((episode(number, "조회", "교환") for number in range(3)), replace=True)
    report = memory.patterns.mine()
    (after,) = all_patterns(memory)
    assert (report.added, report.removed) == (1, 1)
    assert before.id != after.id
    assert after.title == "조회 → 교환"


def test_a_pattern_that_gains_episodes_keeps_its_id_and_gains_their_evidence(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add_many(episode(number, "a", "b") for number in range(3))
    memory.patterns.mine()
    memory.episodes.add_many(episode(number, "a", "b", outcome="failure") for number in (7, 8))
    memory.episodes.add(episode(1, "a", "c"), replace=True)
    report = memory.patterns.mine()
    (pattern,) = all_patterns(memory)
    assert (report.added, report.removed) == (0, 0)
    assert pattern.episodes == ("run-0", "run-2", "run-7", "run-8")
    assert (pattern.outcomes.success, pattern.outcomes.failure) == (2, 2)
    edges = memory.workspace.graph.edges([NodeRef("Pattern", pattern.id)], ["EVIDENCED_BY"])
    assert {edge.target.id for edge in edges} == set(pattern.episodes)


def test_a_domain_of_two_episodes_yields_none_and_its_own_run_leaves_the_others_alone(
    memory: graphmem.GraphMemory,
) -> None:
    memory.episodes.add_many(episode(number, "a", "b", domain="ops") for number in range(3))
    memory.episodes.add_many(episode(number, "a", "b", domain="쇼핑") for number in (10, 11))
    memory.patterns.mine()
    assert memory.patterns.mine(domain="쇼핑").patterns == 0
    scoped = memory.patterns.mine(domain="ops")
    assert scoped.patterns == 1
    whole, part = sorted(all_patterns(memory), key=lambda pattern: -pattern.support)
    assert (whole.scope, whole.domain, whole.support) == (None, None, 5)
    assert (part.scope, part.domain, part.support) == ("ops", "ops", 3)
    assert whole.id != part.id


def test_open_episodes_and_other_tenants_stay_out(
    memory: graphmem.GraphMemory, open_memory: Callable[..., graphmem.GraphMemory]
) -> None:
    memory.episodes.add_many(episode(number, "a", "b") for number in range(2))
    memory.episodes.add(episode(2, "a", "b", state="open", outcome=None))
    other = open_memory(tenant=f"{memory.tenant}-2")
    other.episodes.add_many(episode(number, "a", "b") for number in range(5))
    assert memory.patterns.mine().patterns == 0
    assert other.patterns.mine().patterns == 1
    assert all_patterns(memory) == []


def test_all_users_of_a_tenant_are_mined_together(open_memory: Callable[..., graphmem.GraphMemory]) -> None:
    for user in ("ada", "서연", "bob"):
        open_memory(user=user).episodes.add(episode(0, "a", "b", id=f"run-{user}"))
    everybody = open_memory()
    everybody.patterns.mine()
    assert [pattern.users for pattern in everybody.patterns.list()] == [3]


@pytest.mark.parametrize("bound", [{"max_nodes": 7}, {"min_support": 0}, {"colour": "red"}])
def test_a_bound_that_is_refused_says_which(memory: graphmem.GraphMemory, bound: dict[str, Any]) -> None:
    with pytest.raises(graphmem.InvalidInputError, match=next(iter(bound))):
        memory.patterns.mine(**bound)


def test_a_plural_tool_takes_the_ancestors_of_its_concept(
    memory: graphmem.GraphMemory, store_target: dict[str, Any]
) -> None:
    for name in ("orders", "payments", "환불 내역"):
        memory.concepts.relate(name, "is_a", "database")
    tools = ("orders", "payments", "환불내역") * 2
    memory.episodes.add_many(
        graphmem.Episode(id=f"run-{number}", goal="g", steps=({"action": "look_up", "tools": [tool]},))
        for number, tool in enumerate(tools)
    )
    memory.episodes.add_many(episode(number, "other") for number in range(100, 110))
    memory.patterns.mine(min_support=4)
    (pattern,) = all_patterns(memory)
    assert (pattern.title, pattern.support) == ("look_up uses any database", 6)
    if "auth" in store_target:
        assert_evidence_holds(store_target, [pattern])


def assert_evidence_holds(store_target: dict[str, Any], patterns: Sequence[Pattern]) -> None:
    with neo4j.GraphDatabase.driver(store_target["target"], auth=store_target["auth"]) as driver:
        for pattern in patterns:
            records = driver.execute_query(pattern.cypher or "", pattern.cypher_parameters).records
            assert [record["episode"] for record in records] == list(pattern.episodes), pattern.cypher


def test_the_evidence_query_returns_exactly_the_episodes(
    sampled: graphmem.GraphMemory, store_target: dict[str, Any]
) -> None:
    if "auth" not in store_target:
        pytest.skip("Cypher runs on Neo4j")
    sampled.consolidate()
    sampled.patterns.mine()
    every = [found for tier in get_args(Tier) for found in sampled.patterns.list(tier=tier, limit=10_000)]
    claiming = [found for found in every if found.polarity is not None]
    planted = [found for found in every if any(is_planted(found, one) for one in PLANTED)]
    # the server plans each query anew, up to 300 ms: all that claim something, and a part of the others
    assert_evidence_holds(store_target, [*claiming, *planted, *every[::25]])


def test_failures_that_differ_in_a_number_or_an_id_are_one_symptom(
    memory: graphmem.GraphMemory, store_target: dict[str, Any]
) -> None:
    said = ("주문 {} 없음", "order {} not found")
    memory.episodes.add_many(
        graphmem.Episode(
            id=f"run-{number}",
            goal="g",
            outcome="failure",
            steps=({"action": "조회", "errors": (said[number % 2].format(number * 37 + 5),)},),
        )
        for number in range(8)
    )
    memory.patterns.mine()
    found = {
        node.label: pattern for pattern in all_patterns(memory) for node in pattern.nodes if "#" in node.label
    }
    assert set(found) == {"주문 # 없음", "order # not found"}
    assert all(pattern.support == 4 for pattern in found.values())
    if "auth" in store_target:
        assert_evidence_holds(store_target, list(found.values()))


def test_names_that_differ_in_a_number_are_one_where_that_is_asked_for(
    memory: graphmem.GraphMemory, store_target: dict[str, Any]
) -> None:
    memory.episodes.add_many(episode(number, "조회", f"retry_{number}", "환불") for number in range(6))
    memory.patterns.mine()
    assert all("№" not in pattern.title for pattern in all_patterns(memory))
    memory.patterns.mine(numbered_names=True)
    every = [found for tier in get_args(Tier) for found in memory.patterns.list(tier=tier)]
    (whole,) = [found for found in every if found.title == "조회 → any retry_№ → 환불"]
    assert whole.support == 6
    if "auth" in store_target:
        assert_evidence_holds(store_target, every)
