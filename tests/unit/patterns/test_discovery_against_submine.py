"""Same motifs and supports as an independent miner in C++, without a taxonomy.

It mines undirected graphs with one edge a pair, so the direction is written into the label of the edge
relative to the order of the labels at its ends; motifs with an edge between equal labels lose it and
are left out on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from graphmem.patterns.encoding import encode_graphs
from graphmem.patterns.graphs import EpisodeGraph, Taxonomy
from graphmem.patterns.growth import grow_levels
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.recount import motif_edges
from motif_corpus import corpus

Label = tuple[str, str]
Found = tuple[int, list[tuple[Label, Label, str]], int]
"""Number of nodes, edges by the labels of their ends, support."""


def ours(graphs: Sequence[EpisodeGraph], min_support: int) -> list[Found]:
    """Every frequent motif, closed or not."""
    policy = MiningPolicy(min_support=min_support)
    encoded = encode_graphs(graphs, Taxonomy(), policy, min_support)
    found = []
    for level in grow_levels(encoded, policy, min_support, is_over=lambda: False, progress=lambda *_: None):
        for motif in range(len(level.table)):
            labels = [encoded.table.labels[number] for number in level.table.labels[motif].tolist()]
            edges = [
                (labels[source], labels[target], kind) for source, target, kind in motif_edges(level.table, motif)
            ]
            support = int(level.table.starts[motif + 1] - level.table.starts[motif])
            found.append((len(labels), sorted(edges), support))
    return found


def theirs(graphs: Sequence[EpisodeGraph], min_support: int, submine: Any) -> list[Found]:
    numbers: dict[Any, int] = {}
    names: dict[int, Any] = {}

    def number(name: Any) -> int:
        names[numbers.setdefault(name, len(numbers) + 2)] = name
        return numbers[name]

    lines = []
    for place, graph in enumerate(graphs):
        labels = [node[:2] for node in graph.nodes]
        lines.append(f"t # {place}")
        lines += [f"v {node} {number(label)}" for node, label in enumerate(labels)]
        for source, target, kind in graph.edges:
            forward = labels[source] < labels[target]
            lines.append(f"e {source} {target} {number((kind, forward))}")
    lines.append("t # -1")
    text = "\n".join(lines) + "\n"
    found = []
    for record in submine.mine_from_string(text, minsup=min_support, directed=False, maxpat_min=2, maxpat_max=5):
        labels = [names[label] for label in record["node_labels"]]
        edges = []
        for (source, target), label in zip(record["edges"], record["edge_labels"], strict=True):
            kind, forward = names[label]
            if (labels[source] < labels[target]) == forward:
                edges.append((labels[source], labels[target], kind))
        found.append((len(labels), sorted(edges), record["support"]))
    return found


def without_equal_ends(
    motifs: list[Found],
) -> list[Found]:
    return sorted(motif for motif in motifs if all(source != target for source, target, _ in motif[1]))


def one_edge_a_pair(graph: EpisodeGraph) -> EpisodeGraph:
    """The graph without a second edge between two nodes, which the other miner cannot hold."""
    kept = {frozenset(edge[:2]): edge for edge in reversed(graph.edges)}
    return EpisodeGraph(episode=graph.episode, nodes=graph.nodes, edges=tuple(kept.values()))


@pytest.mark.parametrize(("episodes", "min_support"), [(1_000, 3), (10_000, 10)])
def test_motifs_and_supports_are_those_of_submine(episodes: int, min_support: int) -> None:
    submine = pytest.importorskip("submine.algorithms.gspan_cpp", reason="install submine to run its oracle")
    graphs = [one_edge_a_pair(graph) for graph in corpus(episodes)]
    found = without_equal_ends(ours(graphs, min_support))
    assert len(found) > 1_000
    assert found == without_equal_ends(theirs(graphs, min_support, submine))
