"""Paths along relations: pure over a function that gives the edges at some nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from graphmem.graph.records import EdgeRecord, NodeRef

EdgesOut = Callable[[Sequence[NodeRef]], Iterable[EdgeRecord]]
"""The edges of one type that start at these nodes."""


def path_between(start: NodeRef, goal: NodeRef, edges_out: EdgesOut) -> list[NodeRef] | None:
    """A shortest path along the edges.

    Args:
        start: Where it begins.
        goal: Where it ends.
        edges_out: Gives the edges that may be walked.

    Returns:
        The nodes from start to goal, both included; None when there is no path.
    """
    before: dict[NodeRef, NodeRef | None] = {start: None}
    frontier = [start]
    while frontier and goal not in before:
        reached = []
        for edge in edges_out(frontier):
            if edge.target not in before:
                before[edge.target] = edge.source
                reached.append(edge.target)
        frontier = reached
    return _walked_back(goal, before) if goal in before else None


def _walked_back(goal: NodeRef, before: Mapping[NodeRef, NodeRef | None]) -> list[NodeRef]:
    path, at = [goal], before[goal]
    while at is not None:
        path.append(at)
        at = before[at]
    return path[::-1]
