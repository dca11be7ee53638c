"""An exact matcher in plain Python: does a motif occur in one episode, and where.

Growing finds occurrences of all motifs at once but keeps a bounded number of embeddings; the matcher
decides a single motif in a single episode, as far as a number of tries reaches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graphmem.patterns.canonical import Edge
from graphmem.patterns.graphs import EpisodeGraph


class Match(NamedTuple):
    """The answer of the matcher."""

    embedding: tuple[int, ...] | None
    """Place in the episode's nodes for each node of the motif; None when none was found."""
    is_decided: bool
    """False when the tries ran out before anything was found."""


@dataclass(frozen=True, slots=True)
class EdgeIndex:
    """The edges of one episode by what the matcher asks for."""

    edges: frozenset[Edge]
    targets: dict[tuple[int, str], list[int]]
    """Targets of the edges of a type that leave a node."""
    sources: dict[tuple[int, str], list[int]]
    """Sources of the edges of a type that enter a node."""


def index_edges(graph: EpisodeGraph) -> EdgeIndex:
    """Index the edges of an episode for matching many motifs."""
    edges = frozenset((source, target, str(edge_type)) for source, target, edge_type in graph.edges)
    targets: dict[tuple[int, str], list[int]] = defaultdict(list)
    sources: dict[tuple[int, str], list[int]] = defaultdict(list)
    for source, target, edge_type in sorted(edges):
        targets[source, edge_type].append(target)
        sources[target, edge_type].append(source)
    return EdgeIndex(edges, dict(targets), dict(sources))


def find_embedding(
    index: EdgeIndex, candidates: Sequence[frozenset[int]], edges: Sequence[Edge], *, max_steps: int
) -> Match:
    """Find an injective map of a connected motif that keeps the type and direction of each edge.

    Args:
        index: the episode's edges.
        candidates: for each node of the motif, the episode's nodes whose label fits.
        edges: of the motif, between places in `candidates`.
        max_steps: nodes to try before giving up.
    """
    search = _Search(index, candidates, _plan(candidates, edges), max_steps)
    found = search.extend({})
    if found is None:
        return Match(None, search.steps_left > 0)
    return Match(tuple(found[role] for role in range(len(candidates))), True)


class _Step(NamedTuple):
    """How the next node of the motif is found."""

    role: int
    link: Edge | None
    """An edge to a role that is placed already; None for the first."""
    checks: tuple[Edge, ...]
    """All edges between this role and those placed before, and to itself."""


def _plan(candidates: Sequence[frozenset[int]], edges: Sequence[Edge]) -> list[_Step]:
    """Start at the node with the fewest candidates and go on along edges."""
    placed: list[int] = []
    steps = []
    waiting = sorted(range(len(candidates)), key=lambda role: len(candidates[role]))
    while waiting:
        linked = (role for role in waiting if any(_joins(edge, role, placed) for edge in edges))
        role = next(linked, waiting[0])
        waiting.remove(role)
        placed.append(role)
        checks = tuple(edge for edge in edges if role in edge[:2] and set(edge[:2]) <= set(placed))
        link = next((edge for edge in checks if edge[0] != edge[1]), None)
        steps.append(_Step(role, link, checks))
    return steps


def _joins(edge: Edge, role: int, placed: Sequence[int]) -> bool:
    source, target, _ = edge
    return (source == role and target in placed) or (target == role and source in placed)


class _Search:
    """Depth-first search with a bounded number of tries."""

    def __init__(
        self, index: EdgeIndex, candidates: Sequence[frozenset[int]], plan: list[_Step], max_steps: int
    ) -> None:
        self.index = index
        self.candidates = candidates
        self.plan = plan
        self.steps_left = max_steps

    def extend(self, placed: dict[int, int]) -> dict[int, int] | None:
        """Place the remaining roles, or say that it cannot be done within the tries left."""
        if len(placed) == len(self.plan):
            return placed
        step = self.plan[len(placed)]
        for node in self._options(step, placed):
            if self.steps_left <= 0:
                return None
            self.steps_left -= 1
            if node in self.candidates[step.role] and node not in placed.values():
                trial = placed | {step.role: node}
                if all((trial[s], trial[t], kind) in self.index.edges for s, t, kind in step.checks):
                    found = self.extend(trial)
                    if found is not None:
                        return found
        return None

    def _options(self, step: _Step, placed: dict[int, int]) -> Sequence[int]:
        if step.link is None:
            return sorted(self.candidates[step.role])
        source, target, edge_type = step.link
        if source == step.role:
            return self.index.sources.get((placed[target], edge_type), ())
        return self.index.targets.get((placed[source], edge_type), ())
