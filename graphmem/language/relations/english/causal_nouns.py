"""Rules for causes between nouns by a third word: the cause of it, the result of it, responsible for it."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.language.relations.english.arguments import attributes, obliques, subjects
from graphmem.language.relations.english.effect_nouns import is_outcome
from graphmem.language.relations.english.findings import Finding, pairs
from graphmem.language.relations.english.names import is_name
from graphmem.language.relations.english.nominals import is_nominal, measured, nominals
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.english.word_sets import words

_CAUSES = frozenset(["cause", "reason", "trigger", "culprit"])
_OUTCOMES = words("aftermath consequence effect outcome result")


def causal_nouns(parse: Parse, place: int) -> Iterator[Finding]:
    """What a copula or a noun says about causes between nouns."""
    if parse.lemmas[place] == "be":
        yield from _by_copula(parse, place)
        yield from _among_causes(parse, place)
        yield from _cause_is(parse, place)
    elif parse.words[place] == "responsible":
        yield from _responsible(parse, place)


def _by_copula(parse: Parse, verb: int) -> Iterator[Finding]:
    for attribute in attributes(parse, verb):
        noun = measured(parse, attribute)
        lemma = parse.lemmas[noun]
        if lemma in _CAUSES:
            effects = obliques(parse, noun, "of", "for", "behind")
            yield from pairs(subjects(parse, verb), effects, "causes.be_cause_of", verb)
        elif lemma == "source":
            effects = [one for one in obliques(parse, noun, "of") if is_outcome(parse.lemmas[one])]
            yield from pairs(subjects(parse, verb), effects, "causes.be_cause_of", verb)
        elif lemma in _OUTCOMES:
            yield from pairs(obliques(parse, noun, "of"), subjects(parse, verb), "causes.be_result_of", verb)


def _among_causes(parse: Parse, verb: int) -> Iterator[Finding]:
    """Worries are among the causes of insomnia."""
    for noun in obliques(parse, verb, "among"):
        if parse.lemmas[noun] in _CAUSES:
            effects = obliques(parse, noun, "of", "for", "behind")
            yield from pairs(subjects(parse, verb), effects, "causes.be_cause_of", verb)


def _cause_is(parse: Parse, verb: int) -> Iterator[Finding]:
    """The cause of the fire is a spark."""
    for subject in parse.dependents(verb, "nsubj"):
        noun = measured(parse, subject)
        if parse.lemmas[noun] in _CAUSES:
            found = [one for each in parse.dependents(verb, "attr") for one in nominals(parse, each)]
            yield from pairs(found, obliques(parse, noun, "of", "for", "behind"), "causes.cause_is", verb)


def _responsible(parse: Parse, place: int) -> Iterator[Finding]:
    """Bacteria are responsible for outbreaks; whoever bears a name is in charge."""
    governor = parse.head(place)
    found = subjects(parse, governor) if parse.is_verb(governor) else nominals(parse, governor)[:1]
    causes = [one for one in found if one < place and is_nominal(parse, one) and not is_name(parse, one)]
    effects = [one for one in obliques(parse, place, "for") if is_outcome(parse.lemmas[one])]
    yield from pairs(causes, effects, "causes.responsible_for", place)
