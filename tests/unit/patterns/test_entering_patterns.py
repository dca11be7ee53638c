"""A running episode has entered a pattern when its beginning is there and the rest can still follow."""

from __future__ import annotations

import unicodedata
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.models.pattern import NodeKind, OutcomeCounts, Pattern, PatternNode
from graphmem.patterns.entering import EnteredPattern, entered_patterns
from graphmem.patterns.graphs import EpisodeGraph, GraphEdge, GraphNode, Taxonomy

NONE = Taxonomy()


def pattern(nodes: str, *edges: tuple[int, int, Any], **fields: Any) -> Pattern:
    """Nodes as `action:조회 tool:db`; a name behind ~ is generalised."""
    made = []
    for word in nodes.split():
        kind, _, name = word.partition(":")
        made.append(PatternNode(label=name.strip("~"), kind=kind, key=name.strip("~"), generalised="~" in name))
    given: dict[str, Any] = {
        "id": f"id-{nodes}",
        "support": 9,
        "tier": "significant",
        "polarity": "negative",
        **fields,
    }
    return Pattern(
        title=nodes,
        nodes=tuple(made),
        edges=edges,
        tasks=9,
        users=1,
        outcomes=OutcomeCounts(failure=9),
        success_rate=0.0,
        interval=(0.0, 0.3),
        episodes=(),
        **given,
    )


def running(*steps: str, findings: dict[int, list[tuple[NodeKind, str, Any]]] | None = None) -> EpisodeGraph:
    """Steps one after the other; `findings` hang nodes on steps: (kind, key, edge type)."""
    nodes = [GraphNode("action", key, key) for key in steps]
    edges = [GraphEdge(place, place + 1, "NEXT") for place in range(len(steps) - 1)]
    for step, hung in (findings or {}).items():
        for kind, key, edge_type in hung:
            edges.append(GraphEdge(step, len(nodes), edge_type))
            nodes.append(GraphNode(kind, key, key.upper()))
    return EpisodeGraph(episode="running", nodes=tuple(nodes), edges=tuple(edges))


def coming(found: tuple[EnteredPattern, ...]) -> list[list[str]]:
    return [[node.label for node in one.coming] for one in found]


CHAIN = pattern("action:조회 action:확인 action:환불", (0, 1, "NEXT"), (1, 2, "NEXT"))


def test_the_first_steps_of_a_chain_tell_what_comes_next_and_how_it_ends() -> None:
    (found,) = entered_patterns([CHAIN], running("인사", "조회", "확인"), NONE)
    assert [(one.place, one.name, one.step) for one in found.matched] == [(0, "조회", 1), (1, "확인", 2)]
    assert [node.label for node in found.coming] == ["환불"]
    assert not found.is_complete
    assert (found.polarity, found.outcomes.failure, found.success_rate, found.interval) == (
        "negative",
        9,
        0.0,
        (0.0, 0.3),
    )


@pytest.mark.parametrize(
    "steps",
    [
        (),
        ("조회",),
        ("확인", "환불"),
        ("조회", "인사", "확인"),
        ("조회", "확인", "인사"),
        ("조회", "확인", "인사", "환불"),
    ],
    ids=" ".join,
)
def test_a_chain_is_not_entered_from_its_middle_with_a_gap_or_after_its_end_went_elsewhere(
    steps: tuple[str, ...],
) -> None:
    assert entered_patterns([CHAIN], running(*steps), NONE) == ()


def test_a_whole_pattern_is_complete_wherever_it_stands() -> None:
    (found,) = entered_patterns([CHAIN], running("조회", "확인", "환불", "인사", "조회", "확인"), NONE)
    assert found.is_complete
    assert [one.step for one in found.matched] == [0, 1, 2]


def test_what_hangs_on_a_step_comes_with_it() -> None:
    told = pattern(
        "action:pay action:call tool:db symptom:timeout action:retry",
        (1, 2, "USED"),
        (1, 3, "RAISED"),
        (1, 4, "NEXT"),
        (4, 0, "NEXT"),
    )
    begun = running("start", "call", findings={1: [("tool", "db", "USED")]})
    assert coming(entered_patterns([told], begun, NONE)) == [["timeout", "retry", "pay"]]
    raised = running("call", findings={0: [("tool", "db", "USED"), ("symptom", "timeout", "RAISED")]})
    assert coming(entered_patterns([told], raised, NONE)) == [["retry", "pay"]]


