"""Rules for causes between nouns by verbs: what caused what, led to it, resulted from it.

Make, create, produce, come, derive and emerge from count only where what comes about befalls, is felt or is given
off: with others they mostly tell who made a thing, or where it was before.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.language.relations.english.arguments import (
    is_passive,
    is_predicate,
    objects,
    obliques,
    particle,
    subjects,
)
from graphmem.language.relations.english.causal_nouns import reasons_from
from graphmem.language.relations.english.findings import Finding, pairs
from graphmem.language.relations.english.names import is_name
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.english.word_lists import EFFECTS, PHENOMENA
from graphmem.language.relations.english.word_sets import words

_CAUSING = words(
    "cause elicit engender evoke ignite induce inflict instigate precipitate prompt provoke spark trigger"
)
_MAKING = words(
    "radiate create generate produce make give yield emit arouse stimulate initiate fuel drive raise inspire"
)
_COMING = words("come derive emanate emerge originate radiate spring")
_UNDERGOING = words("suffer get feel experience sustain have develop")
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


def causal_verbs(parse: Parse, place: int) -> Iterator[Finding]:
    """What a verb says about causes between nouns."""
    if is_predicate(parse, place):
        yield from _by_causing(parse, place)
        yield from _by_phrase(parse, place)
        yield from _of_effects(parse, place)
        yield from _by_direction(parse, place)


def _by_causing(parse: Parse, verb: int) -> Iterator[Finding]:
    if parse.lemmas[verb] not in _CAUSING:
        return
    if is_passive(parse, verb):
        yield from pairs(obliques(parse, verb, "by"), _befallen(parse, verb), "causes.caused_by", verb)
        yield from pairs(
            obliques(parse, verb, "from", "through"), subjects(parse, verb), "causes.caused_from", verb
        )
    else:
        yield from pairs(subjects(parse, verb), objects(parse, verb), "causes.cause", verb)


def _by_phrase(parse: Parse, verb: int) -> Iterator[Finding]:
    """Bring about, give rise to, attributed to."""
    lemma, passive = parse.lemmas[verb], is_passive(parse, verb)
    if lemma == "bring" and particle(parse, verb, "about"):
        if passive:
            yield from pairs(obliques(parse, verb, "by"), subjects(parse, verb), "causes.brought_about_by", verb)
        else:
            yield from pairs(subjects(parse, verb), objects(parse, verb), "causes.bring_about", verb)
    elif lemma == "give" and not passive:
        for rise in parse.dependents(verb, "dobj"):
            if parse.words[rise] == "rise":
                effects = obliques(parse, verb, "to") or obliques(parse, rise, "to")
                yield from pairs(subjects(parse, verb), effects, "causes.give_rise_to", verb)
    elif lemma == "attribute" and passive:
        reasons = [one for one in obliques(parse, verb, "to") if not is_name(parse, one)]
        yield from pairs(reasons, subjects(parse, verb), "causes.attributed_to", verb)


def _of_effects(parse: Parse, verb: int) -> Iterator[Finding]:
    """A leak produced noise, she got a headache from it: the noun befalls, is felt or is given off."""
    lemma, passive = parse.lemmas[verb], is_passive(parse, verb)
    ends = (subjects if passive or lemma in _COMING else objects)(parse, verb)
    effects = [one for one in ends if parse.lemmas[one] in EFFECTS | PHENOMENA]
    if lemma in _MAKING and passive:
        yield from pairs(obliques(parse, verb, "by"), effects, "causes.produced_by", verb)
    elif lemma in _MAKING:
        yield from pairs(subjects(parse, verb), effects, "causes.produce", verb)
    elif lemma in _UNDERGOING and not passive:
        felt = [one for one in effects if parse.lemmas[one] in EFFECTS]
        yield from pairs(reasons_from(parse, verb), felt, "causes.effect_from", verb)
    elif lemma in _COMING and not passive:
        yield from pairs(reasons_from(parse, verb), effects, "causes.effect_comes_from", verb)


def _by_direction(parse: Parse, verb: int) -> Iterator[Finding]:
    lemma = parse.lemmas[verb]
    if lemma in _TOWARDS:
        name, prepositions = _TOWARDS[lemma]
        effects = obliques(parse, verb, *prepositions)
        if lemma == "contribute":  # people contribute to books
            effects = [one for one in effects if parse.lemmas[one] in EFFECTS]
        yield from pairs(subjects(parse, verb), effects, f"causes.{name}", verb)
    if lemma in _FROM:
        name, prepositions = _FROM[lemma]
        yield from pairs(obliques(parse, verb, *prepositions), subjects(parse, verb), f"causes.{name}", verb)


def _befallen(parse: Parse, verb: int) -> list[int]:
    """What is caused: of the infection of lungs by bacteria the infection, though lungs are nearer."""
    found = subjects(parse, verb)
    if len(found) == 1 and parse.tokens[verb].dep in {"acl", "relcl"}:
        preposition = parse.head(found[0])
        above = parse.head(preposition)
        if parse.words[preposition] in {"of", "in", "on", "to"} and parse.lemmas[above] in EFFECTS:
            return [above]
    return found
