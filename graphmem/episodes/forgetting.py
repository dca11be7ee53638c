"""Forgets one episode with what would say something untrue without it."""

from __future__ import annotations

from graphmem.ports.workspace import Workspace


def forget_episode(workspace: Workspace, episode: str) -> None:
    """Remove an episode with its steps, findings and links, in one transaction.

    Patterns that it is evidence of go with it, and procedures learned from them, since their counts hold it:
    mining again brings back those that still stand. Its messages stay and no longer name it.

    Args:
        workspace: Where to look.
        episode: Its id.

    Raises:
        NotFoundError: There is none, or it is another user's.
    """
    ref = workspace.fetch("Episode", episode, "episode").ref
    with workspace.graph.transaction() as transaction:
        patterns = {edge.source for edge in transaction.edges([ref], ["EVIDENCED_BY"], "in")}
        taught = {edge.target for edge in transaction.edges(patterns, ["RECOMMENDS"], "out")}
        messages = sorted(edge.target.id for edge in transaction.edges([ref], ["HAS_MESSAGE"], "out"))
        transaction.set_properties("Message", [(message, {"episode": None}) for message in messages])
        transaction.remove_nodes([ref, *sorted(patterns | taught)])
