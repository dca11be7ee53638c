"""What is kept where closed motifs are too many: the same on any number of partitions, and the others counted."""

from __future__ import annotations

import pytest

from graphmem.patterns.discovery import discover_motifs
from graphmem.patterns.encoding import encode_graphs
from graphmem.patterns.graphs import EpisodeGraph, GraphEdge, GraphNode
from graphmem.patterns.growth import seed_shapes
from graphmem.patterns.limits import SetAside
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.replaying import Plan, Step, propose
from motif_corpus import TAXONOMY, corpus


def with_tools(episode: str, action: str, tools: int) -> EpisodeGraph:
    """One step with many tools, and one after it."""
    used = tuple(GraphNode("tool", f"도구 {place}", f"도구 {place}") for place in range(tools))
    nodes = (GraphNode("action", action, action), GraphNode("action", "닫기", "닫기"), *used)
    edges = (GraphEdge(0, 1, "NEXT"), *(GraphEdge(0, place + 2, "USED") for place in range(tools)))
    return EpisodeGraph(episode=episode, nodes=nodes, edges=edges)


def crowded() -> list[EpisodeGraph]:
    return [with_tools(f"{action}{number}", action, 30) for action in ("환불", "교환") for number in range(3)]


@pytest.mark.parametrize("partitions", [1, 2, 8])
def test_of_motifs_in_the_same_episodes_the_largest_are_kept(partitions: int) -> None:
    policy = MiningPolicy(max_nodes=3, max_alike=50)
    every = discover_motifs(crowded(), policy=MiningPolicy(max_nodes=3), partitions=partitions)
    some = discover_motifs(crowded(), policy=policy, partitions=partitions)
    assert every.set_aside == SetAside()
    assert some.set_aside.alike == len(every.motifs) - len(some.motifs) > 0
    by_episodes: dict[tuple[str, ...], int] = {}
    for motif in some.motifs:
        by_episodes[motif.episodes] = by_episodes.get(motif.episodes, 0) + 1
    assert {episodes: number for episodes, number in by_episodes.items() if number == 50}
    assert max(by_episodes.values()) == 50
    assert {motif.id for motif in some.motifs} <= {motif.id for motif in every.motifs}
    again = discover_motifs(crowded()[::-1], policy=policy)
    assert [motif.id for motif in some.motifs] == [motif.id for motif in again.motifs]


@pytest.mark.parametrize("partitions", [1, 2, 8])
def test_beyond_the_number_of_all_those_of_most_support_are_kept(partitions: int) -> None:
    graphs = corpus(300)
    every = discover_motifs(graphs, TAXONOMY)
    some = discover_motifs(graphs, TAXONOMY, MiningPolicy(max_motifs=200), partitions=partitions)
    assert some.set_aside == SetAside(beyond=len(every.motifs) - 200)
    assert [motif.support for motif in some.motifs] == [motif.support for motif in every.motifs[:200]]
    kept = {motif.id for motif in some.motifs}
    assert {below for motif in some.motifs for below in motif.generalizes} <= kept
    assert [motif.id for motif in some.motifs] == [
        motif.id for motif in discover_motifs(graphs, TAXONOMY, MiningPolicy(max_motifs=200)).motifs
    ]


def test_a_part_without_time_gives_no_answer() -> None:
    encoded = encode_graphs(corpus(100), TAXONOMY, MiningPolicy(), 3)
    first = propose(encoded, MiningPolicy(), Plan())
    assert first is not None
    keys, _ = first.trees
    plan = Plan(seeds=Step(keys, seed_shapes(keys, len(encoded.table.labels))[1]), cycles=((),))
    assert propose(encoded, MiningPolicy(), plan) is not None
    assert propose(encoded, MiningPolicy(), plan, seconds=-1.0) is None
