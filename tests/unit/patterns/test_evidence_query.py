from __future__ import annotations

import re

from graphmem.patterns.discovery import discover_motifs
from graphmem.patterns.evidence import EvidenceQuery, evidence_query
from graphmem.patterns.graphs import EpisodeGraph, GraphEdge, GraphNode, Taxonomy
from graphmem.patterns.policy import MiningPolicy
from motif_corpus import TAXONOMY, corpus


def evidence_of(
    nodes: list[GraphNode], edges: list[GraphEdge], *, taxonomy: Taxonomy | None = None, domain: str | None = None
) -> EvidenceQuery:
    """The query of the one motif of three episodes alike."""
    graphs = [
        EpisodeGraph(episode=f"e{number}", nodes=tuple(nodes), edges=tuple(edges), domain=domain)
        for number in range(3)
    ]
    (motif,) = discover_motifs(graphs, taxonomy, MiningPolicy(domain=domain)).motifs
    return evidence_query(motif, tenant="아이유")


def step(key: str) -> GraphNode:
    return GraphNode("action", key, key)


def test_steps_are_bound_to_the_episode_and_concepts_to_the_tenant() -> None:
    query = evidence_of(
        [step("주문 취소"), step("확인"), GraphNode("concept", "환불", "환불")],
        [GraphEdge(0, 1, "NEXT"), GraphEdge(1, 2, "ABOUT")],
    )
    assert query.text == (
        "CYPHER 5\n"
        "MATCH (e:Episode {tenant: $tenant, state: 'closed'}),\n"
        "      (e)-[:HAS_STEP]->(s0:Step {key: $key0}),\n"
        "      (e)-[:HAS_STEP]->(s1:Step {key: $key1}),\n"
        "      (c2:Concept {tenant: $tenant, key: $key2}),\n"
        "      (s0)-[:NEXT]->(s1),\n"
        "      (s1)-[:ABOUT]->(c2)\n"
        "WHERE s0 <> s1\n"
        "RETURN DISTINCT e.id AS episode\n"
        "ORDER BY episode"
    )
    assert query.parameters == {"tenant": "아이유", "key0": "주문 취소", "key1": "확인", "key2": "환불"}


def test_findings_of_both_kinds_are_bound_to_the_episode_and_kept_apart() -> None:
    query = evidence_of(
        [step("retry"), GraphNode("symptom", "slow", "slow"), GraphNode("cause", "disk", "disk")],
        [GraphEdge(0, 1, "RAISED"), GraphEdge(1, 2, "CAUSED_BY"), GraphEdge(0, 2, "FIXED")],
    )
    assert "(e)-[:HAS_FINDING]->(f1:Finding {kind: $kind1, key: $key1})" in query.text
    assert "WHERE f1 <> f2" in query.text
    assert {query.parameters["kind1"], query.parameters["kind2"]} == {"cause", "symptom"}


def test_equal_steps_are_pairwise_different() -> None:
    query = evidence_of([step("a")] * 3, [GraphEdge(0, 1, "NEXT"), GraphEdge(1, 2, "NEXT")])
    assert "s0 <> s1\n  AND s0 <> s2\n  AND s1 <> s2" in query.text


def test_a_generalised_concept_reaches_its_ancestor_in_a_condition_of_its_own() -> None:
    nodes = [(step("weigh"), GraphNode("concept", leaf, leaf)) for leaf in ("apple", "pear", "fig")]
    graphs = [
        EpisodeGraph(episode=leaf.key, nodes=(one, leaf), edges=(GraphEdge(0, 1, "ABOUT"),)) for one, leaf in nodes
    ]
    taxonomy = Taxonomy({leaf.key: ("fruit",) for _, leaf in nodes})
    (motif,) = discover_motifs(graphs, taxonomy, MiningPolicy(max_ancestor_share=1.0)).motifs
    query = evidence_query(motif, tenant="t")
    assert "(c1:Concept {tenant: $tenant})," in query.text
    assert "WHERE (c1.key = $key1 OR EXISTS {" in query.text
    assert "-[:IS_A*1..]->(high1:Concept {tenant: $tenant, key: $key1})" in query.text


def test_a_generalised_step_is_joined_to_the_concept_with_its_key() -> None:
    graphs = [
        EpisodeGraph(episode=key, nodes=(step("inspect"), step(key)), edges=(GraphEdge(0, 1, "NEXT"),))
        for key in ("restart", "replace", "patch")
    ]
    taxonomy = Taxonomy({graph.episode: ("repair",) for graph in graphs})
    (motif,) = discover_motifs(graphs, taxonomy, MiningPolicy(max_ancestor_share=1.0)).motifs
    query = evidence_query(motif, tenant="t")
    assert "(e)-[:HAS_STEP]->(s1:Step)," in query.text
    assert "(low1:Concept {tenant: $tenant, key: coalesce(s1.concept_key, s1.key)})-[:IS_A*1..]->" in query.text


def test_a_motif_of_one_domain_asks_for_that_domain() -> None:
    query = evidence_of([step("a"), step("b")], [GraphEdge(0, 1, "NEXT")], domain="고객 지원")
    assert "(e:Episode {tenant: $tenant, state: 'closed', domain: $domain})" in query.text
    assert query.parameters["domain"] == "고객 지원"


def test_no_text_of_a_user_is_part_of_the_query() -> None:
    hostile = "x'}) MATCH (n) DETACH DELETE n //"
    query = evidence_of([step(hostile), GraphNode("tool", hostile + "2", "t")], [GraphEdge(0, 1, "USED")])
    assert "DELETE" not in query.text
    assert hostile in query.parameters.values()


def test_every_parameter_is_used_and_every_one_used_is_given() -> None:
    for motif in discover_motifs(corpus(500), TAXONOMY).motifs:
        query = evidence_query(motif, tenant="t")
        assert set(re.findall(r"\$(\w+)", query.text)) == set(query.parameters)
