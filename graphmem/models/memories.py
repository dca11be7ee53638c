"""Long-term memories: a closed union on `kind`.

What holds for a time (lives in, works at, prefers) is a `Fact` with subject, predicate, object and a
validity interval; what is general is a relation between concepts (models/concept.py).
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, TypeAdapter, model_validator

from graphmem.models.fields import OPEN_END, Flag, Frozen, JsonObject, Name, Share, Text, UtcDatetime
from graphmem.models.ids import Id


class MemoryContent(Frozen):
    """What every kind of memory holds."""

    id: Id = Field(description="Ours (UUIDv7) or the caller's own, unique among the tenant's memories.")
    text: Text = Field(description="The memory in words.", min_length=1)
    user_id: Id | None = Field(None, description="Whom it is about; None: the whole tenant.")
    why: Text | None = Field(None, description="The reason, which decides its scope.")
    confidence: Share = Field(1.0, description="How sure, 0..1.")
    at: UtcDatetime | None = Field(None, description="When it was said; None when not known.")
    supersedes: Id | None = Field(None, description="Id of the older memory that it retires.")
    about: tuple[Name, ...] = Field((), description="Names of the concepts it is about.")
    sources: tuple[Id, ...] = Field((), description="Ids of the messages or episodes that assert it.")
    counts: JsonObject = Field(default_factory=dict, description="Counts of use and feedback by name.")
    extra: JsonObject = Field(default_factory=dict, description="Unknown fields of the source, kept as given.")


class Assertion(Frozen):
    """What one message, or the memory itself when it was given, says of a statement; None: as the memory says."""

    source: Id = Field(description="Id of the message, or of the memory that was given.")
    episode: Id | None = Field(None, description="The episode in which it was said.")
    at: UtcDatetime | None = Field(None, description="When it was said; None when not known.")
    valid_from: UtcDatetime | None = Field(None, description="From when it says that it holds.")
    valid_to: UtcDatetime | None = Field(None, description="Until when it says that it holds.")
    retired: UtcDatetime | None = Field(None, description="From when a memory said to supersede it holds.")
    confidence: Share = Field(1.0, description="How sure it is, 0..1.")
    text: Text | None = Field(None, description="Its words.")
    why: Text | None = Field(None, description="How it was found.")
    subject: Name | None = Field(None, description="The subject as it writes it.")
    predicate: Name | None = Field(None, description="The predicate as it writes it.")
    object: Name | None = Field(None, description="The object as it writes it.")
    is_given: Flag = Field(default=False, description="Whether the source is a memory, and no message.")
    supersedes: Id | None = Field(None, description="What it was given as superseding.")
    sources: tuple[Id, ...] = Field((), description="The sources that it was given with.")


class TimedStatement(MemoryContent):
    """A memory that can be said as subject, predicate, object and that holds for a time."""

    subject: Name | None = Field(None, description="Who or what.")
    predicate: Name | None = Field(None, description="The relation, such as lives_in.")
    object: Name | None = Field(None, description="To whom or what.")
    valid_from: UtcDatetime | None = Field(None, description="From when it holds in the world; None: not known.")
    valid_to: UtcDatetime | None = Field(None, description="Until when; None: until further notice.")
    assertions: tuple[Assertion, ...] = Field(
        (), description="All that says so, from which the interval follows; none: the memory alone."
    )

    @model_validator(mode="after")
    def _interval_is_forward(self) -> Self:
        if self.valid_from and self.valid_to and self.valid_to < self.valid_from:
            raise ValueError("valid_to lies before valid_from")
        if self.valid_to is not None and self.valid_to >= OPEN_END:
            raise ValueError("valid_to is the end of time: leave it out for what holds until further notice")
        return self


class Fact(TimedStatement):
    """Something that is or was true of the world."""

    kind: Literal["fact"] = "fact"


class Preference(TimedStatement):
    """What somebody wants or likes."""

    kind: Literal["preference"] = "preference"


class Lesson(MemoryContent):
    """What an episode taught."""

    kind: Literal["lesson"] = "lesson"


class Correction(MemoryContent):
    """What must not be done, as the user said."""

    kind: Literal["correction"] = "correction"


class Validation(MemoryContent):
    """What was right, as the user said."""

    kind: Literal["validation"] = "validation"


class DomainKnowledge(MemoryContent):
    """How things are in a subject area, as learned from a conversation."""

    kind: Literal["domain"] = "domain"


class WorkingMemory(MemoryContent):
    """What a running task needs; gone with its session unless saved."""

    kind: Literal["working"] = "working"


Memory = Annotated[
    Fact | Preference | Lesson | Correction | Validation | DomainKnowledge | WorkingMemory,
    Field(discriminator="kind"),
]
"""Any long-term memory."""

MEMORY_KINDS = ("fact", "preference", "lesson", "correction", "validation", "domain", "working")
"""The closed list of kinds."""

MEMORY: TypeAdapter[Memory] = TypeAdapter(Memory)
"""Reads a memory of any kind from a dict."""
