"""What was said: messages and the sessions they belong to."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field, model_validator

from graphmem.models.fields import Frozen, JsonObject, Name, Text, UtcDatetime
from graphmem.models.ids import Id
from graphmem.models.offsets import UtcOffset, in_offset, with_offset

Role = Literal["user", "assistant", "system", "tool"]
"""Who speaks, in the terms of chat APIs."""


class Message(Frozen):
    """One utterance with its own time."""

    id: Id = Field(description="The caller's own id, unique among the tenant's messages.")
    text: Text = Field(description="What was said.")
    at: UtcDatetime = Field(description="When it was said.")
    utc_offset: UtcOffset | None = Field(
        None,
        description="Minutes east of UTC of the time as it was given, for showing it; None: UTC, or not known.",
    )
    user_id: Id | None = Field(None, description="Whose conversation it is.")
    session: Id | None = Field(None, description="Id of its session.")
    role: Role = Field("user", description="user, assistant, system or tool.")
    speaker: Name | None = Field(None, description="Name of who speaks.")
    episode: Id | None = Field(None, description="Id of the episode it belongs to.")
    extra: JsonObject = Field(default_factory=dict, description="Unknown fields of the source, kept as given.")

    @model_validator(mode="before")
    @classmethod
    def _keep_the_offset(cls, given: Any) -> Any:
        return with_offset(given, "at")

    @property
    def local_at(self) -> datetime:
        """When it was said, in the offset that the time was given with."""
        return in_offset(self.at, self.utc_offset)


class Session(Frozen):
    """A conversation: what holds messages and episodes together."""

    id: Id = Field(description="The caller's own id, unique among the tenant's sessions.")
    user_id: Id | None = Field(None, description="Whose session it is.")
    started_at: UtcDatetime | None = Field(None, description="Begin; None when not known.")
    extra: JsonObject = Field(default_factory=dict, description="Unknown fields of the source, kept as given.")
