"""An episode that another process has read: its id, the hash of what it says, and what to write for it.

Most imported episodes are new, and nothing else is needed of them. Left out: reading the rest out of the record,
which preparing.py does.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.graph.records import NodeRef
from graphmem.transfer.planning import Plan


@dataclass(frozen=True, slots=True)
class DeferredEpisode:
    """An episode as far as it was needed so far."""

    record: bytes
    """The record, in which no fault was found."""
    user: str | None
    """Whose it is where it names nobody."""
    id: str
    content: str
    """Its `episode_hash`."""
    plan: Plan | None
    """What to write where no episode is stored under its id; None when that was not worked out."""

    @property
    def ref(self) -> NodeRef:
        """The node that it is."""
        return NodeRef("Episode", self.id)
