"""An independent miner in C++ (submine, gSpan) as an oracle and as a yardstick, where it is installed.

It mines undirected graphs with one edge a pair, so the direction is written into the label of the edge
relative to the order of the labels at its ends; motifs with an edge between equal labels lose it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphmem.patterns.graphs import EpisodeGraph

Label = tuple[str, str]
Found = tuple[int, list[tuple[Label, Label, str]], int]
"""Number of nodes, edges by the labels of their ends, support."""


class SubmineCorpus:
    """Episode graphs in the text form that the miner reads."""

    def __init__(self, graphs: Sequence[EpisodeGraph]) -> None:
        self._numbers: dict[Any, int] = {}
        self._names: dict[int, Any] = {}
        lines = []
        for place, graph in enumerate(graphs):
            labels = [node[:2] for node in graph.nodes]
            lines.append(f"t # {place}")
            lines += [f"v {node} {self._number(label)}" for node, label in enumerate(labels)]
            for source, target, kind in graph.edges:
                forward = labels[source] < labels[target]
                lines.append(f"e {source} {target} {self._number((kind, forward))}")
        self.text = "\n".join([*lines, "t # -1", ""])

    def _number(self, name: Any) -> int:
        number = self._numbers.setdefault(name, len(self._numbers) + 2)
        self._names[number] = name
        return number

    def mine(self, submine: Any, min_support: int) -> list[Any]:
        """Records of all frequent motifs of 2 to 5 nodes, as the miner gives them."""
        records: list[Any] = submine.mine_from_string(
            self.text, minsup=min_support, directed=False, maxpat_min=2, maxpat_max=5
        )
        return records

    def read(self, record: Any) -> Found:
        """Give a record in our words."""
        labels = [self._names[label] for label in record["node_labels"]]
        edges = []
        for (source, target), label in zip(record["edges"], record["edge_labels"], strict=True):
            kind, forward = self._names[label]
            if (labels[source] < labels[target]) == forward:
                edges.append((labels[source], labels[target], kind))
        return len(labels), sorted(edges), record["support"]


def one_edge_a_pair(graph: EpisodeGraph) -> EpisodeGraph:
    """The graph without a second edge between two nodes, which the miner cannot hold."""
    kept = {frozenset(edge[:2]): edge for edge in reversed(graph.edges)}
    return EpisodeGraph(episode=graph.episode, nodes=graph.nodes, edges=tuple(kept.values()))
