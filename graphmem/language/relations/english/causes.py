"""Rules for causes between nouns: who causes what, by verb, by noun, and by preposition.

Left out, since they were mostly wrong where they were counted: make, create and produce (their object is rarely an
event), derive, originate and emerge from, since.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.language.relations.english.arguments import (
    attributes,
    complements,
    is_passive,
    objects,
    obliques,
    particle,
    subjects,
)
from graphmem.language.relations.english.findings import Finding, pairs
from graphmem.language.relations.english.nominals import is_nominal, measured, nominals
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.english.word_sets import words

_CAUSING = words("cause elicit engender evoke ignite induce inflict precipitate prompt provoke spark trigger")
_TOWARDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "lead": ("lead_to", ("to",)),
    "result": ("result_in", ("in",)),
    "culminate": ("culminate_in", ("in",)),
    "contribute": ("contribute_to", ("to",)),
}
_FROM: dict[str, tuple[str, tuple[str, ...]]] = {
    "result": ("result_from", ("from",)),
    "arise": ("arise_from", ("from", "out")),
    "stem": ("stem_from", ("from",)),
    "ensue": ("arise_from", ("from",)),
}
_CAUSES = frozenset(["cause", "reason", "trigger", "culprit"])
_SOURCES = frozenset(["source", "origin", "driver"])
_EFFECTS = words("aftermath consequence effect outcome result")
_HAPPENING = words("appear arise be begin come develop die emerge grow happen increase occur result rise start")
_ROUND_OFF = frozenset({"due", "because", "owing", "thanks"})


def causes(parse: Parse, place: int) -> Iterator[Finding]:
    """What the word at a place says about causes between nouns."""
    if parse.tokens[place].pos in {"VERB", "AUX"} or parse.tokens[place].dep == "acl":
        yield from _by_verb(parse, place)
        yield from _by_direction(parse, place)
        yield from _by_copula(parse, place)
    if parse.lemmas[place] in _CAUSES and parse.tokens[place].dep == "nsubj":
        yield from _cause_is(parse, place)
    yield from _by_preposition(parse, place)


def _by_verb(parse: Parse, verb: int) -> Iterator[Finding]:
    lemma = parse.lemmas[verb]
    passive = is_passive(parse, verb)
    if lemma in _CAUSING and passive:
        yield from pairs(obliques(parse, verb, "by"), subjects(parse, verb), "causes.caused_by", verb)
        yield from pairs(
            obliques(parse, verb, "from", "through"), subjects(parse, verb), "causes.caused_from", verb
        )
    elif lemma in _CAUSING:
        yield from pairs(subjects(parse, verb), objects(parse, verb), "causes.cause", verb)
    if lemma == "bring" and particle(parse, verb, "about"):
        if passive:
            yield from pairs(obliques(parse, verb, "by"), subjects(parse, verb), "causes.brought_about_by", verb)
        else:
            yield from pairs(subjects(parse, verb), objects(parse, verb), "causes.bring_about", verb)
    if lemma == "give" and not passive:
        for rise in parse.dependents(verb, "dobj"):
            if parse.words[rise] == "rise":
                effects = obliques(parse, verb, "to") or obliques(parse, rise, "to")
                yield from pairs(subjects(parse, verb), effects, "causes.give_rise_to", verb)
    if lemma in {"attribute", "ascribe"} and passive:
        yield from pairs(obliques(parse, verb, "to"), subjects(parse, verb), "causes.attributed_to", verb)


def _by_direction(parse: Parse, verb: int) -> Iterator[Finding]:
    lemma = parse.lemmas[verb]
    if lemma in _TOWARDS:
        name, prepositions = _TOWARDS[lemma]
        yield from pairs(subjects(parse, verb), obliques(parse, verb, *prepositions), f"causes.{name}", verb)
    if lemma in _FROM:
        name, prepositions = _FROM[lemma]
        yield from pairs(obliques(parse, verb, *prepositions), subjects(parse, verb), f"causes.{name}", verb)


def _by_copula(parse: Parse, verb: int) -> Iterator[Finding]:
    if parse.lemmas[verb] != "be":
        return
    for attribute in attributes(parse, verb):
        noun = measured(parse, attribute)
        lemma = parse.lemmas[noun]
        if lemma in _CAUSES:
            effects = obliques(parse, noun, "of", "for", "behind")
            yield from pairs(subjects(parse, verb), effects, "causes.be_cause_of", verb)
        elif lemma in _SOURCES:
            yield from pairs(
                subjects(parse, verb), obliques(parse, noun, "of", "for"), "causes.be_source_of", verb
            )
        elif lemma in _EFFECTS:
            yield from pairs(obliques(parse, noun, "of"), subjects(parse, verb), "causes.be_result_of", verb)


def _cause_is(parse: Parse, noun: int) -> Iterator[Finding]:
    """The cause of the fire is a spark."""
    verb = parse.head(noun)
    if parse.lemmas[verb] == "be":
        found = [one for each in parse.dependents(verb, "attr") for one in nominals(parse, each)]
        yield from pairs(found, obliques(parse, noun, "of", "for", "behind"), "causes.cause_is", verb)


def _by_preposition(parse: Parse, place: int) -> Iterator[Finding]:
    """Due to, because of, owing to, thanks to, as a result of: behind a noun, or behind a verb of happening."""
    found = _preposition(parse, place)
    if found is None:
        return
    start, end = found
    reasons = _behind(parse, end)
    for governor in _governors(parse, start):
        if parse.is_noun(governor):
            effects = [one for one in nominals(parse, governor)[:1] if one < start]
            yield from pairs(reasons, effects, "causes.noun_due_to", start)
        elif is_passive(parse, governor) and parse.lemmas[governor] in _CAUSING:
            yield from pairs(reasons, subjects(parse, governor), "causes.caused_due_to", governor)
        elif parse.lemmas[governor] in _HAPPENING:
            rule = "causes.be_due_to" if parse.lemmas[governor] == "be" else "causes.happen_due_to"
            yield from pairs(reasons, subjects(parse, governor), rule, governor)


def _preposition(parse: Parse, place: int) -> tuple[int, int] | None:
    """First and last place of a causal preposition of several words that begins here."""
    words = parse.words
    if words[place] in _ROUND_OFF and place + 1 < len(words) and words[place + 1] in {"to", "of"}:
        return place, place + 1
    if words[place] == "as" and parse.follows(place, "a", "result", "of"):
        return place, place + 3
    return None


def _behind(parse: Parse, last: int) -> list[int]:
    """The nouns behind the last word of a preposition, wherever the parser hung them."""
    found = complements(parse, last)
    if found or last + 1 >= len(parse.tokens):
        return found
    place = last + 1
    while parse.head(place) > last and parse.head(place) != place and not parse.is_verb(place):
        place = parse.head(place)
    return nominals(parse, place) if is_nominal(parse, place) else []


def _governors(parse: Parse, place: int) -> list[int]:
    """The nearest noun in front of a preposition, or verb, that it hangs on."""
    for head in parse.above(place):
        if parse.is_verb(head) or (parse.is_noun(head) and head < place):
            return [head]
    return []
