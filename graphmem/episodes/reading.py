"""Reads episodes with their steps, many at a time."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.graph.mapping.episode import to_episode
from graphmem.graph.records import In, NodeRecord
from graphmem.models.episode import Episode
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.listing import read_all

_TOGETHER = 200
"""Episodes whose steps one filter asks for."""


def read_episodes(graph: TenantGraph, roots: Sequence[NodeRecord]) -> list[Episode]:
    """The episodes of these roots, in their order."""
    steps: dict[str, list[NodeRecord]] = {root.id: [] for root in roots}
    names = [root.id for root in roots if root.properties.get("step_count")]
    for start in range(0, len(names), _TOGETHER):
        wanted = In("episode", tuple(names[start : start + _TOGETHER]))
        for step in read_all(graph, "Step", [wanted], limit=5000):
            steps[str(step.properties["episode"])].append(step)
    return [to_episode(root, steps[root.id]) for root in roots]
