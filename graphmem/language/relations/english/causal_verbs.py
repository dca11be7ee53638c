"""Rules for causes between nouns by verbs: what caused what, led to it, resulted from it.

Make, create, produce, come, derive and emerge from count only where what comes about befalls, is felt or is given
off: with others they mostly tell who made a thing, or where it was before.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.language.relations.english.arguments import (
    complements,
    is_passive,
    is_predicate,
    objects,
    obliques,
    particle,
    subjects,
)
from graphmem.language.relations.english.effect_nouns import is_effect, is_happening, is_outcome, is_person
from graphmem.language.relations.english.effect_phrases import reasons_behind
from graphmem.language.relations.english.findings import Finding, pairs, taken_for_granted
from graphmem.language.relations.english.names import is_name
from graphmem.language.relations.english.nominals import determiners
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.english.word_sets import words

_CAUSING = words(
    "cause elicit engender evoke ignite incite induce inflict instigate precipitate prompt provoke spark trigger"
)
_MAKING = words(
    "radiate create generate produce make give yield emit arouse stimulate initiate fuel drive raise inspire spawn"
)
_GIVING_OFF = words("emit exude radiate")
"""What these have as object, be it a thing, comes about by the subject."""

_COMING = words("be come derive emanate emerge flow grow originate radiate spring")
_UNDERGOING = words("derive develop experience feel find gain get have receive suffer sustain")
_BRINGING = words("create generate produce")
"""Where these are done by what goes on, not by someone, anything may come about."""

_SOURCES = words("concept idea language name noun phrase root story tradition verb word")
"""What things and words arise from without being caused by it."""

_ROOTED = frozenset({"root", "ground"})
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
    if parse.lemmas[verb] not in _CAUSING or parse.has(verb, "xcomp"):  # caused to collide
        return
    if is_passive(parse, verb):
        join = taken_for_granted if _describes_known(parse, verb) else pairs
        yield from join(obliques(parse, verb, "by"), _befallen(parse, verb), "causes.caused_by", verb)
        yield from join(
            obliques(parse, verb, "from", "through"), subjects(parse, verb), "causes.caused_from", verb
        )
    else:
        yield from pairs(subjects(parse, verb), objects(parse, verb), "causes.cause", verb)


def _describes_known(parse: Parse, verb: int) -> bool:
    """Whether a participle describes what is known to be there: nobody saw the damage caused by frost."""
    is_plain = parse.tokens[verb].dep == "acl" and not parse.has(verb, "neg", "aux", "advmod")
    return is_plain and determiners(parse, parse.head(verb)) == {"the"}


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
    """A leak produced noise: the noun befalls, is felt or is given off."""
    lemma, passive = parse.lemmas[verb], is_passive(parse, verb)
    if lemma in _MAKING and parse.has(verb, "acomp", "ccomp", "oprd", "xcomp"):
        return  # made worse
    if lemma in _MAKING and passive:
        yield from _made_by(parse, verb)
    elif lemma in _MAKING:
        effects = [one for one in objects(parse, verb) if _is_made(parse, one, verb)]
        yield from pairs(subjects(parse, verb), effects, "causes.produce", verb)
    if lemma in _COMING and (not passive or lemma == "radiate"):
        yield from _from(parse, verb, subjects(parse, verb), "causes.effect_comes_from")
    elif lemma in _UNDERGOING and not passive:
        felt = [one for one in objects(parse, verb) if is_effect(parse.lemmas[one])]
        yield from _from(parse, verb, felt, "causes.effect_from")
    elif lemma in _ROOTED and passive:
        effects = [one for one in subjects(parse, verb) if is_effect(parse.lemmas[one])]
        yield from pairs(obliques(parse, verb, "in"), effects, "causes.rooted_in", verb)


def _from(parse: Parse, verb: int, nouns: list[int], rule: str) -> Iterator[Finding]:
    """The noise comes from a fan."""
    for preposition in parse.dependents(verb, "prep"):
        if parse.words[preposition] == "from":
            for noun in nouns:
                if is_outcome(parse.lemmas[noun]):
                    yield from pairs(reasons_behind(parse, preposition, noun), [noun], rule, verb)


def _made_by(parse: Parse, verb: int) -> Iterator[Finding]:
    for cause in obliques(parse, verb, "by"):
        going_on = (
            parse.lemmas[verb] in _BRINGING and is_happening(parse.lemmas[cause]) and not is_name(parse, cause)
        )
        effects = [one for one in subjects(parse, verb) if going_on or _is_made(parse, one, verb)]
        yield from pairs([cause], effects, "causes.produced_by", verb)


def _is_made(parse: Parse, noun: int, verb: int) -> bool:
    return parse.lemmas[verb] in _GIVING_OFF or is_outcome(parse.lemmas[noun])


def _by_direction(parse: Parse, verb: int) -> Iterator[Finding]:
    lemma = parse.lemmas[verb]
    if lemma in _TOWARDS:
        name, prepositions = _TOWARDS[lemma]
        effects = [] if parse.has(verb, "dobj") else _behind_first(parse, verb, *prepositions)  # led them to a win
        if lemma == "contribute":  # people contribute to books
            effects = [one for one in effects if is_effect(parse.lemmas[one])]
        yield from pairs(subjects(parse, verb), effects, f"causes.{name}", verb)
    if lemma in _FROM and not _behind_first(parse, verb, "in"):
        name, prepositions = _FROM[lemma]
        reasons = [one for one in obliques(parse, verb, *prepositions) if _is_cause(parse.lemmas[one])]
        yield from pairs(reasons, subjects(parse, verb), f"causes.{name}", verb)


def _is_cause(lemma: str) -> bool:
    return lemma not in _SOURCES and not is_person(lemma)


def _behind_first(parse: Parse, verb: int, *prepositions: str) -> list[int]:
    """The nouns behind the first of these prepositions: in losses, in March."""
    found = [one for one in parse.dependents(verb, "prep") if parse.words[one] in prepositions]
    return complements(parse, found[0]) if found else []


def _befallen(parse: Parse, verb: int) -> list[int]:
    """What is caused: of the infection of lungs by bacteria the infection, though lungs are nearer."""
    found = subjects(parse, verb)
    if len(found) == 1 and parse.tokens[verb].dep in {"acl", "relcl"}:
        preposition = parse.head(found[0])
        above = parse.head(preposition)
        if (
            not is_outcome(parse.lemmas[found[0]])
            and parse.words[preposition] in {"of", "in", "on", "to"}
            and is_effect(parse.lemmas[above])
        ):
            return [above]
    return found
