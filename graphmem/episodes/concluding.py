"""Finalises conversations that have ended, and ends those that an import leaves running."""

from __future__ import annotations

from collections.abc import Iterable

from graphmem.episodes.closing import read_closing
from graphmem.episodes.conversations import is_conversation
from graphmem.episodes.finalising import Ended, finalise_together, read_messages_of
from graphmem.episodes.pending import left_off
from graphmem.episodes.streams import read_nodes
from graphmem.errors import ConflictError, ReplyError
from graphmem.graph.mapping.episode import is_closed
from graphmem.graph.records import NodeRef
from graphmem.ports.workspace import Workspace

_AT_ONCE = 500
"""Episodes that are read together."""

_TOGETHER = 50
"""Episodes of one transaction where no language model is asked."""


def finalise_conversations(workspace: Workspace, episodes: Iterable[str], *, also_running: bool = False) -> None:
    """Finalise conversations in the order in which they began.

    Those that rules sum up are written some at a time; one that a model sums up, in a transaction of its own.

    Args:
        workspace: Where they are stored.
        episodes: Their ids; what is closed, gone or no conversation is passed over.
        also_running: Whether those that nothing ended have ended with their last message.

    Raises:
        ModelError: The language model or the embedder failed; what is left stays pending. Where only a
            reply was of no use, its episode stays pending, the others are finalised, and then it is raised.
    """
    names = _in_order(workspace, list(dict.fromkeys(episodes)))
    size = _TOGETHER if workspace.language_model is None else 1
    useless: ReplyError | None = None
    for begin in range(0, len(names), size):
        try:
            _finalise(workspace, names[begin : begin + size], also_running=also_running)
        except ReplyError as fault:
            useless = useless or fault
    if useless is not None:
        raise useless


def _in_order(workspace: Workspace, names: list[str]) -> list[str]:
    """Those that are not closed, by their begin."""
    waiting: list[tuple[str, str]] = []
    for begin in range(0, len(names), _AT_ONCE):
        refs = [NodeRef("Episode", name) for name in names[begin : begin + _AT_ONCE]]
        roots = read_nodes(workspace.graph, refs).values()
        waiting += [(str(root.properties.get("started_at")), root.id) for root in roots if not is_closed(root)]
    return [name for _, name in sorted(waiting)]


def _finalise(workspace: Workspace, names: list[str], *, also_running: bool) -> None:
    """Finalise some together; where somebody changes one meanwhile, each by itself.

    Whoever changes it a second time will finalise it himself.
    """
    for group in (names, *([name] for name in names)):
        ended = _ended(workspace, group, also_running=also_running)
        if not ended:
            continue
        try:
            finalise_together(workspace, ended)
        except ConflictError:
            continue
        if group is names:
            return


def _ended(workspace: Workspace, names: list[str], *, also_running: bool) -> list[Ended]:
    """Those of some conversations that wait to be finalised, with their messages."""
    roots = workspace.graph.get(NodeRef("Episode", name) for name in names)
    waiting = [root for root in roots.values() if not is_closed(root) and is_conversation(root.properties)]
    if not waiting:
        return []
    said = read_messages_of(workspace, [root.id for root in waiting])
    found = []
    for root in waiting:
        closing = read_closing(root.properties)
        if closing is None and also_running:
            closing = left_off(said[root.id])
        if closing is not None:
            found.append(Ended(root, closing, said[root.id]))
    return found
