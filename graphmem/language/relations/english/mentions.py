"""Concepts as a parsed sentence names them: the span of a noun phrase or a clause, and its key."""

from __future__ import annotations

from itertools import pairwise

from graphmem.graph.keys import canonical_key
from graphmem.language.extraction import EVENT, ConceptMention
from graphmem.language.relations.english.names import is_name, name_span
from graphmem.language.relations.english.nominals import is_nominal, of_object
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.english.word_lists import INCOMPLETE
from graphmem.language.relations.english.word_sets import words

_MODIFIERS = words("advmod amod case compound nmod npadvmod nummod poss punct quantmod")
_OUTSIDE = words(
    "a all also an another any both certain different even just now once only then each every few her "
    "his its many more most much multiple my no numerous other our own same several some such that the their "
    "these this those various your"
)
"""Words in front of a noun that do not belong to its name."""


def noun_mention(parse: Parse, place: int) -> ConceptMention | None:
    """The noun phrase around its head word: modifiers and compound in front of it, without its article.

    Returns:
        None where nothing is left that has a key.
    """
    first, last = name_span(parse, place) or (_first(parse, place), _completed(parse, place))
    name = parse.sentence.text[parse.tokens[first].start : parse.tokens[last].end]
    key = _key(parse, first, last)
    if key is None:
        return None
    start = parse.sentence.start + parse.tokens[first].start
    return ConceptMention(name=name, key=key, start=start, end=start + len(name))


def clause_mention(parse: Parse, verb: int, without: int) -> ConceptMention | None:
    """The clause around its verb, without the other clause and the conjunction between them.

    Args:
        parse: The sentence.
        verb: The verb of the clause.
        without: The verb of the other clause.
    """
    other = set(parse.below(without)) if without != verb and verb not in parse.below(without) else set()
    inside = [one for one in parse.below(verb) if one not in other and not _joins(parse, one, verb)]
    inside = _run_around(parse, inside, verb)
    if not inside:
        return None
    start, end = parse.tokens[inside[0]].start, parse.tokens[inside[-1]].end
    name = parse.sentence.text[start:end]
    key = canonical_key(name, proper=True)
    if key is None:
        return None
    return ConceptMention(name, key, EVENT, parse.sentence.start + start, parse.sentence.start + end)


def _completed(parse: Parse, place: int) -> int:
    """The last word of a name: the noun itself, or what it needs to mean anything, as in lack of sleep."""
    inner = of_object(parse, place)
    if parse.lemmas[place] not in INCOMPLETE or inner is None or not is_nominal(parse, inner):
        return place
    return inner if _is_whole(parse, place, inner) else place


def _is_whole(parse: Parse, noun: int, inner: int) -> bool:
    """Whether nothing but modifiers of the inner noun stands between a noun's `of` and it."""
    return parse.words[noun + 1] == "of" and all(_is_modifier(parse, one, inner) for one in range(noun + 2, inner))


def _first(parse: Parse, place: int) -> int:
    """The first word of a name: as far back as modifiers of its head word reach without a gap."""
    owned = set(parse.below(place))
    first = place
    while first > 0 and first - 1 in owned and _is_modifier(parse, first - 1, place):
        first -= 1
    while first > 1 and (_is_hyphen(parse, first) or _is_hyphen(parse, first - 1)):
        first -= 1
    while first < place and (_is_outside(parse, first) or not parse.tokens[first].text[0].isalnum()):
        first += 1
    return first


def _is_hyphen(parse: Parse, place: int) -> bool:
    """Whether a word is a hyphen that joins its neighbours: must-visit."""
    around = parse.tokens[max(0, place - 1) : place + 2]
    if parse.tokens[place].text != "-" or len(around) < 3:
        return False
    return all(one.end == after.start for one, after in pairwise(around))


def _is_outside(parse: Parse, place: int) -> bool:
    """Whether a word in front of a noun does not belong to its name: articles, counts and years."""
    return parse.words[place] in _OUTSIDE or _is_count(parse, place)


def _is_count(parse: Parse, place: int) -> bool:
    """Whether a word is a number by itself; the one of a 7-bedroom house is not."""
    token = parse.tokens[place]
    return token.pos == "NUM" and token.dep == "nummod" and parse.words[place + 1 : place + 2] != ("-",)


def _is_modifier(parse: Parse, place: int, noun: int) -> bool:
    """Whether a word in front of a noun belongs to its name, by itself and by what it hangs on."""
    while place != noun:
        token = parse.tokens[place]
        if token.dep not in _MODIFIERS | {"conj", "cc"} or token.text in {",", ";", ":", "(", "“", '"'}:
            return False
        if _is_outside(parse, place):
            return False
        place = token.head
    return True


def _key(parse: Parse, first: int, last: int) -> str | None:
    """The key of a name; a common noun ends with its lemma, which knows more plurals than rules do."""
    text = parse.sentence.text
    if is_name(parse, last) or is_name(parse, first):
        return canonical_key(text[parse.tokens[first].start : parse.tokens[last].end], proper=True)
    token = parse.tokens[last]
    lemma = token.lemma if token.tag == "NNS" and token.lemma else token.text
    return canonical_key(text[parse.tokens[first].start : token.start] + lemma)


def _joins(parse: Parse, place: int, verb: int) -> bool:
    token = parse.tokens[place]
    return (
        parse.words[place] in {"because", "so", "that"} and token.head == verb and token.dep in {"mark", "advmod"}
    )


def _run_around(parse: Parse, places: list[int], verb: int) -> list[int]:
    """The words around a verb without a gap and without marks at the ends."""
    inside = set(places)
    first = last = verb
    while first - 1 in inside:
        first -= 1
    while last + 1 in inside:
        last += 1
    run = list(range(first, last + 1))
    while run and not any(char.isalnum() for char in parse.tokens[run[-1]].text):
        run.pop()
    while run and (not any(char.isalnum() for char in parse.tokens[run[0]].text) or _is_lead(parse, run[0])):
        run.pop(0)
    return run


def _is_lead(parse: Parse, place: int) -> bool:
    return parse.tokens[place].dep == "cc"
