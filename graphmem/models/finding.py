"""What an episode's steps ran into, and the tools they used: derived from the episode, never given alone."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from graphmem.models.fields import Frozen, Name
from graphmem.models.ids import Id

FindingKind = Literal["symptom", "cause"]


class Finding(Frozen):
    """A symptom seen or a cause found within one episode: one per episode and key."""

    episode: Id = Field(description="Id of the episode.")
    key: str = Field(description="The folded name: what mining matches.", min_length=1)
    name: Name = Field(description="The name as first given.")
    kind: FindingKind = Field(description="cause when the episode names it as one, else symptom.")


class Tool(Frozen):
    """A tool by name, shared by all episodes of a tenant."""

    key: str = Field(description="The folded name: its id.", min_length=1)
    name: Name = Field(description="The name as first given.")
