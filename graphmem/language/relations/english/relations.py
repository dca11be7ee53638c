"""The relations that an English sentence states, by all rules."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.language.extraction import ConceptMention, ExtractedRelation, Factuality, Genre
from graphmem.language.relations.english.catalogue import RULES
from graphmem.language.relations.english.causal_nouns import causal_nouns
from graphmem.language.relations.english.causal_prepositions import causal_prepositions
from graphmem.language.relations.english.causal_verbs import causal_verbs
from graphmem.language.relations.english.clauses import clause_causes
from graphmem.language.relations.english.effect_phrases import effect_phrases
from graphmem.language.relations.english.findings import Finder, Finding
from graphmem.language.relations.english.kinds import kinds
from graphmem.language.relations.english.mentions import clause_mention, noun_mention
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.english.parts import parts
from graphmem.language.relations.english.predicates import clause_factuality, is_question, predicate
from graphmem.ports.text_analyzer import Sentence

_FINDERS: tuple[Finder, ...] = (
    causal_verbs,
    causal_nouns,
    causal_prepositions,
    effect_phrases,
    parts,
    kinds,
    clause_causes,
)


def english_relations(sentence: Sentence, genre: Genre = "prose") -> tuple[ExtractedRelation, ...]:
    """The relations that a parsed sentence states or mentions.

    Args:
        sentence: A sentence with tokens and dependencies; one without has no relation.
        genre: What kind of text it is from: some rules hold in prose alone.

    Returns:
        In the order of the text, each relation once, with its factuality: what is not `asserted` is none.
    """
    parse = Parse(sentence)
    found: dict[tuple[str, str, str], ExtractedRelation] = {}
    for one in findings(parse, genre):
        relation = relation_of(parse, one)
        if relation is not None:
            found.setdefault((relation.head.key, relation.relation, relation.tail.key), relation)
    return tuple(found.values())


def findings(parse: Parse, genre: Genre = "prose") -> Iterator[Finding]:
    """What the rules find, as places of a parse; rules that are off in this genre find nothing."""
    for place in range(len(parse.tokens)):
        for finder in _FINDERS:
            for one in finder(parse, place):
                if genre == "prose" or not RULES[one.rule].prose_only:
                    yield one


def relation_of(parse: Parse, one: Finding) -> ExtractedRelation | None:
    """A finding with its concepts named; None where one of them has no name, or both have the same."""
    head, tail = _mention(parse, one.head, one), _mention(parse, one.tail, one)
    if head is None or tail is None or head.key == tail.key:
        return None
    rule = RULES[one.rule]
    return ExtractedRelation(
        head=head,
        relation=rule.relation,
        tail=tail,
        rule=rule.name,
        confidence=rule.prior,
        sentence=parse.sentence.text,
        factuality=factuality(parse, one),
    )


def factuality(parse: Parse, one: Finding) -> Factuality:
    """How the sentence stands to a finding."""
    if one.presupposed:
        return "asked" if is_question(parse) else "asserted"
    if one.clauses:
        return clause_factuality(parse, cause=one.head, effect=one.tail)
    return predicate(parse, one.at).factuality


def _mention(parse: Parse, place: int, one: Finding) -> ConceptMention | None:
    if one.clauses:
        return clause_mention(parse, place, one.tail if place == one.head else one.head)
    return noun_mention(parse, place)
