"""In which episodes stored patterns occur now, those that were added or changed since mining included."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from graphmem.models.pattern import Pattern
from graphmem.patterns.canonical import Label
from graphmem.patterns.graphs import EpisodeGraph, Taxonomy
from graphmem.patterns.matching import EdgeIndex, find_embedding, index_edges

MOST_TRIES = 20_000
"""Tries of the matcher within one episode, as many as mining makes."""

Places = NDArray[np.int64]


def labels_of(pattern: Pattern) -> list[Label]:
    """The label of each of its nodes."""
    return [(node.kind, node.key) for node in pattern.nodes]


def find_occurrences(
    patterns: Sequence[Pattern], graphs: Sequence[EpisodeGraph], taxonomy: Taxonomy
) -> list[Places]:
    """Of each pattern the places, rising, of the episodes that hold it.

    Where the matcher's tries do not suffice, the episode counts if it was evidence when the pattern was mined.

    Args:
        patterns: As stored.
        graphs: The episodes.
        taxonomy: is_a among keys.
    """
    known = LabelledNodes(taxonomy, patterns)
    matching = [known.nodes(graph) for graph in graphs]
    having: dict[Label, set[int]] = defaultdict(set)
    for place, nodes in enumerate(matching):
        for label in nodes:
            having[label].add(place)
    edges = cache(lambda place: index_edges(graphs[place]))
    found = []
    for pattern in patterns:
        possible = set.intersection(*(having[label] for label in labels_of(pattern)))
        evidence = frozenset(pattern.episodes)
        places = [
            place
            for place in sorted(possible)
            if _holds(pattern, edges(place), matching[place], is_evidence=graphs[place].episode in evidence)
        ]
        found.append(np.array(places, np.int64))
    return found


class LabelledNodes:
    """Finds the nodes that labels fit; remembers the ancestors of keys, since episodes share most of these."""

    def __init__(self, taxonomy: Taxonomy, patterns: Sequence[Pattern]) -> None:
        self._taxonomy = taxonomy
        self._wanted = {label for pattern in patterns for label in labels_of(pattern)}
        self._labels: dict[Label, tuple[Label, ...]] = {}

    def nodes(self, graph: EpisodeGraph) -> dict[Label, frozenset[int]]:
        """For each label that is asked for, the nodes with its key and those that are one."""
        nodes: dict[Label, set[int]] = defaultdict(set)
        for place, (kind, key, _) in enumerate(graph.nodes):
            for label in self._fitting((kind, key)):
                nodes[label].add(place)
        return {label: frozenset(places) for label, places in nodes.items()}

    def _fitting(self, label: Label) -> tuple[Label, ...]:
        if label not in self._labels:
            kind, key = label
            names = (label, *((kind, above) for above in self._taxonomy.ancestors(key)))
            self._labels[label] = tuple(name for name in names if name in self._wanted)
        return self._labels[label]


def _holds(
    pattern: Pattern, edges: EdgeIndex, nodes: Mapping[Label, frozenset[int]], *, is_evidence: bool
) -> bool:
    candidates = [nodes[label] for label in labels_of(pattern)]
    match = find_embedding(edges, candidates, pattern.edges, max_steps=MOST_TRIES)
    return match.embedding is not None or (not match.is_decided and is_evidence)
