from __future__ import annotations

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.patterns.graphs import EpisodeGraph, GraphEdge, GraphNode
from graphmem.patterns.matching import find_embedding, index_edges

Case = tuple[EpisodeGraph, list[frozenset[int]], list[tuple[int, int, str]]]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A graph of up to 6 nodes and a connected motif of up to 4 with nodes that fit."""
    size = draw(st.integers(2, 6))
    place = st.integers(0, size - 1)
    edge = st.builds(GraphEdge, place, place, st.sampled_from(["NEXT", "ABOUT"]))
    nodes = tuple(GraphNode("action", str(number), "n") for number in range(size))
    graph = EpisodeGraph(episode="e", nodes=nodes, edges=tuple(draw(st.lists(edge, max_size=12))))
    roles = draw(st.integers(2, 4))
    types = st.sampled_from(["NEXT", "ABOUT"])
    tree = [draw(st.permutations([role, draw(st.integers(0, role - 1))])) for role in range(1, roles)]
    role = st.integers(0, roles - 1)
    more = draw(st.lists(st.tuples(role, role, types), max_size=2))
    edges = [(source, target, draw(types)) for source, target in tree] + more
    candidates = [frozenset(draw(st.sets(place, min_size=1))) for _ in range(roles)]
    return graph, candidates, edges


@settings(max_examples=300)
@given(case=cases())
def test_the_matcher_finds_an_embedding_exactly_when_some_order_of_nodes_is_one(case: Case) -> None:
    graph, candidates, edges = case
    present = set(graph.edges)
    embeddings = {
        chosen
        for chosen in permutations(range(len(graph.nodes)), len(candidates))
        if all(node in fitting for node, fitting in zip(chosen, candidates, strict=True))
        and all((chosen[source], chosen[target], kind) in present for source, target, kind in edges)
    }
    match = find_embedding(index_edges(graph), candidates, edges, max_steps=100_000)
    assert match.is_decided
    assert match.embedding in embeddings if embeddings else match.embedding is None


def test_a_matcher_that_runs_out_of_tries_says_so() -> None:
    nodes = tuple(GraphNode("action", "a", "a") for _ in range(30))
    edges = tuple(GraphEdge(one, other, "NEXT") for one in range(30) for other in range(30) if one < other)
    graph = EpisodeGraph(episode="e", nodes=nodes, edges=edges)
    everything = frozenset(range(30))
    circle = [(0, 1, "NEXT"), (1, 2, "NEXT"), (2, 0, "NEXT")]
    match = find_embedding(index_edges(graph), [everything] * 3, circle, max_steps=50)
    assert match.embedding is None
    assert not match.is_decided
