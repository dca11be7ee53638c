"""A corpus cut into parts yields what it yields whole: motifs, episodes, examples, positions and figures."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph_strategies import LEAVES, small_graphs, taxonomies
from graphmem.patterns.discovery import discover_motifs
from graphmem.patterns.encoding import encode_graphs
from graphmem.patterns.graphs import EpisodeGraph, GraphEdge, GraphNode, Taxonomy
from graphmem.patterns.motifs import MiningResult
from graphmem.patterns.partitions import split_corpus
from graphmem.patterns.policy import MiningPolicy
from motif_corpus import TAXONOMY, corpus

By = Literal["count", "domain"]


def everything(result: MiningResult) -> dict[str, Any]:
    """All of a result, the examples included."""
    examples = {motif.id: motif.occurrences.tolist() for motif in result.motifs}
    rest = {name: getattr(result, name) for name in MiningResult.__dataclass_fields__}
    return {**rest, "examples": examples}


def assert_equal_in_parts(
    graphs: list[EpisodeGraph], taxonomy: Taxonomy, policy: MiningPolicy, parts: Iterable[int] = (2, 8)
) -> None:
    whole = everything(discover_motifs(graphs, taxonomy, policy))
    for number in parts:
        for by in ("count", "domain"):
            cut = policy.model_copy(update={"partitions": number, "partition_by": by})
            assert everything(discover_motifs(graphs, taxonomy, cut)) == whole, (number, by)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    graphs=small_graphs([*LEAVES, "p"], most=10),
    taxonomy=taxonomies(),
    min_support=st.integers(1, 3),
    max_nodes=st.integers(2, 5),
)
def test_small_graphs_of_every_awkward_kind(
    graphs: list[EpisodeGraph], taxonomy: Taxonomy, min_support: int, max_nodes: int
) -> None:
    assert_equal_in_parts(graphs, taxonomy, MiningPolicy(min_support=min_support, max_nodes=max_nodes))


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    keys=st.lists(st.lists(st.sampled_from(["재시도", "확인"]), min_size=1, max_size=40), min_size=2, max_size=9),
    max_matching_steps=st.sampled_from([0, 20_000]),
    dense=st.booleans(),
)
def test_loops_that_hit_the_caps(keys: list[list[str]], max_matching_steps: int, dense: bool) -> None:
    graphs = [looping(f"e{number}", steps) for number, steps in enumerate(keys)]
    policy = MiningPolicy(
        min_support=2, max_embeddings=8, max_candidates=1_000, max_matching_steps=max_matching_steps
    )
    if dense:
        graphs.append(looping("x", ["재시도", "확인"] * 60))
    assert_equal_in_parts(graphs, Taxonomy(), policy)


def looping(episode: str, steps: list[str]) -> EpisodeGraph:
    """Steps in a row, each with the one tool, some before all that follow two later."""
    nodes = (*(GraphNode("action", key, key) for key in steps), GraphNode("tool", "sh", "sh"))
    edges = [GraphEdge(place, place + 1, "NEXT") for place in range(len(steps) - 1)]
    edges += [GraphEdge(place, place + 2, "NEXT") for place in range(0, len(steps) - 2, 3)]
    edges += [GraphEdge(place, len(steps), "USED") for place in range(len(steps))]
    domain = ["coding", "상담"][len(steps) % 2]
    return EpisodeGraph(episode=episode, nodes=nodes, edges=tuple(edges), domain=domain)


@pytest.mark.parametrize(("episodes", "min_support"), [(400, 3), (2_000, 20)])
def test_planted_corpora(episodes: int, min_support: int) -> None:
    assert_equal_in_parts(corpus(episodes), TAXONOMY, MiningPolicy(min_support=min_support))


def test_an_executor_gives_the_same_result() -> None:
    graphs = corpus(300)
    whole = everything(discover_motifs(graphs, TAXONOMY))
    with ThreadPoolExecutor(2) as executor:
        assert everything(discover_motifs(graphs, TAXONOMY, partitions=3, executor=executor)) == whole
        assert everything(discover_motifs(graphs, TAXONOMY, executor=executor)) == whole


def test_more_partitions_than_episodes_and_no_episodes() -> None:
    graphs = corpus(5)
    policy = MiningPolicy(min_support=2)
    assert_equal_in_parts(graphs, TAXONOMY, policy, [64])
    assert discover_motifs([], TAXONOMY, partitions=4).motifs == ()


@pytest.mark.parametrize("by", ["count", "domain"])
def test_every_episode_lies_in_one_part(by: By) -> None:
    graphs = corpus(50)
    encoded = encode_graphs(graphs, TAXONOMY, MiningPolicy(), 3)
    parts = split_corpus(encoded, 4, by)
    assert sorted(node for part in parts for node in part.nodes.tolist()) == list(range(len(encoded.node_label)))
    domains = [{graphs[encoded.node_episode[node]].domain for node in part.nodes.tolist()} for part in parts]
    assert len(parts) == (4 if by == "count" else 3)
    assert by == "count" or all(len(one) == 1 for one in domains)


def test_when_too_many_motifs_are_frequent_parts_complete_the_same_sizes() -> None:
    graphs, policy = corpus(300), MiningPolicy(max_frequent=100)
    assert_equal_in_parts(graphs, TAXONOMY, policy)


def test_when_time_runs_out_the_sizes_that_are_complete_are_returned() -> None:
    graphs, readings = corpus(300), iter(range(1_000))
    policy = MiningPolicy(time_budget_seconds=1.5, partitions=2)
    result = discover_motifs(graphs, TAXONOMY, policy, clock=lambda: float(next(readings)))
    whole = discover_motifs(graphs, TAXONOMY)
    assert result.incomplete is not None
    assert "time budget of 1.5 s" in result.incomplete
    largest = max(len(motif.nodes) for motif in result.motifs)
    assert largest == result.complete_nodes < 5
    supports = {motif.id: motif.support for motif in whole.motifs if len(motif.nodes) <= largest}
    assert supports.items() <= {motif.id: motif.support for motif in result.motifs}.items()


def test_the_number_of_partitions_is_no_part_of_the_policy_hash() -> None:
    cut = MiningPolicy(partitions=8, partition_by="domain")
    assert cut.fingerprint() == MiningPolicy().fingerprint()


def test_progress_is_told_in_shares() -> None:
    told: list[tuple[str, float]] = []
    discover_motifs(corpus(100), partitions=2, progress=lambda stage, share: told.append((stage, share)))
    assert ("grow to 5 nodes", 1.0) in told
    assert all(0.0 <= share <= 1.0 for _, share in told)
