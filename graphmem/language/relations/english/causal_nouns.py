"""Rules for causes between nouns by a third noun, or by nothing but `from`."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.language.relations.english.arguments import attributes, obliques, subjects
from graphmem.language.relations.english.findings import Finding, pairs
from graphmem.language.relations.english.nominals import measured, nominals
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.english.word_lists import EFFECTS
from graphmem.language.relations.english.word_sets import words

_CAUSES = frozenset(["cause", "reason", "trigger", "culprit"])
_OUTCOMES = words("aftermath consequence effect outcome result")


def causal_nouns(parse: Parse, place: int) -> Iterator[Finding]:
    """What a copula or a noun says about causes between nouns."""
    if parse.lemmas[place] == "be":
        yield from _by_copula(parse, place)
        yield from _cause_is(parse, place)
    if parse.lemmas[place] in EFFECTS and parse.is_noun(place):
        yield from _effect_from(parse, place)


def _by_copula(parse: Parse, verb: int) -> Iterator[Finding]:
    for attribute in attributes(parse, verb):
        noun = measured(parse, attribute)
        lemma = parse.lemmas[noun]
        if lemma in _CAUSES:
            effects = obliques(parse, noun, "of", "for", "behind")
            yield from pairs(subjects(parse, verb), effects, "causes.be_cause_of", verb)
        elif lemma in _OUTCOMES:
            yield from pairs(obliques(parse, noun, "of"), subjects(parse, verb), "causes.be_result_of", verb)


def _cause_is(parse: Parse, verb: int) -> Iterator[Finding]:
    """The cause of the fire is a spark."""
    for subject in parse.dependents(verb, "nsubj"):
        noun = measured(parse, subject)
        if parse.lemmas[noun] in _CAUSES:
            found = [one for each in parse.dependents(verb, "attr") for one in nominals(parse, each)]
            yield from pairs(found, obliques(parse, noun, "of", "for", "behind"), "causes.cause_is", verb)


def _effect_from(parse: Parse, noun: int) -> Iterator[Finding]:
    """Pain from an injury."""
    yield from pairs(obliques(parse, noun, "from"), [noun], "causes.effect_from", noun)
