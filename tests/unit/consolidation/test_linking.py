"""Mentions of an episode and the edges they become."""

from __future__ import annotations

from datetime import UTC, datetime

from graphmem.consolidation.linking import Mention, link_edges, mentions_of
from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.graph.mapping.concept import concept_key, concept_ref
from graphmem.graph.mapping.episode import episode_tree
from graphmem.graph.records import NodeRecord
from graphmem.graph.validation import check_edge
from graphmem.models.episode import Cause, Episode, Step

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
POLICY = ConsolidationPolicy()

EPISODE = Episode(
    id="e",
    goal="환불",
    user_id="ada",
    steps=(
        Step(action="lookup", tools=("orders",), concepts=("세탁기", "환불"), arguments={"cabin": "economy"}),
        Step(action="refund", tools=("orders",), concepts=("세탁기",), errors=("Timeout",)),
        Step(action="raise_pool", fixes=("PoolExhausted",)),
    ),
    causes=(Cause(effect="Timeout", cause="PoolExhausted"),),
)


def split(episode: Episode) -> tuple[NodeRecord, list[NodeRecord]]:
    tree = episode_tree(episode, NOON)
    return tree.root, [node for node in tree.nodes if node.label == "Step"]


def edges_of(episode: Episode) -> dict[tuple[str, str, str], dict[str, object]]:
    root, steps = split(episode)
    mentions = mentions_of(root, steps, frozenset({"cabin=economy"}), POLICY)
    concepts = {
        (mention.kind, concept_key(mention.name)): concept_ref(mention.name, mention.kind) for mention in mentions
    }
    edges = link_edges(root, mentions, concepts, NOON)
    for edge in edges:
        check_edge(edge)
    return {(edge.type, edge.source.id, edge.target.id): dict(edge.properties) for edge in edges}


def test_every_mention_is_counted_and_weighed_by_its_share() -> None:
    edges = edges_of(EPISODE)
    washing = edges["MENTIONS", "e", concept_ref("세탁기").id]
    assert washing["count"] == 2
    assert washing["salience"] == round(2 / 10, 6)
    shares = [edge["salience"] for (edge_type, *_), edge in edges.items() if edge_type == "MENTIONS"]
    assert round(sum(float(str(share)) for share in shares), 4) == 1.0


def test_tools_and_findings_are_instances_and_steps_are_about_their_categories() -> None:
    edges = edges_of(EPISODE)
    assert ("INSTANCE_OF", "orders", concept_ref("orders", "tool").id) in edges
    assert ("INSTANCE_OF", "e/timeout", concept_ref("Timeout", "finding").id) in edges
    assert ("INSTANCE_OF", "e/poolexhausted", concept_ref("PoolExhausted", "finding").id) in edges
    assert ("ABOUT", "e/0", concept_ref("cabin=economy", "argument").id) in edges


def test_what_is_one_users_carries_him_and_what_is_shared_does_not() -> None:
    edges = edges_of(EPISODE)
    assert edges["MENTIONS", "e", concept_ref("세탁기").id]["user_id"] == "ada"
    assert "user_id" not in edges["INSTANCE_OF", "orders", concept_ref("orders", "tool").id]


def test_concepts_given_in_steps_are_mentioned_but_not_tied_again() -> None:
    assert not [key for key in edges_of(EPISODE) if key[0] == "ABOUT" and key[2] == concept_ref("세탁기").id]


def test_an_episode_without_steps_mentions_nothing() -> None:
    assert edges_of(Episode(id="e", goal="g")) == {}


def test_mentions_name_where_they_stand() -> None:
    root, steps = split(EPISODE)
    found = mentions_of(root, steps, frozenset(), POLICY)
    assert Mention("tool", "orders", found[2].source) in found
    assert {mention.source.id for mention in found if mention.kind == "concept"} == {"e/0", "e/1"}
