"""What a mining run is limited to: a domain, a task, a window of time; and its name in ids and filters.

Runs of different scopes keep their patterns apart, so the name is part of a pattern's id.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from graphmem.graph.records import And, Filter
from graphmem.models.fields import canonical_json, to_utc
from graphmem.ports.listing import between, equals
from graphmem.ports.reading import CLOSED

_WRITTEN = "{"
"""How the name of a scope begins that is more than a domain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MiningScope:
    """Which closed episodes a run reads; None: not limited in this way."""

    domain: str | None = None
    task: str | None = None
    since: datetime | None = None
    """Begun at or after this time; episodes without times are left out then."""
    until: datetime | None = None
    """Begun at or before this time; likewise."""

    @property
    def name(self) -> str | None:
        """None without any limit; the domain where that is the only one; else JSON of the limits."""
        is_domain = self.task is None and self.since is None and self.until is None
        if is_domain and not (self.domain or "").startswith(_WRITTEN):
            return self.domain
        limits = {
            "domain": self.domain,
            "task": self.task,
            "since": None if self.since is None else self.since.isoformat(),
            "until": None if self.until is None else self.until.isoformat(),
        }
        return canonical_json({name: limit for name, limit in limits.items() if limit is not None})

    def takes_over(self, other: MiningScope) -> bool:
        """Whether this is the other window moved on: both open at their end, and limited alike in all else."""
        is_open = self.until is None and other.until is None
        same = (self.domain, self.task) == (other.domain, other.task)
        return is_open and same and self.since is not None and other.since is not None and other.since < self.since

    def where(self) -> Filter:
        """The filter of its episodes."""
        conditions = (*equals(domain=self.domain, task=self.task), *between("started_at", self.since, self.until))
        return And((CLOSED, *conditions))


def read_scope(name: str | None) -> MiningScope:
    """The scope with this name, see `MiningScope.name`."""
    if name is None or not name.startswith(_WRITTEN):
        return MiningScope(domain=name)
    limits = json.loads(name)
    since, until = (to_utc(limits[bound]) if bound in limits else None for bound in ("since", "until"))
    return MiningScope(domain=limits.get("domain"), task=limits.get("task"), since=since, until=until)
