"""Keeps is_a and part_of free of cycles: pure over a function that gives the edges at some nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graphmem.errors import InvalidInputError
from graphmem.graph.paths import EdgesOut, path_between
from graphmem.graph.records import NodeRef
from graphmem.models.concept import ACYCLIC_RELATIONS, RelationType


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
