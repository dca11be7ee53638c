"""Which episode follows on which, as episodes are told of in the order in which they began: pure.

FOLLOWED_BY joins successive episodes of one session of a user or, where they have no session, of one user within a
gap. Episodes that overlap do not follow each other, and those of which no begin is known follow nothing.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from graphmem.graph.records import NodeRecord

Stream = tuple[str, str | None, str | None]
"""(session or user, session, user): whose episodes follow each other."""


class Succession:
    """Remembers the last episode of each stream; memory grows with their number alone."""

    def __init__(self, gap: timedelta) -> None:
        self._gap = gap
        self._last: dict[Stream, tuple[str, datetime]] = {}

    def before(self, root: NodeRecord) -> str | None:
        """The episode that this one follows on, which is the next one's predecessor from now on.

        Args:
            root: A closed episode; no earlier than all before.
        """
        began = root.properties.get("started_at")
        stream = stream_of(root)
        if stream is None or not isinstance(began, datetime):
            return None
        last = self._last.get(stream)
        self._last[stream] = root.id, ended(root, began)
        if last is None or began < last[1]:
            return None
        has_session = stream[1] is not None
        return last[0] if has_session or began - last[1] <= self._gap else None


def stream_of(root: NodeRecord) -> Stream | None:
    """Whose episodes this one is among; None where neither session nor user is known."""
    session, user = root.properties.get("session"), root.properties.get("user_id")
    owner = user if isinstance(user, str) else None
    if isinstance(session, str):
        return "session", session, owner
    return None if owner is None else ("user", None, owner)


def ended(root: NodeRecord, began: datetime) -> datetime:
    """When an episode ended; one without an end ended as it began."""
    end = root.properties.get("ended_at")
    return end if isinstance(end, datetime) else began
