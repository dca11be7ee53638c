"""What was said: messages and the sessions they belong to."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from graphmem.models.fields import Frozen, JsonObject, Name, Text, UtcDatetime
from graphmem.models.ids import Id

Role = Literal["user", "assistant", "system", "tool"]
"""Who speaks, in the terms of chat APIs."""


class Message(Frozen):
    """One utterance with its own time."""

    id: Id = Field(description="The caller's own id, unique among the tenant's messages.")
    text: Text = Field(description="What was said.")
    at: UtcDatetime = Field(description="When it was said.")
    user_id: Id | None = Field(None, description="Whose conversation it is.")
    session: Id | None = Field(None, description="Id of its session.")
    role: Role = Field("user", description="user, assistant, system or tool.")
    speaker: Name | None = Field(None, description="Name of who speaks.")
    episode: Id | None = Field(None, description="Id of the episode it belongs to.")
    extra: JsonObject = Field(default_factory=dict, description="Unknown fields of the source, kept as given.")


class Session(Frozen):
    """A conversation: what holds messages and episodes together."""

    id: Id = Field(description="The caller's own id, unique among the tenant's sessions.")
    user_id: Id | None = Field(None, description="Whose session it is.")
    started_at: UtcDatetime | None = Field(None, description="Begin; None when not known.")
    extra: JsonObject = Field(default_factory=dict, description="Unknown fields of the source, kept as given.")
