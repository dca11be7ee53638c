"""Rules for causes between nouns by a third noun, or by nothing but `from`."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.language.relations.english.arguments import attributes, obliques, subjects
from graphmem.language.relations.english.findings import Finding, pairs
from graphmem.language.relations.english.nominals import is_nominal, measured, nominals
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.english.word_lists import BODY, EFFECTS, PHENOMENA, PLACES, TIMES
from graphmem.language.relations.english.word_sets import words

_CAUSES = frozenset(["cause", "reason", "trigger", "culprit"])
_OUTCOMES = words("aftermath consequence effect outcome result")


def causal_nouns(parse: Parse, place: int) -> Iterator[Finding]:
    """What a copula or a noun says about causes between nouns."""
    if parse.lemmas[place] == "be":
        yield from _by_copula(parse, place)
        yield from _cause_is(parse, place)
    if parse.lemmas[place] in EFFECTS | PHENOMENA and is_nominal(parse, place):
        yield from _effect_from(parse, place)


def _by_copula(parse: Parse, verb: int) -> Iterator[Finding]:
    for attribute in attributes(parse, verb):
        noun = measured(parse, attribute)
        lemma = parse.lemmas[noun]
        if lemma in _CAUSES:
            effects = obliques(parse, noun, "of", "for", "behind")
            yield from pairs(subjects(parse, verb), effects, "causes.be_cause_of", verb)
        elif lemma == "source":
            effects = [one for one in obliques(parse, noun, "of") if parse.lemmas[one] in EFFECTS | PHENOMENA]
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
    yield from pairs(reasons_from(parse, noun), [noun], "causes.effect_from", noun)


def reasons_from(parse: Parse, place: int) -> list[int]:
    """What stands behind `from` as a reason: no time, no seat of a feeling, no start of a range (from .. to)."""
    if any(parse.has(one, "prep") for one in parse.dependents(place, "prep") if parse.words[one] == "from"):
        return []
    away = BODY | PLACES | TIMES
    return [one for one in obliques(parse, place, "from") if parse.lemmas[one] not in away]
