"""The structure test against its definition, computed anew by enumeration on small random corpora."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.stats import binom

import brute_force_mining as oracle
from graphmem.patterns.discovery import discover_motifs
from graphmem.patterns.graphs import EpisodeGraph, GraphEdge, GraphNode, Taxonomy
from graphmem.patterns.motifs import MiningResult, Motif
from graphmem.patterns.policy import MiningPolicy

LEAVES = ["a", "b", "가"]
TAXONOMY = Taxonomy({"a": ("p",), "가": ("p",)})
Figures = dict[oracle.Shape, tuple[float, float]]


@st.composite
def corpora(draw: st.DrawFn) -> list[EpisodeGraph]:
    """A few distinct graphs, each some times: supports that tests can tell apart."""
    graphs: list[EpisodeGraph] = []
    for _ in range(draw(st.integers(1, 3))):
        kinds = st.sampled_from(["action", "concept"])
        nodes = draw(
            st.lists(st.builds(GraphNode, kinds, st.sampled_from(LEAVES), st.just("n")), min_size=2, max_size=4)
        )
        places = st.integers(0, len(nodes) - 1)
        edge = st.builds(GraphEdge, places, places, st.sampled_from(["NEXT", "ABOUT"]))
        edges = draw(st.lists(edge.filter(lambda one: one.source != one.target), min_size=1, max_size=4))
        for _ in range(draw(st.integers(1, 12))):
            graphs.append(EpisodeGraph(episode=f"e{len(graphs):02}", nodes=tuple(nodes), edges=tuple(edges)))
    return graphs


def matching(graph: EpisodeGraph, label: oracle.Label) -> list[int]:
    kind, key = label
    return [
        place
        for place, node in enumerate(graph.nodes)
        if node.kind == kind and key in {node.key, *TAXONOMY.ancestors(node.key)}
    ]


def with_edge(graphs: Sequence[EpisodeGraph], one: oracle.Label, kind: str, other: oracle.Label) -> int:
    """Episodes with such an edge between two nodes."""
    return sum(
        any(
            edge.type == kind
            and edge.source != edge.target
            and edge.source in matching(graph, one)
            and edge.target in matching(graph, other)
            for edge in graph.edges
        )
        for graph in graphs
    )


def parents(shape: oracle.Shape) -> Iterator[tuple[oracle.Shape, oracle.Edge, list[int]]]:
    """What is left without an edge, that edge, and the ends of it that are still there."""
    labels, edges = shape
    for left_out in edges:
        rest = [edge for edge in edges if edge != left_out]
        nodes = sorted({node for source, target, _ in rest for node in (source, target)})
        if len(nodes) >= max(2, len(labels) - 1) and oracle.is_connected(nodes, rest):
            place = {node: number for number, node in enumerate(nodes)}
            smaller = oracle.smallest_form(
                [labels[node] for node in nodes], [(place[a], place[b], kind) for a, b, kind in rest]
            )
            yield smaller, left_out, [end for end in left_out[:2] if end in nodes]


def own_figures(graphs: Sequence[EpisodeGraph], frequent: dict[oracle.Shape, frozenset[str]]) -> Figures:
    """P and lift of each motif in the least convincing of its comparisons."""
    found: Figures = {}
    for shape, episodes in frequent.items():
        comparisons = []
        for parent, (source, target, kind), anchors in parents(shape):
            if parent not in frequent:
                continue
            one, other = shape[0][source], shape[0][target]
            anchored = sum(all(matching(graph, shape[0][end]) for end in anchors) for graph in graphs)
            chance = min(1.0, with_edge(graphs, one, kind, other) / anchored)
            given = len(frequent[parent])
            comparisons.append(
                (float(binom.sf(len(episodes) - 1, given, chance)), len(episodes) / (given * chance))
            )
        if not comparisons:
            comparisons = [independent(graphs, shape, len(episodes))]
        found[shape] = max(p for p, _ in comparisons), min(lift for _, lift in comparisons)
    return found


def independent(graphs: Sequence[EpisodeGraph], shape: oracle.Shape, support: int) -> tuple[float, float]:
    """A single edge, had its ends been drawn on their own from the ends of its kind of edge."""
    (source, target, kind), labels = shape[1][0], shape[0]
    one, other = labels[source], labels[target]
    alike = [
        (graph, edge)
        for graph in graphs
        for edge in {(edge.source, edge.target, edge.type) for edge in graph.edges}
        if edge[2] == kind
        and edge[0] != edge[1]
        and graph.nodes[edge[0]].kind == one[0]
        and graph.nodes[edge[1]].kind == other[0]
    ]
    begins = sum(edge[0] in matching(graph, one) for graph, edge in alike) / len(alike)
    ends = sum(edge[1] in matching(graph, other) for graph, edge in alike) / len(alike)
    edges = Counter(graph.episode for graph, _ in alike)
    expected = sum(1 - (1 - begins * ends) ** count for count in edges.values())
    return float(binom.sf(support - 1, len(graphs), min(1.0, expected / len(graphs)))), support / expected


def inherited(shape: oracle.Shape, own: Figures, frequent: dict[oracle.Shape, frozenset[str]]) -> float:
    """The smallest p among itself and the sub-motifs of which it holds in at least 90 of 100 episodes."""
    seen, waiting = {shape}, [shape]
    while waiting:
        for parent, _, _ in parents(waiting.pop()):
            if parent in frequent and parent not in seen and len(frequent[shape]) >= 0.9 * len(frequent[parent]):
                seen.add(parent)
                waiting.append(parent)
    return min(own[one][0] for one in seen)


def shape_of(motif: Motif) -> oracle.Shape:
    return oracle.smallest_form([node[:2] for node in motif.nodes], list(motif.edges))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(corpora(), st.integers(1, 3))
def test_structure_is_that_of_a_computation_from_the_definition(
    graphs: list[EpisodeGraph], min_support: int
) -> None:
    policy = MiningPolicy(min_support=min_support, max_nodes=4, max_ancestor_share=1.0)
    frequent = oracle.enumerate_frequent(
        graphs, TAXONOMY, min_support=min_support, max_nodes=4, max_generalised=2, max_share=1.0
    )
    own = own_figures(graphs, frequent)
    for motif in discover_motifs(graphs, TAXONOMY, policy).motifs:
        shape = shape_of(motif)
        assert motif.structure.p == pytest.approx(inherited(shape, own, frequent), rel=1e-6, abs=1e-12)
        if motif.structure.source is None:
            assert motif.structure.lift == pytest.approx(own[shape][1], rel=1e-4, abs=1e-4)


def episodes(count: int, *keys: str, name: str) -> list[EpisodeGraph]:
    nodes = tuple(GraphNode("action", key, key) for key in keys)
    edges = tuple(GraphEdge(place, place + 1, "NEXT") for place in range(len(keys) - 1))
    return [EpisodeGraph(episode=f"{name}{number:03}", nodes=nodes, edges=edges) for number in range(count)]


def mined(graphs: Sequence[EpisodeGraph]) -> dict[str, Motif]:
    found: MiningResult = discover_motifs(graphs)
    return {" ".join(node.key for node in motif.nodes): motif for motif in found.motifs}


def filler(count: int) -> list[EpisodeGraph]:
    return [
        one for number in range(count) for one in episodes(3, f"x{number}", f"y{number}", name=f"f{number:02}-")
    ]


@pytest.mark.parametrize(("without", "inherits"), [(1, True), (2, False)])
def test_a_motif_in_nine_of_ten_episodes_of_a_part_takes_over_its_verdict(without: int, inherits: bool) -> None:
    # b → c follows b everywhere: nothing in a → b → c goes beyond a → b
    graphs = episodes(10, "a", "b", "c", name="all") + episodes(without, "a", "b", name="part")
    motifs = mined([*graphs, *episodes(6, "z", "b", "c", name="other"), *filler(20)])
    motif = motifs["a b c"]
    assert (motif.structure.source is not None) is inherits
    assert motif.structure.source in (motifs["a b"].id, None)
    assert (motif.structure.p < 0.001) is inherits


def test_a_chain_whose_every_step_follows_anyway_is_not_more_than_its_parts() -> None:
    graphs = [*episodes(40, "a", "b", name="one"), *episodes(40, "b", "c", name="two")]
    graphs += [*episodes(40, "a", "b", "c", name="both"), *episodes(120, "x", "y", name="rest")]
    motifs = mined(graphs)
    assert motifs["a b"].structure.p < 1e-6
    assert motifs["a b c"].structure.p > 0.05


def test_an_edge_from_a_node_to_itself_claims_nothing() -> None:
    nodes = (GraphNode("action", "a", "a"), GraphNode("action", "b", "b"))
    edges = (GraphEdge(0, 1, "NEXT"), GraphEdge(0, 0, "NEXT"))
    graphs = [EpisodeGraph(episode=f"e{number}", nodes=nodes, edges=edges) for number in range(9)]
    result = discover_motifs(
        [*graphs, *episodes(9, "a", "c", name="g"), *episodes(2, "a", "b", name="h"), *filler(9)]
    )
    with_loop = [motif for motif in result.motifs if len(motif.edges) == 2]
    assert [motif.support for motif in with_loop] == [9]
    assert with_loop[0].structure.p == 1.0


def test_frequent_labels_that_meet_as_often_as_chance_has_them_are_no_structure() -> None:
    graphs = []
    for one in range(4):
        for other in range(4):
            graphs += episodes(6, f"a{one}", f"b{other}", name=f"g{one}{other}")
    assert all(motif.structure.p > 0.3 and motif.structure.lift < 1.5 for motif in mined(graphs).values())
