"""Episodes that still run or were not finalised: which there are, and finalising them now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.episodes.closing import Closing, read_closing
from graphmem.episodes.conversations import is_conversation
from graphmem.episodes.finalising import finalise, read_messages
from graphmem.episodes.reading import read_episodes
from graphmem.errors import ConflictError, RecordingError, ReplyError
from graphmem.graph.mapping.episode import is_closed
from graphmem.graph.records import Equals, NodeRecord
from graphmem.models.episode import Episode, Outcome
from graphmem.models.message import Message
from graphmem.ports.reading import every_node
from graphmem.ports.workspace import Workspace


@dataclass(frozen=True, slots=True)
class PendingEpisode:
    """An episode that is not closed for good."""

    episode: Episode
    why: str
    """In words: what it waits for."""
    is_ended: bool
    """Whether it has ended and only waits to be finalised."""

    @property
    def id(self) -> str:
        """The episode's id."""
        return self.episode.id


def pending_episodes(workspace: Workspace) -> tuple[PendingEpisode, ...]:
    """All open episodes of the user, by id."""
    roots = list(open_roots(workspace))
    return tuple(
        PendingEpisode(episode, _why(root), read_closing(root.properties) is not None)
        for root, episode in zip(roots, read_episodes(workspace.graph, roots), strict=True)
    )


def open_roots(workspace: Workspace) -> Iterator[NodeRecord]:
    """The open episodes of the user as they are stored, by id."""
    (where,) = workspace.filters("Episode", Equals("state", "open"))
    return every_node(workspace.graph, "Episode", where)


def _why(root: NodeRecord) -> str:
    if "closing" in root.properties:
        return "it has ended, and was not finalised: finalize it"
    if "interrupted" in root.properties:
        return f"it was left open ({root.properties['interrupted']}): resume it, or close it"
    if is_conversation(root.properties):
        return "the conversation may go on: the next message decides, or finalize it"
    return "it is being recorded"


def finalise_one(workspace: Workspace, root: NodeRecord) -> bool:
    """Finalise an episode by its id; one that is closed already stays as it is.

    Returns:
        Whether anything was written.

    Raises:
        RecordingError: It has not ended, and is no conversation.
        ModelError: The language model or the embedder failed; nothing was written.
        ConflictError: Somebody else changed it meanwhile, and did not close it; nothing was written.
    """
    if is_closed(root):
        return False
    closing = read_closing(root.properties) or _left_off(workspace, root)
    if closing is None:
        raise RecordingError(f"episode {root.id!r} has not ended: resume it with episodes.resume and close it")
    try:
        finalise(workspace, root, closing)
    except ConflictError:
        now = workspace.graph.get([root.ref]).get(root.ref)
        if now is None or not is_closed(now):
            raise
        return False
    return True


def finalise_all(workspace: Workspace, idle_since: datetime) -> list[str]:
    """Finalise every episode that has ended, and every conversation in which nothing was said for a while.

    Args:
        workspace: Where they are stored.
        idle_since: A conversation whose last message is older than this has ended.

    Returns:
        Ids of what was finalised.

    Raises:
        ModelError: The language model or the embedder failed; those before stay finalised. Where only a
            reply was of no use, its episode stays pending, all others are finalised, and then it is raised.
    """
    done = []
    useless: ReplyError | None = None
    for root in list(open_roots(workspace)):
        closing = read_closing(root.properties)
        if closing is None:
            closing = _left_off(workspace, root)
            if closing is None or closing.ended_at is None or closing.ended_at > idle_since:
                continue
        try:
            finalise(workspace, root, closing)
            done.append(root.id)
        except ReplyError as fault:
            # it may never get a better one: it must not keep the others waiting
            useless = useless or fault
        except ConflictError:
            continue  # somebody else finalised it, or it goes on
    if useless is not None:
        raise useless
    return done


def _left_off(workspace: Workspace, root: NodeRecord) -> Closing | None:
    """How an open episode ends that nobody ended: only a conversation does."""
    return left_off(read_messages(workspace, root.id)) if is_conversation(root.properties) else None


def left_off(messages: Sequence[Message]) -> Closing | None:
    """How a conversation ends that nobody ended: with its last message, its outcome not known."""
    return Closing(outcome=Outcome.UNKNOWN, ended_at=messages[-1].at) if messages else None
