"""What a relation rule is: a name, what it finds, and how often it was right where that was measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from graphmem.models.concept import RelationType

Form = Literal["parse", "morphemes", "surface"]
"""What a rule reads: a dependency parse, Korean morphemes, or the sentence as written."""


@dataclass(frozen=True, slots=True)
class RelationRule:
    """One way in which a language states a relation."""

    name: str
    """Unique, `relation.pattern`, such as `causes.lead_to`."""
    relation: RelationType
    language: str
    """`en` or `ko`."""
    form: Form
    prior: float
    """Precision, 0..1: the confidence of what it finds."""
    example: str
    """A sentence in which it finds something."""
    measured: str
    """Where the prior comes from: right of found, and the corpus; `by judgement` where nothing was counted."""
    prose_only: bool = False
    """Whether it is off in chat."""
