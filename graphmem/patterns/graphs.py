"""The values that mining reads: one labelled, directed graph an episode, and the taxonomy of keys.

Leaves out where they come from (a store's rows are turned into these by the mining workflow) and
how they are numbered for mining (`encoding`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple, get_args

from graphmem.errors import InvalidInputError
from graphmem.models.pattern import EdgeType, NodeKind

NODE_KINDS: frozenset[str] = frozenset(get_args(NodeKind))
"""The kinds of node, each the implicit root of its own labels."""

EDGE_TYPES: tuple[EdgeType, ...] = tuple(sorted(get_args(EdgeType)))
"""The types of edge in alphabetical order: a type's place here is its number in canonical codes."""


class GraphNode(NamedTuple):
    """A step, tool, concept or finding of one episode."""

    kind: NodeKind
    key: str
    """The normalised label, which mining compares."""
    name: str
    """The label as it was given, which people read."""


class GraphEdge(NamedTuple):
    """A typed edge between two nodes of one episode, by their places in `EpisodeGraph.nodes`."""

    source: int
    target: int
    type: EdgeType


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeGraph:
    """One closed episode as a directed graph with typed edges.

    Episode, message and session are not nodes: a hub would make everything adjacent to everything.
    Nodes without an edge, parallel edges of different types and self-loops are allowed; the same
    edge given twice counts once.

    Raises:
        InvalidInputError: an edge names a node that is not there, or a kind or type is unknown.
    """

    episode: str
    """Id of the episode."""
    nodes: tuple[GraphNode, ...] = ()
    """Action nodes stand in the order of their steps: their rank gives the relative position."""
    edges: tuple[GraphEdge, ...] = ()
    outcome: str | None = None
    """success, partial, failure or unknown; the target of mining, so never a node."""
    domain: str | None = None
    unit: str = ""
    """What makes witnesses independent, see `independence_unit`; empty means the episode itself."""
    variant: str | None = None
    user_id: str | None = None
    started_at: datetime | None = None
    recorded_at: datetime | None = None
    """When it was first stored; what was stored after a discovery played no part in it."""
    steps: int = 0
    """Number of steps of the episode, those without an action included."""

    def __post_init__(self) -> None:
        size = len(self.nodes)
        for kind, key, _ in self.nodes:
            if kind not in NODE_KINDS or not key:
                raise InvalidInputError(
                    f"episode {self.episode!r} has a node of kind {kind!r} with "
                    f"{'a' if key else 'an empty'} key; give one of {sorted(NODE_KINDS)} and a key"
                )
        for source, target, edge_type in self.edges:
            if not (0 <= source < size and 0 <= target < size) or edge_type not in EDGE_TYPES:
                raise InvalidInputError(
                    f"episode {self.episode!r} has an edge {source}-{edge_type}->{target} that does not fit "
                    f"its {size} nodes or the types {', '.join(EDGE_TYPES)}"
                )


def independence_unit(
    episode: str,
    *,
    task: str | None = None,
    session: str | None = None,
    user_id: str | None = None,
    started_at: datetime | None = None,
) -> str:
    """Name the unit that repeats: task, else session, else the user's day, else the episode itself.

    Four trials of one task are not four witnesses. The prefix keeps a task called like a session
    apart from it.

    Args:
        episode: id of the episode.
        task: id of the task or goal that runs repeat.
        session: id of the session the episode belongs to.
        user_id: whose experience it is.
        started_at: aware time of the start; the day is that of UTC.
    """
    if task is not None:
        return f"task:{task}"
    if session is not None:
        return f"session:{session}"
    if user_id is not None and started_at is not None:
        return f"day:{started_at.astimezone(UTC).date().isoformat()}:{user_id}"
    return f"episode:{episode}"


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """Which key is a kind of which: several parents a key, no cycles.

    Keys hold for every kind of node: a step, tool or finding takes the ancestors of the concept
    with its key. An edge that lies on a cycle is ignored, so that a damaged store still mines.
    """

    parents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The direct is_a parents of a key."""
    names: Mapping[str, str] = field(default_factory=dict)
    """How a key is shown, where it is not a label of an episode."""

    def ancestors(self, key: str) -> frozenset[str]:
        """All keys that `key` is a kind of, itself excluded; those it shares a cycle with excluded."""
        above = self._reachable(key)
        if key not in above:
            return frozenset(above)
        return frozenset(other for other in above if key not in self._reachable(other))

    def _reachable(self, key: str) -> set[str]:
        reached: set[str] = set()
        waiting = list(self.parents.get(key, ()))
        while waiting:
            parent = waiting.pop()
            if parent not in reached:
                reached.add(parent)
                waiting.extend(self.parents.get(parent, ()))
        return reached
