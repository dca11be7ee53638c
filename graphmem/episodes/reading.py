"""Reads episodes with their steps, many at a time."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.graph.mapping.episode import given_root, to_episode
from graphmem.graph.records import NodeRecord
from graphmem.models.episode import Episode
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import EPISODES_AT_ONCE, steps_of


def read_given_episodes(graph: TenantGraph, roots: Sequence[NodeRecord]) -> list[Episode]:
    """The episodes of these roots without what rules derived, in their order."""
    return read_episodes(graph, [given_root(root) for root in roots])


def read_episodes(graph: TenantGraph, roots: Sequence[NodeRecord]) -> list[Episode]:
    """The episodes of these roots, in their order."""
    names = [root.id for root in roots if root.properties.get("step_count")]
    steps: dict[str, list[NodeRecord]] = {}
    for start in range(0, len(names), EPISODES_AT_ONCE):
        steps |= steps_of(graph, names[start : start + EPISODES_AT_ONCE])
    return [to_episode(root, steps.get(root.id, [])) for root in roots]
