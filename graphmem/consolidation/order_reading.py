"""Finds the episodes whose place in the order of time new ones change, and all that decides on it.

A new episode changes what followed on it and what it led to: later ones of its task and session, and the next one
of its user where there is no session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.consolidation.consequences import groups_of
from graphmem.consolidation.succession import stream_of
from graphmem.graph.records import And, Equals, Filter, Missing, NodeRecord, Range
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import CLOSED, closed_episodes, every_node

_Group = tuple[str, str, str]
_Place = tuple[datetime, str]


@dataclass(frozen=True, slots=True)
class OrderReading:
    """What is to be told of in the order of time."""

    roots: tuple[NodeRecord, ...]
    """Episodes by begin and id."""
    due: frozenset[str]
    """Those of which the links are to be worked out; the others are their past."""


def read_around(graph: TenantGraph, new: Sequence[str]) -> OrderReading:
    """The episodes that new ones put into another place, and their past.

    Args:
        graph: The tenant.
        new: Closed episodes that were not linked in the order of time yet.
    """
    known = _Groups(graph)
    fresh = [root for root in _by_id(graph, new) if _began(root) is not None]
    due = {root.id: root for root in fresh}
    for root in fresh:
        for group in groups_of(root):
            due |= {one.id: one for one in known.members(group) if _place(one) > _place(root)}
        due |= {one.id: one for one in _neighbours(graph, root, later=True)}
    told = dict(due)
    for root in due.values():
        for group in groups_of(root):
            told |= {one.id: one for one in known.members(group)}
        told |= {one.id: one for one in _neighbours(graph, root, later=False)}
    return OrderReading(tuple(sorted(told.values(), key=_place)), frozenset(due))


class _Groups:
    """The closed episodes of tasks and sessions, each read once."""

    def __init__(self, graph: TenantGraph) -> None:
        self._graph = graph
        self._members: dict[_Group, list[NodeRecord]] = {}

    def members(self, group: _Group) -> list[NodeRecord]:
        if group not in self._members:
            kind, name, user = group
            of_user: Filter = Equals("user_id", user) if user else Missing("user_id")
            found = every_node(
                self._graph, "Episode", And((CLOSED, Equals(kind, name), of_user, Range("started_at")))
            )
            self._members[group] = list(found)
        return self._members[group]


def _by_id(graph: TenantGraph, ids: Sequence[str]) -> Iterator[NodeRecord]:
    for where in closed_episodes(ids):
        yield from every_node(graph, "Episode", where)


def _neighbours(graph: TenantGraph, root: NodeRecord, *, later: bool) -> Iterator[NodeRecord]:
    """The next episode of its user, or the last one before; none where it is of a session, or nobody's."""
    stream = stream_of(root)
    if stream is None or stream[1] is not None or stream[2] is None:
        return
    began = _place(root)[0]
    span = Range("started_at", began, None) if later else Range("started_at", None, began)
    where = And((CLOSED, Equals("user_id", stream[2]), Missing("session"), span))
    best: NodeRecord | None = None
    for node in every_node(graph, "Episode", where, order="started_at" if later else "-started_at", size=10):
        if best is not None and _place(node)[0] != _place(best)[0]:
            break
        if later and _place(node) > _place(root):
            best = node
            break
        # of those that began at once, in whatever direction, ids rise
        if not later and _place(node) < _place(root):
            best = node
    if best is not None:
        yield best


def _began(root: NodeRecord) -> datetime | None:
    began = root.properties.get("started_at")
    return began if isinstance(began, datetime) else None


def _place(root: NodeRecord) -> _Place:
    began = _began(root)
    assert began is not None  # noqa: S101 (only those with a begin are read)
    return began, root.id
