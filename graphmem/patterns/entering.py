"""Which patterns a running episode has entered, what comes next in them, and how they end. Pure.

A beginning of a pattern is a connected part of it with an edge at least, that holds with a step all steps
before it. It counts only while the rest can still follow: a step whose next one is to come must be the last
one now, and a step that is over will not use, raise or fix anything more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from graphmem.models.pattern import (
    CLAIMING_TIERS,
    EdgeType,
    Interval,
    OutcomeCounts,
    Pattern,
    PatternNode,
    Polarity,
)
from graphmem.patterns.graphs import EpisodeGraph, Taxonomy
from graphmem.patterns.matching import EdgeIndex, find_embedding, index_edges
from graphmem.patterns.occurrences import MOST_TRIES, LabelledNodes, labels_of
from graphmem.patterns.titles import steps_in_order

_OF_THE_MOMENT = frozenset({"USED", "RAISED", "FIXED"})
"""Edges that a step has when it is over, or never; what it is about is often found out later."""

Edges = tuple[tuple[int, int, EdgeType], ...]


@dataclass(frozen=True, slots=True)
class MatchedNode:
    """A node of a pattern that the running episode has."""

    place: int
    """In the nodes of the pattern."""
    node: PatternNode
    name: str
    """What stands there in the episode: the same, or a kind of it."""
    step: int | None
    """0-based index of the step; None where it is no step."""


@dataclass(frozen=True, slots=True)
class EnteredPattern:
    """A pattern whose beginning, or all of it, the running episode holds."""

    pattern: Pattern
    matched: tuple[MatchedNode, ...]
    """In the order of the pattern's nodes."""
    coming: tuple[PatternNode, ...]
    """What came next wherever the pattern held: steps in their order, each with what it used, was about, raised
    or fixed; last what a step that was taken was about and that is not seen so far. Empty when it is complete."""

    @property
    def is_complete(self) -> bool:
        """Whether the episode holds the whole pattern."""
        return not self.coming

    @property
    def polarity(self) -> Polarity | None:
        """Whether the whole pattern went with success (positive) or with failure (negative)."""
        return self.pattern.polarity

    @property
    def outcomes(self) -> OutcomeCounts:
        """How the episodes with the whole pattern ended."""
        return self.pattern.outcomes

    @property
    def success_rate(self) -> float | None:
        """Share of successes among those with a known outcome, 0..1."""
        return self.pattern.success_rate

    @property
    def interval(self) -> Interval | None:
        """95 % interval of it."""
        return self.pattern.interval


def entered_patterns(
    patterns: Iterable[Pattern], graph: EpisodeGraph, taxonomy: Taxonomy
) -> tuple[EnteredPattern, ...]:
    """The patterns that an episode has entered.

    Args:
        patterns: Those that are looked for.
        graph: The episode so far.
        taxonomy: is_a among its keys.

    Returns:
        Replicated ones first, then those of which most is there, then by falling support and id.
    """
    sought = list(patterns)
    nodes = LabelledNodes(taxonomy, sought).nodes(graph)
    index = index_edges(graph)
    last = _last_steps(graph)
    found = []
    for pattern in sought:
        candidates = [nodes.get(label, frozenset()) for label in labels_of(pattern)]
        placed = _beginning(pattern, candidates, index, last)
        if placed:
            found.append(_entered(pattern, placed, graph))
    return tuple(sorted(found, key=_order))


def _order(entered: EnteredPattern) -> tuple[int, float, int, str]:
    pattern = entered.pattern
    tier = CLAIMING_TIERS.index(pattern.tier) if pattern.tier in CLAIMING_TIERS else len(CLAIMING_TIERS)
    return tier, -len(entered.matched) / len(pattern.nodes), -pattern.support, pattern.id


def _last_steps(graph: EpisodeGraph) -> frozenset[int]:
    """The steps that no other step follows so far."""
    followed = {edge.source for edge in graph.edges if edge.type == "NEXT"}
    return frozenset(
        place for place, node in enumerate(graph.nodes) if node.kind == "action" and place not in followed
    )


