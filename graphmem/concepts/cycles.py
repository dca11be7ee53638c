"""Keeps is_a and part_of free of cycles: pure over a function that gives the edges at some nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from graphmem.errors import InvalidInputError
from graphmem.graph.records import EdgeRecord, NodeRef
from graphmem.models.concept import ACYCLIC_RELATIONS, RelationType

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


def closing_path(
    relation: RelationType, head: NodeRef, tail: NodeRef, edges_out: EdgesOut
) -> list[NodeRef] | None:
    """The path from tail to head that head -> tail would close into a cycle.

    Args:
        relation: What the new edge says.
        head: Where it starts.
        tail: Where it ends.
        edges_out: The stored edges of this relation at some nodes.

    Returns:
        None when the edge is allowed: there is no such path, or the relation may form cycles.
    """
    if relation not in ACYCLIC_RELATIONS:
        return None
    return path_between(tail, head, edges_out)


def cycle_refused(
    relation: RelationType, path: Sequence[NodeRef], names: Mapping[NodeRef, str]
) -> InvalidInputError:
    """The error that names the whole cycle.

    Args:
        relation: What the refused edge says.
        path: As `closing_path` gave it.
        names: Name of each concept on it; one without a name shows its id.
    """
    shown = [names.get(ref, ref.id) for ref in (path[-1], *path)]
    arrow = f" {relation.value} "
    return InvalidInputError(
        f"{shown[0]} {relation.value} {shown[1]} would close a cycle: {arrow.join(shown)}; "
        "forget one of these relations first, or relate them the other way round"
    )


def _walked_back(goal: NodeRef, before: Mapping[NodeRef, NodeRef | None]) -> list[NodeRef]:
    path, at = [goal], before[goal]
    while at is not None:
        path.append(at)
        at = before[at]
    return path[::-1]
