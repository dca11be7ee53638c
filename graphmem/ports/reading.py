"""Reads whole collections over the port, page by page, with flat memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from graphmem.graph.records import And, Equals, Filter, In, NodeRecord
from graphmem.models.episode import EpisodeState
from graphmem.ports.graph_store import TenantGraph

PAGE = 500
"""Nodes a page: large enough that a round trip costs little, small enough to keep memory flat."""

STEPS_AT_ONCE = 5000
"""Steps a page: as many as some hundred episodes have."""

EPISODES_AT_ONCE = 200
"""Episodes whose steps are read together."""


CLOSED = Equals("state", EpisodeState.CLOSED.value)
"""Episodes that have ended: open ones still change."""


def every_node(
    graph: TenantGraph,
    label: str,
    where: Filter | None = None,
    *,
    order: str = "id",
    size: int = PAGE,
    vectors: bool = False,
) -> Iterator[NodeRecord]:
    """All matching nodes of a label in order, read `size` at a time; see `TenantGraph.scan`."""
    for page in pages(graph, label, where, order=order, limit=size, vectors=vectors):
        yield from page


def pages(
    graph: TenantGraph,
    label: str,
    where: Filter | None = None,
    *,
    order: str = "id",
    limit: int = PAGE,
    vectors: bool = False,
) -> Iterator[tuple[NodeRecord, ...]]:
    """All matching nodes of a label in order, `limit` at a time; never an empty page."""
    after = None
    while True:
        page = graph.scan(label, where, order=order, after=after, limit=limit, vectors=vectors)
        if page.records:
            yield page.records
        if page.next is None:
            return
        after = page.next


def steps_of(graph: TenantGraph, episodes: list[str]) -> dict[str, list[NodeRecord]]:
    """The steps of some episodes, each episode's in their order; every id asked for is a key."""
    steps: dict[str, list[NodeRecord]] = {episode: [] for episode in episodes}
    owned: dict[str, list[NodeRecord]] = defaultdict(list)
    for step in every_node(graph, "Step", In("episode", tuple(episodes)), size=STEPS_AT_ONCE):
        owned[str(step.properties["episode"])].append(step)
    for episode, nodes in owned.items():
        steps[episode] = sorted(nodes, key=_index)
    return steps


def closed_episodes(ids: Sequence[str] | None) -> Iterator[Filter]:
    """Filters that find the closed ones of these episodes, a page each; None: one that finds all there are."""
    if ids is None:
        yield CLOSED
        return
    for start in range(0, len(ids), EPISODES_AT_ONCE):
        yield And((CLOSED, In("id", tuple(ids[start : start + EPISODES_AT_ONCE]))))


def every_episode(
    graph: TenantGraph, where: Filter | None = None, *, order: str = "id"
) -> Iterator[tuple[NodeRecord, list[NodeRecord]]]:
    """All matching episodes in order, each as its root and its steps in their order."""
    for roots in pages(graph, "Episode", where, order=order, limit=EPISODES_AT_ONCE):
        steps = steps_of(graph, [root.id for root in roots])
        for root in roots:
            yield root, steps[root.id]


def _index(step: NodeRecord) -> int:
    index = step.properties["index"]
    return index if isinstance(index, int) else 0
