"""What extraction finds in a text: concepts, relations, and what was read but is not asserted. Values alone.

Rules and language models give the same values; whoever stores them decides what deserves to last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from graphmem.models.concept import DEFAULT_CONCEPT_KIND, RelationType

Factuality = Literal["asserted", "denied", "possible", "reported", "asked", "supposed"]
"""How the text stands to a relation: only what is asserted is one; what is denied is evidence against it."""

Genre = Literal["prose", "chat"]
"""What kind of text is read: some rules hold in prose alone."""

EVENT = "event"
"""Kind of a concept that is something that happens, described by a clause."""


@dataclass(frozen=True, slots=True)
class ConceptMention:
    """A concept where a sentence names it."""

    name: str
    """As written, without article, particle or markup."""
    key: str
    """Its canonical key, in view of the sentence."""
    kind: str = DEFAULT_CONCEPT_KIND
    start: int = 0
    """Offset of its first character in the text that was read."""
    end: int = 0
    """Offset behind its last character."""
    aliases: tuple[str, ...] = ()
    """Other names that the text itself gives for it: an abbreviation, its Korean or English name."""


@dataclass(frozen=True, slots=True)
class ExtractedRelation:
    """A relation as a sentence states it."""

    head: ConceptMention
    """The whole noun phrase, or clause of an event."""
    relation: RelationType
    tail: ConceptMention
    rule: str
    """Name of the rule, or of the prompt, that found it."""
    confidence: float
    """The rule's measured precision, 0..1."""
    sentence: str
    """The evidence, as written but for markup."""
    factuality: Factuality = "asserted"


@dataclass(frozen=True, slots=True)
class RejectedRelation:
    """A relation that was read and is no relation."""

    relation: ExtractedRelation
    reason: str
    """Its factuality, or what else is wrong with it, in words."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """All that was found in a text."""

    concepts: tuple[ConceptMention, ...] = ()
    """Each concept once, in order of first mention."""
    relations: tuple[ExtractedRelation, ...] = ()
    """What is asserted, in order, each once."""
    rejected: tuple[RejectedRelation, ...] = ()
    """What is denied, supposed, asked, reported, possible, or unfit."""
