"""Records of what the engine did: imports, consolidations and mining runs."""

from __future__ import annotations

from pydantic import Field

from graphmem.models.fields import Frozen, JsonObject, UtcDatetime
from graphmem.models.ids import Id


class Run(Frozen):
    """One run: when, under which policy, with which counts."""

    id: Id = Field(description="UUIDv7.")
    started_at: UtcDatetime = Field(description="Begin.")
    ended_at: UtcDatetime | None = Field(None, description="End; None when it did not come to its end.")
    policy: JsonObject = Field(default_factory=dict, description="The policy it ran under.")
    counts: JsonObject = Field(default_factory=dict, description="What it did, by name.")


class ImportRun(Run):
    """One import of files."""


class ConsolidationRun(Run):
    """One applied consolidation plan."""


class MiningRun(Run):
    """One mining of patterns."""
