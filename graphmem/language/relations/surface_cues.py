"""The phrases by which English says a relation without a parse, each with its rule and its measured precision.

A prior is (right + 1) / (found + 2) where pairs of marked nouns were counted (`benchmarks/surface_relations.py`);
that corpus keeps members apart from parts, which these phrases do not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from graphmem.language.relations.rules import RelationRule
from graphmem.models.concept import RelationType

Side = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class SurfaceCue:
    """A phrase and the rule it belongs to."""

    rule: RelationRule
    name_rule: RelationRule
    """The rule where the head is a proper name: the same, unless the relation is is_a."""
    phrase: re.Pattern[str]
    """Found in the sentence in lower case."""
    hints: tuple[str, ...]
    """One of these stands in every sentence in which the phrase does: quicker to look for."""
    head: Side
    """On which side of the phrase the head of the relation stands."""
    needs_be: bool = False
    """Whether a form of `be` must stand before it."""
    lists_left: bool = False
    """Whether all of a list before it counts, wherever the list begins."""

    @property
    def is_verb(self) -> bool:
        """Whether it has a subject, rather than standing between nouns."""
        return self.rule.relation is not RelationType.IS_A or self.needs_be


def _cue(
    rule: tuple[str, RelationType, float, str],
    phrase: str,
    hints: tuple[str, ...],
    head: Side,
    example: str,
    *,
    of_name: str = "",
    needs_be: bool = False,
    lists_left: bool = False,
) -> SurfaceCue:
    name, relation, prior, measured = rule
    described = RelationRule(
        f"{relation.value}.surface_{name}", relation, "en", "surface", prior, example, measured
    )
    of_names = described
    if relation is RelationType.IS_A:
        of_names = replace(
            described, name=f"instance_of.surface_{name}", relation=RelationType.INSTANCE_OF, example=of_name
        )
    return SurfaceCue(
        described, of_names, re.compile(rf"\b(?:{phrase})(?![\w'-])"), hints, head, needs_be, lists_left
    )


_READ = "read in HotpotQA"
_CORPUS = "SemEval-2010 task 8, training part"
_ADJECTIVES = r"(?:(?:main|major|common|leading|primary|root|likely|key|direct|important|integral|essential)\s+)?"

ENGLISH_CUES = (
    _cue(
        ("caused_by", RelationType.CAUSES, 0.96, f"216 of 225, {_CORPUS}"),
        r"(?:caused|triggered)\s+by",
        ("ed by",),
        "right",
        "The outage was caused by a full disk.",
    ),
    _cue(
        ("causes", RelationType.CAUSES, 0.98, f"91 of 92, {_CORPUS}"),
        r"(?:causes|(?<!the )(?<!a )cause|caused)(?!\s+(?:by|of|for|and|or|in|is|are|was|were)\b)",
        ("cause",),
        "left",
        "A memory leak causes slow responses.",
    ),
    _cue(
        ("cause_of", RelationType.CAUSES, 0.8, f"3 of 3, {_CORPUS}"),
        rf"(?:the|a|an|one)\s+{_ADJECTIVES}causes?\s+of",
        ("cause",),
        "left",
        "Smoking is the main cause of lung cancer.",
        needs_be=True,
    ),
    _cue(
        ("results_in", RelationType.CAUSES, 0.96, f"26 of 26, {_CORPUS}"),
        r"(?:leads|lead|led)\s+to|(?:results|result|resulted)\s+in",
        ("lead", "led to", "result"),
        "left",
        "Overheating leads to failures.",
    ),
    _cue(
        ("consists_of", RelationType.PART_OF, 0.8, f"16 of 29, 11 more as members, {_CORPUS}"),
        r"(?:consists?|consisted|consisting|composed|made\s+up)\s+of",
        (" of",),
        "right",
        "The engine consists of a pump and two valves.",
    ),
    _cue(
        ("part_of", RelationType.PART_OF, 0.8, f"6 of 12, 3 more as members, {_CORPUS}"),
        rf"(?:an?\s+)?{_ADJECTIVES}(?:part|component)\s+of",
        (" of",),
        "left",
        "The valve is part of the pump.",
        needs_be=True,
    ),
    _cue(
        ("kind_of", RelationType.IS_A, 0.9, "by judgement"),
        r"(?:an?\s+(?:kind|type|sort|form)|(?:kinds|types|sorts|forms))\s+of",
        (" of",),
        "left",
        "A deadlock is a kind of failure.",
        of_name="Java Swing is a kind of toolkit.",
        needs_be=True,
    ),
    _cue(
        ("such_as", RelationType.IS_A, 0.74, f"24 of 32 {_READ}"),
        r"such\s+as",
        ("such",),
        "right",
        "Documents such as invoices and receipts are stored.",
        of_name="Cities such as Los Angeles and Seoul are large.",
    ),
    _cue(
        ("and_other", RelationType.IS_A, 0.63, f"18 of 28 {_READ}"),
        r"(?:and|or)\s+other",
        (" other",),
        "left",
        "Invoices, receipts and other documents are stored.",
        of_name="We visited Busan, Seoul and other cities.",
        lists_left=True,
    ),
)
"""In the order in which they are tried."""

ENGLISH_SURFACE_RULES = tuple(dict.fromkeys(rule for cue in ENGLISH_CUES for rule in (cue.rule, cue.name_rule)))
"""Their rules."""
