"""Paths along relations: pure over a function that gives the edges at some nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from graphmem.graph.records import EdgeRecord, NodeRef

EdgesOut = Callable[[Sequence[NodeRef]], Iterable[EdgeRecord]]
"""The edges of one type that start at these nodes."""

StepsOut = Callable[[Sequence[NodeRef]], Iterable[tuple[NodeRef, NodeRef]]]
"""Where one gets from these nodes: each with a node it leads to."""


def path_between(start: NodeRef, goal: NodeRef, edges_out: EdgesOut) -> list[NodeRef] | None:
    """A shortest path along the edges.

    Args:
        start: Where it begins.
        goal: Where it ends.
        edges_out: Gives the edges that may be walked.

    Returns:
        The nodes from start to goal, both included; None when there is no path.
    """
    return path_over(start, goal, lambda nodes: ((edge.source, edge.target) for edge in edges_out(nodes)))


def path_over(start: NodeRef, goal: NodeRef, steps_out: StepsOut) -> list[NodeRef] | None:
    """A shortest path as for `path_between`, over pairs of nodes."""
    before: dict[NodeRef, NodeRef | None] = {start: None}
    frontier = [start]
    while frontier and goal not in before:
        reached = []
        for source, target in steps_out(frontier):
            if target not in before:
                before[target] = source
                reached.append(target)
        frontier = reached
    return _walked_back(goal, before) if goal in before else None


def _walked_back(goal: NodeRef, before: Mapping[NodeRef, NodeRef | None]) -> list[NodeRef]:
    path, at = [goal], before[goal]
    while at is not None:
        path.append(at)
        at = before[at]
    return path[::-1]
