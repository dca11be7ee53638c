"""Finalises conversations that have ended, and ends those that an import leaves running."""

from __future__ import annotations

from collections.abc import Iterable

from graphmem.episodes.closing import Closing, read_closing
from graphmem.episodes.conversations import is_conversation
from graphmem.episodes.finalising import finalise
from graphmem.episodes.pending import left_off
from graphmem.episodes.streams import read_nodes
from graphmem.errors import ConflictError, ReplyError
from graphmem.graph.mapping.episode import is_closed
from graphmem.graph.records import NodeRecord, NodeRef
from graphmem.ports.workspace import Workspace

_AT_ONCE = 500
"""Episodes that are read together."""


def finalise_conversations(workspace: Workspace, episodes: Iterable[str], *, also_running: bool = False) -> None:
    """Finalise conversations in the order in which they began, each in a transaction of its own.

    Args:
        workspace: Where they are stored.
        episodes: Their ids; what is closed, gone or no conversation is passed over.
        also_running: Whether those that nothing ended have ended with their last message.

    Raises:
        ModelError: The language model or the embedder failed; what is left stays pending. Where only a
            reply was of no use, its episode stays pending, the others are finalised, and then it is raised.
    """
    refs = [NodeRef("Episode", name) for name in dict.fromkeys(episodes)]
    waiting: list[tuple[str, str]] = []
    for begin in range(0, len(refs), _AT_ONCE):
        roots = read_nodes(workspace.graph, refs[begin : begin + _AT_ONCE]).values()
        waiting += [(str(root.properties.get("started_at")), root.id) for root in roots if not is_closed(root)]
    useless: ReplyError | None = None
    for _, name in sorted(waiting):
        try:
            _finalise(workspace, NodeRef("Episode", name), also_running=also_running)
        except ReplyError as fault:
            useless = useless or fault
    if useless is not None:
        raise useless


def _finalise(workspace: Workspace, ref: NodeRef, *, also_running: bool) -> None:
    """Finalise one; whoever changes it meanwhile a second time will finalise it himself."""
    for _ in range(2):
        root = workspace.graph.get([ref]).get(ref)
        closing = None if root is None else _closing(workspace, root, also_running=also_running)
        if root is None or closing is None:
            return
        try:
            finalise(workspace, root, closing)
        except ConflictError:
            continue
        return


def _closing(workspace: Workspace, root: NodeRecord, *, also_running: bool) -> Closing | None:
    if is_closed(root) or not is_conversation(root.properties):
        return None
    closing = read_closing(root.properties)
    return left_off(workspace, root) if closing is None and also_running else closing
