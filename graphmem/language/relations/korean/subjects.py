"""What a Korean predicate is said of: the topic or the subject of its clause. Pure.

A topic (은, 는) opens a clause and holds for the coordinate ones behind it; a subject (이, 가) is of the nearest
predicate. A pronoun ends the search: what it stands for is not known.
"""

from __future__ import annotations

from graphmem.language.relations.korean.phrases import NounPhrase
from graphmem.language.relations.korean.reading import Reading
from graphmem.language.relations.surface_words import word_set

TOPIC = word_set("은 는 ᆫ")
_SUBJECT = word_set("이 가 께서")
_ADDED = "도"
_CARRYING = word_set("고 며 으며 지만 으나 나 는데 ᆫ데 은데 자 라 면서 으면서")
"""Endings over which the topic of a clause holds for the next one."""

_OPENING = "“‘「『《〈"
_CLOSING = "”’」』》〉"


def is_subject_particle(reading: Reading, place: int) -> bool:
    """Whether a token marks what a clause is about."""
    return reading.is_at(place, "JKS", *_SUBJECT) or reading.is_at(place, "JX", *TOPIC, _ADDED)


def subjects(reading: Reading, before: int) -> tuple[NounPhrase, ...]:
    """What the predicate behind a place is said of: the nearest topic or subject of its clause, with its list.

    The topic of the clause before holds on where none is named and the clauses are coordinate.
    """
    start = reading.clause_start(before)
    for place in range(before - 1, start, -1):
        if is_subject_particle(reading, place):
            if phrase := reading.phrase_before(place):
                return reading.listed(phrase)
            if _is_pronoun(reading, place - 1) or reading.is_at(place - 1, "NNB"):
                return ()
    return _topic_before(reading, start)


def inner_subjects(reading: Reading, before: int) -> tuple[NounPhrase, ...]:
    """As `subjects`, for a clause that modifies a noun or is an argument: it has a subject but no topic."""
    for place in range(before - 1, reading.clause_start(before), -1):
        if reading.is_at(place, "JKS", *_SUBJECT):
            phrase = reading.phrase_before(place)
            return reading.listed(phrase) if phrase else ()
        if reading.is_at(place, "JX", *TOPIC):
            return ()
    return ()


def outer_subjects(reading: Reading, before: int) -> tuple[NounPhrase, ...]:
    """As `subjects`, but the topic where the nearest subject may be of a clause that modifies a noun."""
    found = subjects(reading, before)
    if not found or not reading.is_at(found[-1].last + 1, "JKS"):
        return found
    between = range(found[-1].last + 1, before)
    is_inside = any(reading.is_at(place, "ETM") for place in between)
    return (topics(reading, before) or found) if is_inside else found


def topics(reading: Reading, before: int, *, is_quoted: bool = False) -> tuple[NounPhrase, ...]:
    """As `subjects`, but the first topic of the clause goes before what is nearer.

    Where a topic and a subject share the predicate (그는 아버지가 의사이다) there is none, unless the predicate
    is quoted: then the topic is of whoever said it.
    """
    start = _topic_start(reading, before)
    quote = _open_quote(reading, start, before)
    if quote is not None:
        return tuple(one for one in _plain_subjects(reading, before) if one.first > quote)
    places = [place for place in range(start + 1, before) if reading.is_at(place, "JX", *TOPIC)]
    if any(_is_pronoun(reading, place - 1) for place in places):
        return _plain_subjects(reading, before) if is_quoted else ()
    for place in places:
        phrase = reading.phrase_before(place)
        if phrase and _has_no_subject(reading, place + 1, before):
            return tuple(one for one in reading.listed(phrase) if one.first >= start)
        if phrase:
            return _plain_subjects(reading, before) if is_quoted else ()
    return _plain_subjects(reading, before)


def _is_pronoun(reading: Reading, place: int) -> bool:
    return reading.is_at(place, "NP") or (reading.is_at(place, "XSN", "들") and reading.is_at(place - 1, "NP"))


def _plain_subjects(reading: Reading, before: int) -> tuple[NounPhrase, ...]:
    """As `subjects`; none where it may belong to a clause that modifies: 값이 싼 책이다, 난방도 갖춘 집이다."""
    found = subjects(reading, before)
    if found and (reading.is_at(found[-1].last + 1, "JKS") or reading.is_at(found[-1].last + 1, "JX", _ADDED)):
        between = range(found[-1].last + 1, before)
        return () if any(reading.is_at(place, "ETM") for place in between) else found
    return found


def _topic_start(reading: Reading, before: int) -> int:
    """Where to look for a topic: of A는 B, C는 D이다 the second half stands alone."""
    start = reading.clause_start(before)
    for place in range(before - 1, start, -1):
        if reading.is_at(place, "SP", ",") and reading.is_at(place - 1, "NNG NNP SL XSN"):
            following = next((one for one in reading.phrases if one.first > place), None)
            if following and reading.is_at(following.last + 1, "JX", *TOPIC):
                is_second = any(reading.is_at(at, "JX", *TOPIC) for at in range(start, place))
                return place if is_second else start
    return start


def _topic_before(reading: Reading, start: int) -> tuple[NounPhrase, ...]:
    """The topic of the nearest coordinate clause that has one."""
    while start > 0 and reading.is_at(start - 1, "EC", *_CARRYING):
        before = start - 1
        start = reading.clause_start(before)
        for place in range(start + 1, before):
            if reading.is_at(place, "JX", *TOPIC):
                phrase = reading.phrase_before(place)
                return reading.listed(phrase) if phrase else ()
    return ()


def _has_no_subject(reading: Reading, first: int, last: int) -> bool:
    """Whether each subject between two places belongs to a clause that modifies a noun."""
    waiting = False
    for place in range(first, last):
        if reading.is_at(place, "JKS"):
            waiting = True
        elif reading.is_at(place, "ETM") and not reading.is_at(place - 2, "XSN", "적"):
            waiting = False
    return not waiting


def _open_quote(reading: Reading, first: int, last: int) -> int | None:
    """Place of the last quote that begins between two places and goes on: what stands before it is who says it."""
    opened: list[int] = []
    for place in range(first, last):
        mark = reading.tokens[place].text
        if not reading.is_at(place, "SSO SSC SS"):
            continue
        if mark in _OPENING or (mark == '"' and not opened):
            opened.append(place)
        elif opened and (mark in _CLOSING or mark == '"'):
            opened.pop()
    # a quote right before the place belongs to what is named there: 이것은 ‘전설’이다
    while opened and opened[-1] == last - 1:
        opened.pop()
    return opened[-1] if opened else None
