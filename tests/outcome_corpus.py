"""Synthetic episodes whose outcomes depend on what is planted, or on something else that misleads.

Takes the graphs of `motif_corpus`, or of any other generator, and changes outcomes, tasks, lengths and
endings. Each change is a pure function of graphs and chance, so that changes combine.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from graphmem.models.pattern import EdgeType
from graphmem.patterns.graphs import EpisodeGraph, GraphEdge, GraphNode
from motif_corpus import ACTIONS, PLANTED, Label, Planted, corpus

Graphs = list[EpisodeGraph]
Change = Callable[[Sequence[EpisodeGraph], random.Random], Graphs]

BASE_SUCCESS = 0.55

ANSWER = Planted(
    (("action", "ask"), ("action", "back off"), ("action", "ask again"), ("symptom", "quota")),
    ((0, 1, "NEXT"), (1, 2, "NEXT"), (0, 3, "RAISED")),
    0.03,
    0.9,
)
"""What goes with success in the situation in which the planted retries go with failure."""

HAND_OVER: tuple[Label, ...] = (("action", "sum up"), ("action", "hand over"))
"""The two steps in which most failures end."""

TASK_SIZE = 4
"""Trials of a repeated task."""


def outcomes_corpus(episodes: int, seed: int) -> Graphs:
    """The planted corpus, each episode its own task, with an answer to the retries and failures handed over."""
    rng = random.Random(seed)
    return hand_over_failures(answer_retries(own_tasks(corpus(episodes, seed)), rng), rng)


def own_tasks(graphs: Sequence[EpisodeGraph]) -> Graphs:
    """No task repeats."""
    return [replace(graph, unit="") for graph in graphs]


def answer_retries(graphs: Sequence[EpisodeGraph], rng: random.Random) -> Graphs:
    """Some episodes in which nothing is planted go on with the answer and more steps, and mostly succeed."""
    planted = {key for motif in PLANTED.values() for kind, key in motif.nodes if kind == "action"}

    def answered(graph: EpisodeGraph) -> EpisodeGraph:
        if rng.random() >= ANSWER.share * 1.5 or planted & {node.key for node in graph.nodes}:
            return graph
        more: list[Label] = [("action", key) for key in rng.sample(ACTIONS, 4)]
        longer = appended(appended(graph, ANSWER.nodes, ANSWER.edges), more, _chain(len(more)))
        return draw_outcome(longer, ANSWER.success, rng)

    return [answered(graph) for graph in graphs]


def hand_over_failures(graphs: Sequence[EpisodeGraph], rng: random.Random, share: float = 0.6) -> Graphs:
    """Failures end in a hand-over, as a consequence of failing."""
    edges: tuple[tuple[int, int, EdgeType], ...] = ((0, 1, "NEXT"),)
    return [
        appended(graph, HAND_OVER, edges) if graph.outcome == "failure" and rng.random() < share else graph
        for graph in graphs
    ]


def at_random(graphs: Sequence[EpisodeGraph], rng: random.Random) -> Graphs:
    """Outcomes that depend on nothing."""
    return [draw_outcome(graph, BASE_SUCCESS, rng) for graph in graphs]


def imbalanced(graphs: Sequence[EpisodeGraph], rng: random.Random) -> Graphs:
    """Nineteen of twenty succeed, whatever is in them."""
    return [draw_outcome(graph, 0.95, rng, partial=0.0) for graph in graphs]


def repeated_tasks(graphs: Sequence[EpisodeGraph], rng: random.Random, share: float = 0.3) -> Graphs:
    """A share of the episodes are trials of tasks, each with a difficulty and mostly with the same graph."""
    changed = at_random(graphs, rng)
    for first in range(0, int(share * len(graphs)) - TASK_SIZE + 1, TASK_SIZE):
        success = rng.choice([0.05, 0.3, 0.7, 0.95])
        for place in range(first, first + TASK_SIZE):
            source = changed[first] if rng.random() < 0.7 else changed[place]
            trial = replace(changed[place], nodes=source.nodes, edges=source.edges, steps=source.steps)
            changed[place] = replace(draw_outcome(trial, success, rng), unit=f"task:{first}")
    return changed


def bursty(graphs: Sequence[EpisodeGraph], rng: random.Random) -> Graphs:
    """Steps are repeated in bursts, so that actions follow themselves; outcomes depend on nothing."""

    def with_bursts(graph: EpisodeGraph) -> EpisodeGraph:
        longer = graph
        for _ in range(rng.choice([0, 0, 1, 1, 2])):
            burst = [rng.choice(_actions(graph))] * rng.randint(2, 4)
            longer = appended(longer, burst, _chain(len(burst)))
        return longer

    return at_random([with_bursts(graph) for graph in graphs], rng)


def length_fails(graphs: Sequence[EpisodeGraph], rng: random.Random) -> Graphs:
    """Episodes differ in length, and the longer ones fail; what is in them does not matter."""

    def longer(graph: EpisodeGraph) -> EpisodeGraph:
        more: list[Label] = [("action", rng.choice(ACTIONS)) for _ in range(rng.randint(0, 8))]
        return appended(graph, more, _chain(len(more))) if more else graph

    def drawn(graph: EpisodeGraph) -> EpisodeGraph:
        return draw_outcome(graph, 1 / (1 + math.exp(0.35 * (graph.steps - 8))), rng)

    return [drawn(longer(graph)) for graph in graphs]


def draw_outcome(graph: EpisodeGraph, success: float, rng: random.Random, partial: float = 1 / 3) -> EpisodeGraph:
    """The episode with an outcome by chance; a share of those that do not succeed are partial."""
    if rng.random() < success:
        return replace(graph, outcome="success")
    return replace(graph, outcome="partial" if rng.random() < partial else "failure")


def appended(
    graph: EpisodeGraph, labels: Sequence[Label], edges: Sequence[tuple[int, int, EdgeType]]
) -> EpisodeGraph:
    """The episode with more nodes at its end, the first of them after its last step."""
    first = len(graph.nodes)
    last = max(place for place, node in enumerate(graph.nodes) if node.kind == "action")
    more = tuple(GraphNode(kind, key, key) for kind, key in labels)
    joined = GraphEdge(last, first, "NEXT")
    added = tuple(GraphEdge(first + source, first + target, kind) for source, target, kind in edges)
    steps = sum(kind == "action" for kind, _ in labels)
    return replace(
        graph, nodes=graph.nodes + more, edges=(*graph.edges, joined, *added), steps=graph.steps + steps
    )


def _actions(graph: EpisodeGraph) -> list[Label]:
    return [(node.kind, node.key) for node in graph.nodes if node.kind == "action"]


def _chain(size: int) -> list[tuple[int, int, EdgeType]]:
    return [(place, place + 1, "NEXT") for place in range(size - 1)]
