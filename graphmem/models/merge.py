"""What was decided about two concepts that are one."""

from __future__ import annotations

from pydantic import Field

from graphmem.models.fields import Frozen, Name, Text, UtcDatetime
from graphmem.models.ids import Id


class Merge(Frozen):
    """A concept that was merged into another one."""

    id: Id = Field(description="UUIDv7.")
    name: Name = Field(description="Name of the concept that was merged.")
    kind: Name = Field(description="Its kind.")
    into: Name = Field(description="Name of the concept that it was merged into.")
    alias: Id = Field(description="Id of the concept that was merged.")
    concept: Id = Field(description="Id of the concept that it was merged into.")
    at: UtcDatetime = Field(description="When.")
    undone_at: UtcDatetime | None = Field(None, description="When it was undone; None while it stands.")
    reason: Text | None = Field(None, description="Why, in words.")
