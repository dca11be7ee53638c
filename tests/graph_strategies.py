"""Hypothesis strategies of small episode graphs of every awkward kind, and of taxonomies over their keys."""

from __future__ import annotations

from hypothesis import strategies as st

from graphmem.patterns.graphs import EpisodeGraph, GraphEdge, GraphNode, Taxonomy

LEAVES = ["a", "b", "가"]
ANCESTORS = ["p", "q", "r"]


@st.composite
def small_graphs(draw: st.DrawFn, keys: list[str], *, most: int = 4) -> list[EpisodeGraph]:
    """A few graphs: several edges a pair, self-loops, equal labels, parts without an edge, none at all."""
    graphs = []
    for number in range(draw(st.integers(1, most))):
        kinds = st.sampled_from(["action", "concept"])
        nodes = draw(st.lists(st.builds(GraphNode, kinds, st.sampled_from(keys), st.just("n")), max_size=5))
        places = st.integers(0, len(nodes) - 1)
        edge = st.builds(GraphEdge, places, places, st.sampled_from(["NEXT", "ABOUT"]))
        edges = draw(st.lists(edge, max_size=6)) if nodes else []
        domain = draw(st.sampled_from([None, "coding", "상담"]))
        graphs.append(EpisodeGraph(episode=f"e{number}", nodes=tuple(nodes), edges=tuple(edges), domain=domain))
    return graphs


@st.composite
def taxonomies(draw: st.DrawFn) -> Taxonomy:
    """Several parents a key, up to three levels; an ancestor may occur as a label as well."""
    order = [*LEAVES, *ANCESTORS]
    parents = {}
    for place, key in enumerate(order[:-1]):
        above = [other for other in ANCESTORS if other in order[place + 1 :]]
        parents[key] = tuple(draw(st.lists(st.sampled_from(above), unique=True)))
    return Taxonomy(parents)
