"""Rules for causes between nouns by prepositions: due to, because of, owing to, thanks to, as a result of."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.language.relations.english.arguments import complements, is_passive, subjects
from graphmem.language.relations.english.effect_nouns import is_effect
from graphmem.language.relations.english.findings import Finding, pairs
from graphmem.language.relations.english.nominals import is_nominal, nominals
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.english.word_sets import words

_CAUSING = words("cause elicit engender evoke ignite induce inflict precipitate prompt provoke spark trigger")
_HAPPENING = words("appear arise begin come develop die emerge grow happen increase occur result rise start")
_FIRST = frozenset({"due", "because", "owing", "thanks"})


def causal_prepositions(parse: Parse, place: int) -> Iterator[Finding]:
    """Due to, because of, owing to, thanks to, as a result of: behind a noun, or behind a verb of happening."""
    found = _preposition(parse, place)
    if found is None:
        return
    start, end = found
    reasons = _behind(parse, end)
    for governor in _governors(parse, start):
        if parse.is_noun(governor):
            effects = [one for one in nominals(parse, governor)[:1] if _is_effect(parse, one, start)]
            yield from pairs(reasons, effects, "causes.noun_due_to", start)
        elif is_passive(parse, governor) and parse.lemmas[governor] in _CAUSING:
            yield from pairs(reasons, subjects(parse, governor), "causes.caused_due_to", governor)
        elif parse.lemmas[governor] == "be" and governor < start and not _is_complete(parse, governor):
            yield from pairs(reasons, subjects(parse, governor), "causes.be_due_to", governor)
        elif parse.lemmas[governor] in _HAPPENING:
            yield from pairs(reasons, subjects(parse, governor), "causes.happen_due_to", governor)


def _is_effect(parse: Parse, noun: int, start: int) -> bool:
    """Whether a noun is what a preposition gives the reason of; behind an object it is mostly that of the verb."""
    near = start - noun == 1 or not parse.is_verb(parse.head(noun))
    return noun < start and near and (parse.tokens[noun].dep != "dobj" or is_effect(parse.lemmas[noun]))


def _is_complete(parse: Parse, copula: int) -> bool:
    """Whether a form of `be` says something else of its subject already: it was notable due to."""
    return any(parse.words[one] not in _FIRST for one in parse.dependents(copula, "acomp", "attr"))


def _preposition(parse: Parse, place: int) -> tuple[int, int] | None:
    """First and last place of a causal preposition of several words that begins here."""
    words = parse.words
    if words[place] in _FIRST and place + 1 < len(words) and words[place + 1] in {"to", "of"}:
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
