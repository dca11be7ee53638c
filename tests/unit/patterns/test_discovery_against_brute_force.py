"""The miner finds what plain enumeration finds, on small random graphs of every awkward kind."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import brute_force_mining as oracle
from graph_strategies import LEAVES, small_graphs, taxonomies
from graphmem.patterns.discovery import discover_motifs
from graphmem.patterns.graphs import EpisodeGraph, Taxonomy
from graphmem.patterns.motifs import Motif
from graphmem.patterns.policy import MiningPolicy


def as_shapes(motifs: tuple[Motif, ...]) -> dict[oracle.Shape, frozenset[str]]:
    return {
        oracle.smallest_form([node[:2] for node in motif.nodes], list(motif.edges)): frozenset(motif.episodes)
        for motif in motifs
    }


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graphs=small_graphs(LEAVES), min_support=st.integers(1, 2))
def test_without_a_taxonomy_the_closed_motifs_are_those_of_plain_enumeration(
    graphs: list[EpisodeGraph], min_support: int
) -> None:
    policy = MiningPolicy(min_support=min_support, max_nodes=4)
    result = discover_motifs(graphs, None, policy)
    expected = oracle.brute_force(
        graphs, Taxonomy(), min_support=min_support, max_nodes=4, max_generalised=2, max_share=0.5
    )
    assert as_shapes(result.motifs) == expected
    assert len(result.motifs) == len(expected)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    graphs=small_graphs([*LEAVES, "p"]),
    taxonomy=taxonomies(),
    min_support=st.integers(1, 3),
    max_generalised=st.integers(0, 3),
    max_share=st.sampled_from([0.5, 1.0]),
)
def test_with_a_taxonomy_the_motifs_are_those_of_plain_enumeration(
    graphs: list[EpisodeGraph], taxonomy: Taxonomy, min_support: int, max_generalised: int, max_share: float
) -> None:
    policy = MiningPolicy(
        min_support=min_support, max_nodes=3, max_generalised=max_generalised, max_ancestor_share=max_share
    )
    result = discover_motifs(graphs, taxonomy, policy)
    expected = oracle.brute_force(
        graphs,
        taxonomy,
        min_support=min_support,
        max_nodes=3,
        max_generalised=max_generalised,
        max_share=max_share,
    )
    assert as_shapes(result.motifs) == expected


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graphs=small_graphs(LEAVES), taxonomy=taxonomies())
def test_every_motif_occurs_in_its_episodes_and_in_no_other(
    graphs: list[EpisodeGraph], taxonomy: Taxonomy
) -> None:
    result = discover_motifs(graphs, taxonomy, MiningPolicy(min_support=1, max_nodes=5, max_ancestor_share=1.0))
    for motif in result.motifs:
        labels = [node[:2] for node in motif.nodes]
        holding = [g.episode for g in graphs if oracle.occurs(labels, list(motif.edges), g, taxonomy)]
        assert list(motif.episodes) == holding


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graphs=small_graphs(LEAVES), taxonomy=taxonomies())
def test_the_example_of_an_episode_is_an_occurrence(graphs: list[EpisodeGraph], taxonomy: Taxonomy) -> None:
    by_id = {graph.episode: graph for graph in graphs}
    result = discover_motifs(graphs, taxonomy, MiningPolicy(min_support=1, max_nodes=4, max_ancestor_share=1.0))
    for motif in result.motifs:
        for episode in motif.episodes:
            graph, example = by_id[episode], motif.occurrence(episode)
            assert len(set(example.values())) == len(motif.nodes)
            for role, node in enumerate(motif.nodes):
                kind, key, _ = graph.nodes[example[role]]
                assert kind == node.kind
                assert node.key in {key, *taxonomy.ancestors(key)}
            for source, target, edge_type in motif.edges:
                assert (example[source], example[target], edge_type) in graph.edges
