"""Versions of a procedure: a newer one names the one that it replaced, which stays readable."""

from __future__ import annotations

from graphmem.errors import ConflictError, NotFoundError
from graphmem.graph.records import NodeRecord, NodeRef
from graphmem.models.procedure import Procedure
from graphmem.ports.workspace import Workspace

_LONGEST = 1000
"""Versions that a history follows: a chain that was imported may be of any length."""


def check_superseded(workspace: Workspace, procedure: Procedure) -> NodeRef | None:
    """The version that a procedure replaces, if it names one.

    Raises:
        ConflictError: It names itself.
        NotFoundError: The older version is not stored, or is another user's.
    """
    if procedure.supersedes is None:
        return None
    if procedure.supersedes == procedure.id:
        raise ConflictError(f"procedure {procedure.id!r} cannot supersede itself: give it another id")
    ref = NodeRef("Procedure", procedure.supersedes)
    older = workspace.known([ref]).get(ref)
    if older is None or not workspace.sees(older):
        raise NotFoundError("procedure", procedure.supersedes)
    return ref


def versions(workspace: Workspace, record: NodeRecord) -> list[NodeRecord]:
    """All versions of a procedure that this user may read, the newest first.

    Args:
        workspace: Whose memory it is.
        record: Any of the versions.
    """
    newer = _walk(workspace, record, newer=True)
    return [*reversed(newer), record, *_walk(workspace, record, newer=False)]


def _walk(workspace: Workspace, record: NodeRecord, *, newer: bool) -> list[NodeRecord]:
    """The versions on one side, the nearest first; of several that replaced one, the last recorded."""
    found: list[NodeRecord] = []
    seen = {record.ref}
    while len(found) < _LONGEST:
        edges = workspace.graph.edges([record.ref], ["SUPERSEDES"], "in" if newer else "out")
        ends = [edge.source if newer else edge.target for edge in edges]
        beside = workspace.graph.get(end for end in ends if end not in seen)
        visible = [node for node in beside.values() if workspace.sees(node)]
        if not visible:
            break
        record = max(visible, key=lambda node: (node.properties["created_at"], node.id))
        seen.add(record.ref)
        found.append(record)
    return found