def test_a_step_that_is_over_will_not_use_anything_more_but_may_prove_to_be_about_something() -> None:
    used = pattern("action:a action:b tool:t action:c", (0, 1, "NEXT"), (0, 2, "USED"), (1, 3, "NEXT"))
    about = pattern("action:a action:b concept:t action:c", (0, 1, "NEXT"), (0, 2, "ABOUT"), (1, 3, "NEXT"))
    graph = running("a", "b")
    assert entered_patterns([used], graph, NONE) == ()
    assert coming(entered_patterns([about], graph, NONE)) == [["c", "t"]]


def test_a_pattern_without_steps_in_a_row_is_entered_by_any_edge() -> None:
    shared = pattern("action:a action:b tool:t", (0, 2, "USED"), (1, 2, "USED"))
    graph = running("x", "b", "y", findings={1: [("tool", "t", "USED")]})
    assert coming(entered_patterns([shared], graph, NONE)) == [["a"]]
    assert entered_patterns([shared], running("a", "b"), NONE) == ()


def test_kinds_and_korean_keys_match_as_in_mining() -> None:
    told = pattern("action:환불 concept:가전~ action:거절", (0, 1, "ABOUT"), (0, 2, "NEXT"))
    taxonomy = Taxonomy({"냉장고": ("가전",)})
    graph = running("환불", findings={0: [("concept", "냉장고", "ABOUT")]})
    (found,) = entered_patterns([told], graph, taxonomy)
    assert [one.name for one in found.matched] == ["환불", "냉장고"]
    assert [node.label for node in found.coming] == ["거절"]
    assert entered_patterns([told], graph, NONE) == ()


def test_replicated_patterns_come_first_then_those_of_which_most_is_there() -> None:
    told = [
        pattern("action:a action:b action:c", (0, 1, "NEXT"), (1, 2, "NEXT"), id="part", support=99),
        pattern("action:a action:b", (0, 1, "NEXT"), id="rare", support=3),
        pattern("action:a action:b", (0, 1, "NEXT"), id="often", support=30),
        pattern("action:a action:b action:d", (0, 1, "NEXT"), (1, 2, "NEXT"), id="sure", tier="replicated"),
    ]
    expected = ["sure", "often", "rare", "part"]
    for order in (told, told[::-1]):
        assert [one.pattern.id for one in entered_patterns(order, running("a", "b"), NONE)] == expected


WORDS = ["a", "b", unicodedata.normalize("NFC", "다")]


@st.composite
def small_patterns(draw: st.DrawFn) -> Pattern:
    size = draw(st.integers(2, 4))
    nodes = " ".join(f"action:{draw(st.sampled_from(WORDS))}" for _ in range(size))
    edges = tuple((draw(st.integers(0, place - 1)), place, "NEXT") for place in range(1, size))
    return pattern(nodes, *edges)


@settings(max_examples=150, deadline=None)
@given(told=small_patterns(), steps=st.lists(st.sampled_from(WORDS), max_size=6))
def test_what_is_said_to_be_complete_is_what_networkx_finds(told: Pattern, steps: list[str]) -> None:
    graph = running(*steps)
    big: nx.DiGraph[int] = nx.DiGraph()
    small: nx.DiGraph[int] = nx.DiGraph()
    for target, nodes, edges in (
        (big, [node.key for node in graph.nodes], graph.edges),
        (small, [node.key for node in told.nodes], told.edges),
    ):
        target.add_nodes_from((place, {"key": key}) for place, key in enumerate(nodes))
        target.add_edges_from((source, end) for source, end, _ in edges)
    matcher = nx.isomorphism.DiGraphMatcher(big, small, node_match=lambda one, other: one == other)
    found = entered_patterns([told], graph, NONE)
    assert (len(found) == 1 and found[0].is_complete) == bool(next(matcher.subgraph_monomorphisms_iter(), None))


@settings(max_examples=150, deadline=None)
@given(told=small_patterns(), steps=st.lists(st.sampled_from(WORDS), max_size=5))
def test_every_beginning_can_be_gone_on_with(told: Pattern, steps: list[str]) -> None:
    graph = running(*steps)
    for found in entered_patterns([told], graph, NONE):
        places = {one.place: one.step for one in found.matched}
        nodes, edges = list(graph.nodes), list(graph.edges)
        for place in range(len(told.nodes)):
            if place not in places:
                places[place] = len(nodes)
                nodes.append(GraphNode("action", told.nodes[place].key, "x"))
        followed = {edge.source for edge in graph.edges}
        for source, target, _ in told.edges:
            edge = GraphEdge(places[source] or 0, places[target] or 0, "NEXT")
            if edge not in edges:
                assert edge.target >= len(graph.nodes)
                assert edge.source not in followed
                edges.append(edge)
        later = EpisodeGraph(episode="later", nodes=tuple(nodes), edges=tuple(edges))
        (whole,) = entered_patterns([told], later, NONE)
        assert whole.is_complete
