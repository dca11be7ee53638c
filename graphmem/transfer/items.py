"""What a record of a file becomes: a model, or one of the few values that only files know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from graphmem.graph.records import EdgeRecord, NodeRecord
from graphmem.models.concept import Concept, Relation
from graphmem.models.episode import Episode, Outcome
from graphmem.models.fields import Frozen, Text, UtcDatetime
from graphmem.models.ids import Id
from graphmem.models.memories import MemoryContent
from graphmem.models.message import Message, Session
from graphmem.models.procedure import Procedure
from graphmem.ports.embedder import EmbedderSpec
from graphmem.transfer.deferred import DeferredEpisode

FORMAT_VERSION = 1
"""The version of the JSON Lines format that is read and written."""


class VectorOrigin(Frozen):
    """Whose vectors a full export holds."""

    name: Text = Field(description="Name of the embedder.")
    dimension: int = Field(ge=1, description="Length of every vector.")
    normalised: bool = Field(True, description="Whether every vector has length 1.")

    def spec(self) -> EmbedderSpec:
        """The same as stores keep it."""
        return EmbedderSpec(self.name, self.dimension, self.normalised)


class Header(Frozen):
    """The first line of an export; a file without one is read as well."""

    version: Literal[1] = Field(description="Version of the format.")
    producer: Text | None = Field(None, description="The program that wrote the file.")
    embedder: VectorOrigin | None = Field(None, description="The embedder of the vectors in a full export.")


class OutcomeRecord(Frozen):
    """An outcome that was said of an episode later on."""

    episode: Id = Field(description="Id of the episode.")
    outcome: Outcome = Field(description="How it ended.")
    source: Text = Field("", description="Who or what says so.")
    at: UtcDatetime | None = Field(None, description="When it was said; None when not known.")


Item = (
    Header
    | Episode
    | DeferredEpisode
    | Message
    | Session
    | Concept
    | Relation
    | MemoryContent
    | Procedure
    | OutcomeRecord
    | NodeRecord
    | EdgeRecord
)
"""What one record of a file holds."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A record that was read."""

    item: Item
    unknown: tuple[str, ...] = ()
    """Names of the fields that no rule knows, kept under `extra`; those of steps with `steps.` before them."""