def _beginning(
    pattern: Pattern, candidates: Sequence[frozenset[int]], index: EdgeIndex, last: frozenset[int]
) -> dict[int, int] | None:
    """The largest beginning that the episode holds: place in the pattern -> node of the episode."""
    there = frozenset(place for place, nodes in enumerate(candidates) if nodes)
    for places, inner in _beginnings(len(pattern.nodes), pattern.edges):
        if not there.issuperset(places):
            continue
        waiting = _waiting(pattern, frozenset(places))
        allowed = [candidates[place] & last if place in waiting else candidates[place] for place in places]
        if not all(allowed):
            continue
        role = {place: number for number, place in enumerate(places)}
        edges = [(role[source], role[target], kind) for source, target, kind in inner]
        match = find_embedding(index, allowed, edges, max_steps=MOST_TRIES)
        if match.embedding is not None:
            return dict(zip(places, match.embedding, strict=True))
    return None


def _waiting(pattern: Pattern, places: frozenset[int]) -> frozenset[int]:
    """Steps of a beginning that something is still to follow or to be done in."""
    return frozenset(
        source
        for source, target, kind in pattern.edges
        if source in places and target not in places and (kind == "NEXT" or kind in _OF_THE_MOMENT)
    )


@lru_cache(1 << 12)
def _beginnings(size: int, edges: Edges) -> tuple[tuple[tuple[int, ...], Edges], ...]:
    """Every beginning of a pattern with its edges: those with most edges first, then most nodes, then in order."""
    found = []
    for count in range(2, size + 1):
        for places in combinations(range(size), count):
            inside = frozenset(places)
            inner = tuple(edge for edge in edges if edge[0] in inside and edge[1] in inside)
            starts = all(source in inside for source, target, kind in edges if kind == "NEXT" and target in inside)
            if inner and starts and _is_connected(places, inner):
                found.append((places, inner))
    return tuple(sorted(found, key=lambda one: (-len(one[1]), -len(one[0]), one[0])))


def _is_connected(places: Sequence[int], edges: Edges) -> bool:
    reached, waiting = {places[0]}, [places[0]]
    while waiting:
        place = waiting.pop()
        beside = {end for edge in edges if place in edge[:2] for end in edge[:2]} - reached
        reached |= beside
        waiting += beside
    return len(reached) == len(places)


def _entered(pattern: Pattern, placed: dict[int, int], graph: EpisodeGraph) -> EnteredPattern:
    steps = [place for place, node in enumerate(graph.nodes) if node.kind == "action"]
    matched = tuple(
        MatchedNode(
            place=place,
            node=pattern.nodes[place],
            name=graph.nodes[node].name,
            step=steps.index(node) if graph.nodes[node].kind == "action" else None,
        )
        for place, node in sorted(placed.items())
    )
    missing = [place for place in _in_order(pattern) if place not in placed]
    # what a step was about does not come next: it may only prove so later
    about = {target for source, target, kind in pattern.edges if kind == "ABOUT" and source in placed}
    coming = tuple(pattern.nodes[place] for place in sorted(missing, key=about.__contains__))
    return EnteredPattern(pattern, matched, coming)


def _in_order(pattern: Pattern) -> list[int]:
    """The places of a pattern: steps in their order, each followed by what hangs on it, then the rest."""
    follows = [(source, target) for source, target, kind in pattern.edges if kind == "NEXT"]
    order = dict.fromkeys(steps_in_order(follows))
    alone = [place for place, node in enumerate(pattern.nodes) if node.kind == "action" and place not in order]
    result: dict[int, None] = {}
    for step in (*order, *alone):
        result[step] = None
        result |= dict.fromkeys(
            target for source, target, kind in pattern.edges if source == step and kind != "NEXT"
        )
    return list(result | dict.fromkeys(range(len(pattern.nodes))))
