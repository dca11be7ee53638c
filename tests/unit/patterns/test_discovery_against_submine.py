"""Same motifs and supports as an independent miner, without a taxonomy and equal labels at an edge's ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from graphmem.patterns.encoding import encode_graphs
from graphmem.patterns.graphs import EpisodeGraph, Taxonomy
from graphmem.patterns.growth import grow_levels
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.recount import motif_edges
from motif_corpus import corpus
from submine_oracle import Found, SubmineCorpus, one_edge_a_pair


def ours(graphs: Sequence[EpisodeGraph], min_support: int) -> list[Found]:
    """Every frequent motif, closed or not."""
    policy = MiningPolicy(min_support=min_support)
    encoded = encode_graphs(graphs, Taxonomy(), policy, min_support)
    found: list[Found] = []
    for level in grow_levels(encoded, policy, min_support, is_over=lambda: False, progress=lambda *_: None):
        for motif in range(len(level.table)):
            labels = [encoded.table.labels[number] for number in level.table.labels[motif].tolist()]
            edges = [(labels[one], labels[other], kind) for one, other, kind in motif_edges(level.table, motif)]
            support = int(level.table.starts[motif + 1] - level.table.starts[motif])
            found.append((len(labels), sorted(edges), support))
    return found


def without_equal_ends(motifs: Iterable[Found]) -> list[Found]:
    return sorted(motif for motif in motifs if all(source != target for source, target, _ in motif[1]))


@pytest.mark.parametrize(("episodes", "min_support"), [(1_000, 3), (10_000, 10)])
def test_motifs_and_supports_are_those_of_submine(episodes: int, min_support: int) -> None:
    submine = pytest.importorskip("submine.algorithms.gspan_cpp", reason="install submine to run its oracle")
    graphs = [one_edge_a_pair(graph) for graph in corpus(episodes)]
    theirs = SubmineCorpus(graphs)
    found = without_equal_ends(ours(graphs, min_support))
    assert len(found) > 1_000
    assert found == without_equal_ends(map(theirs.read, theirs.mine(submine, min_support)))
