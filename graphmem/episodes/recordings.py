"""Recording episodes while they run, and finishing those that were left: the writing half of `memory.episodes`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from graphmem.episodes.journal import Journal
from graphmem.episodes.pending import PendingEpisode, finalise_all, finalise_one, pending_episodes
from graphmem.episodes.recorder import OnError, Recorder
from graphmem.episodes.spool import Spool
from graphmem.episodes.timed_step import names
from graphmem.errors import InvalidInputError, SettingsError
from graphmem.models.checking import checked
from graphmem.models.episode import Episode, EpisodeState
from graphmem.models.ids import check_id
from graphmem.ports.workspace import Workspace

IDLE_MINUTES = 30.0
"""Minutes without a message after which `finalize` takes a conversation for ended."""


class EpisodeRecordings:
    """Begins, resumes and finishes recordings of one tenant."""

    def __init__(
        self, workspace: Workspace, *, spool: Spool | None = None, idle_minutes: float = IDLE_MINUTES
    ) -> None:
        self._workspace = workspace
        self._spool = spool
        self._idle = timedelta(minutes=idle_minutes)

    def record(
        self,
        goal: str = "",
        *,
        id: str | None = None,  # noqa: A002 (the documented name)
        domain: str | None = None,
        trigger: str | None = None,
        task: str | None = None,
        variant: str | Mapping[str, Any] | None = None,
        session: str | None = None,
        tags: Iterable[str] = (),
        started_at: datetime | None = None,
        on_error: OnError = "raise",
    ) -> Recorder:
        """Begin an episode; it is stored at once, and every step as it is recorded.

        Args:
            goal: What is wanted; left out, the first request of `run.messages` says it.
            id: The caller's own id; None: a new time-ordered one.
            domain: Subject area, such as coding or support.
            trigger: The request that began it.
            task: What runs repeat: the independence unit of statistics.
            variant: Agent version, model or prompt: a name or a flat map.
            session: Id of the session it belongs to.
            tags: Free labels.
            started_at: When it began, aware; None: now.
            on_error: raise, or spool: when the store is away, go on in a JSON Lines file beside it, which
                `graphmem import` reads and the next start announces.

        Returns:
            A recorder, to be used as a context manager.

        Raises:
            InvalidInputError: A value is refused.
            ConflictError: There is an episode of this id.
            StoreError: It could not be stored.
        """
        now = self._workspace.now()
        fields: dict[str, Any] = {"goal": goal, "domain": domain, "trigger": trigger, "task": task}
        fields |= {"variant": dict(variant) if isinstance(variant, Mapping) else variant, "session": session}
        fields |= {"id": self._workspace.new_id(now) if id is None else id, "tags": names(tags)}
        fields |= {"started_at": now if started_at is None else started_at, "user_id": self._workspace.user}
        episode = checked(Episode, {**fields, "state": EpisodeState.OPEN})
        return Recorder(Journal.begin(self._workspace, episode, self._spool_for(on_error)))

    def resume(self, id: str, *, on_error: OnError = "raise") -> Recorder:  # noqa: A002 (the documented name)
        """Go on recording an open episode, from this process or another one.

        Args:
            id: The episode's id.
            on_error: As for `record`.

        Raises:
            NotFoundError: There is none, or it is another user's.
            RecordingError: It is closed, has ended, or is made of messages.
        """
        root = self._workspace.fetch("Episode", id, "episode")
        return Recorder(Journal.resume(self._workspace, root, self._spool_for(on_error)))

    def pending(self) -> tuple[PendingEpisode, ...]:
        """Episodes that are not closed for good, by id, each with what it waits for."""
        return pending_episodes(self._workspace)

    def finalize(self, id: str | None = None) -> tuple[str, ...]:  # noqa: A002 (the documented name)
        """Finalise what has ended: one episode, or all of them.

        Args:
            id: An episode that has ended, or a conversation; None: all that have ended, and every
                conversation in which nothing was said for half an hour.

        Returns:
            Ids of the episodes that were finalised; one that is closed already stays as it is.

        Raises:
            NotFoundError: There is none of this id, or it is another user's.
            RecordingError: It has not ended.
            ModelError: The language model or the embedder failed; what was not finalised stays pending.
        """
        if id is None:
            return tuple(finalise_all(self._workspace, self._workspace.now() - self._idle))
        root = self._workspace.fetch("Episode", check_id(id), "episode")
        return (id,) if finalise_one(self._workspace, root) else ()

    def _spool_for(self, on_error: OnError) -> Spool | None:
        if on_error not in {"raise", "spool"}:
            raise InvalidInputError(f"on_error is {on_error!r}; it can be 'raise' or 'spool'")
        if on_error == "raise":
            return None
        if self._spool is None:
            raise SettingsError("on_error='spool' needs a folder: open the memory with a store that names one")
        return self._spool
