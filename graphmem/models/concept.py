"""Semantic memory: concepts and the relations between them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, Strict

from graphmem.models.fields import Frozen, JsonObject, Name, Share, Text

DEFAULT_CONCEPT_KIND = "concept"
"""The kind of a concept that was given by name alone."""


class RelationType(StrEnum):
    """How a concept (head) relates to another one (tail)."""

    IS_A = "is_a"
    INSTANCE_OF = "instance_of"
    PART_OF = "part_of"
    MEMBER_OF = "member_of"
    HAS_A = "has_a"
    CAUSES = "causes"
    SIMILAR_TO = "similar_to"
    OPPOSITE_OF = "opposite_of"
    USED_FOR = "used_for"
    LINKED_TO = "linked_to"
    PREREQUISITE_OF = "prerequisite_of"


ACYCLIC_RELATIONS = frozenset({RelationType.IS_A, RelationType.PART_OF})
"""An edge of these that would close a cycle is refused."""

RelationSource = Literal["given", "extracted", "consolidated"]

AliasSource = Literal["given", "text", "merged"]
"""Who says that a name is an alias: a description, a text that introduces it, or a merge of two concepts."""


class Concept(Frozen):
    """A concept; its identity within a tenant is its canonical key and its kind."""

    name: Name = Field(description="The name as first given.")
    kind: Name = Field(DEFAULT_CONCEPT_KIND, description="Keeps homonyms apart: concept, person, argument, ...")
    definition: Text | None = Field(None, description="What it is, in a sentence.")
    aliases: tuple[Name, ...] = Field((), description="Other names.")
    abstraction_level: Annotated[int, Strict(), Field(ge=1, le=5)] | None = Field(
        None, description="1 (concrete) to 5 (abstract); None when not known."
    )
    extra: JsonObject = Field(default_factory=dict, description="Unknown fields of the source, kept as given.")


class Alias(Frozen):
    """Another name of a concept."""

    name: Name = Field(description="The name as first given.")
    kind: Name = Field(DEFAULT_CONCEPT_KIND, description="Kind of the concepts it names.")


class Relation(Frozen):
    """A statement that one concept relates to another one."""

    head: Name = Field(description="Name of the concept the statement is about.")
    relation: RelationType = Field(description="How it relates.")
    tail: Name = Field(description="Name of the other concept.")
    head_kind: Name | None = Field(None, description="Kind of the head; None: the concept of that name.")
    tail_kind: Name | None = Field(None, description="Kind of the tail; None: the concept of that name.")
    confidence: Share = Field(1.0, description="How sure, 0..1.")
    source: RelationSource = Field("given", description="given, extracted or consolidated.")
    evidence: tuple[Text, ...] = Field((), description="Ids or sentences that support it.")
    extra: JsonObject = Field(default_factory=dict, description="Unknown fields of the source, kept as given.")
