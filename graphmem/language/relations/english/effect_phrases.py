"""Rules for causes between nouns that a preposition alone joins: pain from an injury, grief after a loss.

The noun in front must stand for what comes about, and where the preposition mostly says something else, the noun
behind for what goes on.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.language.relations.english.arguments import complements
from graphmem.language.relations.english.effect_nouns import (
    FEELINGS,
    LEAVING,
    PHENOMENA,
    SHIFTS,
    is_effect,
    is_happening,
    is_outcome,
    is_person,
)
from graphmem.language.relations.english.findings import Finding, pairs
from graphmem.language.relations.english.names import is_name
from graphmem.language.relations.english.nominals import coordinated, is_nominal
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.english.word_lists import BODY, PLACES, TIMES
from graphmem.language.relations.english.word_sets import words

_REMOVING = words(
    "absorb banish hear learn read carry clear collect detect distinguish drain draw drive eliminate erase expel "
    "extract filter free keep lift move obtain protect radiate release remove rid separate shield spread take "
    "transfer transmit"
)
"""Verbs whose `from` tells where something was."""

_HINDERING = words("block deter discourage hinder inhibit keep prevent prohibit stop")
"""Verbs that a gerund behind `from` belongs to: prevents leaks from causing harm."""

_AFTER = frozenset({"after", "following"})
_BY = frozenset({"by", "through", "via"})
_ABOUT = frozenset({"over", "at"})

_STANDARDS = words("average baseline default form level mean norm normal original shape standard")
"""What something departs from."""


def effect_phrases(parse: Parse, place: int) -> Iterator[Finding]:
    """What a preposition at a place says about causes."""
    word = parse.words[place]
    if word == "from":
        yield from _from(parse, place)
    elif word in _AFTER:
        yield from _after(parse, place, place)
    elif word == "in" and parse.follows(place, "the", "wake", "of"):
        yield from _after(parse, place, place + 3)
    elif word in _BY and parse.tokens[place].dep == "prep":
        yield from _through(parse, place)
    elif word in _ABOUT and parse.tokens[place].dep == "prep":
        yield from _about(parse, place)


def reasons_behind(parse: Parse, preposition: int, effect: int) -> list[int]:
    """What stands behind `from` as a reason: no time, no seat of a feeling, no start of a range (from .. to).

    From people there is noise, but the joy or protest from people is theirs.
    """
    if parse.has(preposition, "prep") or parse.lemmas[effect] in LEAVING:
        return []
    away = BODY | PLACES | TIMES | _STANDARDS
    found = [one for one in complements(parse, preposition) if parse.lemmas[one] not in away]
    if parse.lemmas[effect] in PHENOMENA:
        return found
    return [one for one in found if not is_person(parse.lemmas[one])]


def _from(parse: Parse, place: int) -> Iterator[Finding]:
    """Pain from an injury, also where the parser hung it on the verb in front."""
    governor = parse.head(place)
    hangs_on_verb = parse.is_verb(governor)
    if hangs_on_verb and parse.lemmas[governor] in _REMOVING:
        return
    hindering = hangs_on_verb and parse.lemmas[governor] in _HINDERING
    for noun in _in_front(parse, place):
        lemma = parse.lemmas[noun]
        if is_outcome(lemma) and not (hangs_on_verb and lemma in PHENOMENA):
            found = reasons_behind(parse, place, noun)
            reasons = [one for one in found if not (hindering and parse.tokens[one].tag == "VBG")]
            yield from pairs(reasons, [noun], "causes.effect_from", noun)


def _after(parse: Parse, place: int, last: int) -> Iterator[Finding]:
    """Grief after the death of a child: both befall, or the first is felt and the second goes on."""
    reasons = [one for one in complements(parse, last) if _goes_on(parse, one)]
    effects = [one for one in _in_front(parse, place) if is_effect(parse.lemmas[one])]
    yield from pairs(reasons, effects, "causes.effect_after", place)


def _through(parse: Parse, place: int) -> Iterator[Finding]:
    """A reduction by laser treatment: something becomes less by what is done."""
    if parse.words[place] == "by" and not parse.is_noun(parse.head(place)):
        return  # defends from infections by
    reasons = [one for one in complements(parse, place) if _goes_on(parse, one)]
    effects = [one for one in _in_front(parse, place) if _comes_about(parse.lemmas[one])]
    yield from pairs(reasons, effects, "causes.effect_through", place)


def _comes_about(lemma: str) -> bool:
    return is_effect(lemma) or lemma in SHIFTS


def _about(parse: Parse, place: int) -> Iterator[Finding]:
    """Outrage over corruption."""
    reasons = [one for one in complements(parse, place) if _goes_on(parse, one)]
    effects = [one for one in _in_front(parse, place) if parse.lemmas[one] in FEELINGS]
    yield from pairs(reasons, effects, "causes.feeling_about", place)


def _goes_on(parse: Parse, noun: int) -> bool:
    """Whether a noun or gerund stands for what goes on; what is counted is mostly a time."""
    gerund = parse.tokens[noun].tag == "VBG"
    counted = parse.has(noun, "nummod") or parse.lemmas[noun] in TIMES
    return not counted and not is_name(parse, noun) and (gerund or is_happening(parse.lemmas[noun]))


def _in_front(parse: Parse, place: int) -> list[int]:
    """The nouns that a preposition is about: right in front, or what it hangs on, with those joined to it."""
    governor = parse.head(place)
    noun = governor if parse.is_noun(governor) and governor < place else place - 1
    if noun < 0 or not is_nominal(parse, noun):
        return []
    first = noun
    while parse.tokens[first].dep == "conj" and parse.is_noun(parse.head(first)):
        first = parse.head(first)
    joined = [one for one in coordinated(parse, first) if one <= max(noun, place - 1)]
    return [one for one in joined if is_nominal(parse, one)]
