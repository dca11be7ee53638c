"""What a Korean rule reads: a rule's name, two ends and how the sentence stands to them. Values alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from unicodedata import normalize

from graphmem.language.extraction import ConceptMention, ExtractedRelation, Factuality
from graphmem.language.relations.korean.nouns import LEADING, POINTING, UNITS
from graphmem.language.relations.korean.phrases import NounPhrase
from graphmem.language.relations.korean.reading import Reading
from graphmem.language.relations.naming import named
from graphmem.language.relations.rules import RelationRule


@dataclass(frozen=True, slots=True)
class Statement:
    """A relation that a rule read between two mentions."""

    rule: RelationRule
    head: ConceptMention
    tail: ConceptMention
    factuality: Factuality

    def extracted(self, sentence: str) -> ExtractedRelation:
        """The relation with its evidence."""
        return ExtractedRelation(
            self.head,
            self.rule.relation,
            self.tail,
            self.rule.name,
            self.rule.prior,
            sentence,
            self.factuality,
        )


def paired(
    reading: Reading,
    rule: RelationRule,
    heads: Iterable[NounPhrase],
    tails: Iterable[NounPhrase],
    factuality: Factuality,
) -> Iterator[Statement]:
    """Each head related to each tail, where both name something."""
    named_tails = [tail for tail in tails if names_a_concept(reading, tail)]
    for head in heads:
        if names_a_concept(reading, head):
            for tail in named_tails:
                yield Statement(rule, mention(reading, head), mention(reading, tail), factuality)


_PARTED = re.compile(r"[^가-힣\s] (?:은|는|을|를|의|와|과)(?:\s|$)")
"""A particle that a blank parts from a Latin name: what goes on behind it is no part of the name."""


def names_a_concept(reading: Reading, phrase: NounPhrase) -> bool:
    """Whether a phrase names a concept, rather than pointing at what was named before."""
    name = normalize("NFC", reading.sentence.text[phrase.start : phrase.end])
    if (
        _PARTED.search(name)
        or name in POINTING
        or name in LEADING
        or (phrase.noun in POINTING and phrase.first == phrase.last)
    ):
        return False
    return not _is_amount(reading, phrase)


def _is_amount(reading: Reading, phrase: NounPhrase) -> bool:
    """Whether a phrase is a number of something, or a measure: 55골, 3.5 km."""
    if not reading.is_at(phrase.first, "SN"):
        return False
    behind = reading.tokens[phrase.first + 1] if phrase.first < phrase.last else None
    return behind is None or behind.tag != "SL" or behind.text in UNITS


def mention(reading: Reading, phrase: NounPhrase) -> ConceptMention:
    """The concept that a phrase names."""
    return named(reading.sentence, phrase.start, phrase.end)
