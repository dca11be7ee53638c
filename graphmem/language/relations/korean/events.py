"""Clauses as causes in Korean: 로 인해, 때문에, 기 때문에, and 아서 with care. Pure.

An event is named by its clause in dictionary form: 비가 왔기 때문에, 비가 와서 and 비가 오기 때문에 name the
same 비가 오다. Its span is that of the clause as written.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from graphmem.graph.keys import canonical_key
from graphmem.language.extraction import EVENT, ConceptMention, Factuality
from graphmem.language.relations.korean import catalogue
from graphmem.language.relations.korean.causation import due_to_particle
from graphmem.language.relations.korean.clauses import (
    LINKING,
    SO,
    Clause,
    clause_before,
    clause_from,
    has_argument,
    has_subject,
    stands_for_particle,
)
from graphmem.language.relations.korean.factuality import factuality_of
from graphmem.language.relations.korean.reading import Reading
from graphmem.language.relations.korean.statements import Statement, mention, names_a_concept
from graphmem.language.relations.korean.subjects import is_subject_particle
from graphmem.language.relations.rules import RelationRule
from graphmem.language.relations.surface_words import word_set

LONGEST_EVENT = 60
"""Characters of a clause that names an event: what is longer tells a story."""

_SEQUENTIAL = word_set("가 앉 서 만나 일어나 들어가 나가 돌아오 모이 눕 찾아가")
"""Verbs whose 어서 says what came next."""


def clause_causes(reading: Reading) -> Iterator[Statement]:
    """What the sentence says of something that happened because of another thing."""
    for place, token in enumerate(reading.tokens):
        if token.tag == "EC" and token.text in SO | LINKING:
            yield from _because_of(reading, place)
            if token.text in SO:
                yield from _and_so(reading, place, place + 1)
            elif _is_cut_in_two(reading, place):
                yield from _and_so(reading, place, place + 2)
        elif token.tag == "NNB" and token.text == "때문" and reading.is_at(place + 1, "JKB", "에"):
            yield from _owing_to(reading, place)


def _because_of(reading: Reading, place: int) -> Iterator[Statement]:
    """X로 인해 S."""
    particle = due_to_particle(reading, place)
    if particle is not None:
        yield from _from_noun(reading, catalogue.BECAUSE_OF, particle, place + 1)


def _owing_to(reading: Reading, place: int) -> Iterator[Statement]:
    """X 때문에 S, and S기 때문에 S."""
    if reading.is_at(place - 1, "ETN", "기"):
        yield from _from_clause(reading, catalogue.BECAUSE, place - 2, place + 2)
    else:
        yield from _from_noun(reading, catalogue.OWING_TO, place, place + 2)


def _has_own_subject(reading: Reading, stem: int) -> bool:
    """Whether a clause has a subject of its own: a topic before a verb with an object is the next clause's too."""
    places = range(reading.clause_start(stem) + 1, stem)
    has_object = any(reading.is_at(place, "JKO") for place in places)
    return not has_object or any(reading.is_at(place, "JKS") for place in places)


def _modifies_first(reading: Reading, place: int) -> bool:
    """Whether the first predicate from a place on modifies a noun: then 어서 may belong to it alone."""
    for at in range(place, len(reading.tokens)):
        if is_subject_particle(reading, at):
            return False
        if reading.is_at(at, "ETM"):
            return True
    return False


def _is_cut_in_two(reading: Reading, place: int) -> bool:
    """Whether 어서 was read as 어 and the verb 서다, which then has no ending: 가득 차서."""
    return (
        reading.is_at(place + 1, "VV", "서")
        and place + 2 < len(reading.tokens)
        and not reading.tokens[place + 2].tag.startswith("E")
    )


def _and_so(reading: Reading, place: int, after: int) -> Iterator[Statement]:
    """S어서 S, where each clause has a subject of its own and the first verb is none of going or sitting down."""
    cause = clause_before(reading, place - 1)
    if cause is None or reading.is_at(after, "JX") or stands_for_particle(reading, cause.stem, place):
        return
    is_sequential = reading.tokens[cause.stem].text in _SEQUENTIAL or reading.is_at(cause.stem, "VX", "나")
    if is_sequential or not _has_own_subject(reading, cause.stem) or _modifies_first(reading, after):
        return
    yield from _from_clause(reading, catalogue.AND_SO, place - 1, after)


def _from_noun(reading: Reading, rule: RelationRule, before: int, after: int) -> Iterator[Statement]:
    cause = reading.phrase_before(before)
    effect = clause_from(reading, after)
    if cause is None or effect is None or reading.is_pointed_at(cause):
        return
    if _modifies_first(reading, after) or not has_argument(reading, effect):
        return
    event = _event(reading, effect)
    if event:
        for one in reading.listed(cause):
            if names_a_concept(reading, one):
                yield Statement(rule, mention(reading, one), event, _stance(reading, effect))


def _from_clause(reading: Reading, rule: RelationRule, last: int, after: int) -> Iterator[Statement]:
    cause, effect = clause_before(reading, last), clause_from(reading, after)
    if cause is None or effect is None:
        return
    if not (has_subject(reading, cause) and has_subject(reading, effect)):
        return
    ends = _event(reading, cause), _event(reading, effect)
    if ends[0] and ends[1]:
        yield Statement(rule, ends[0], ends[1], _stance(reading, effect))


def _stance(reading: Reading, effect: Clause) -> Factuality:
    return factuality_of(reading, effect.stem, names_denial=True)


def _event(reading: Reading, clause: Clause) -> ConceptMention | None:
    """The event that a clause describes, named in dictionary form; None where it is too long to be one."""
    start = reading.tokens[clause.first].start
    stem = reading.tokens[clause.stem]
    text = unicodedata.normalize("NFC", reading.sentence.text[start : stem.start])
    name = f"{text}{stem.text}다"
    if not text.strip() or len(name) > LONGEST_EVENT:
        return None
    offset = reading.sentence.start
    return ConceptMention(
        name=name, key=canonical_key(name) or "", kind=EVENT, start=offset + start, end=offset + stem.end
    )
