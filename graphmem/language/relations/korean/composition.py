"""Parts and wholes in Korean: 의 일부이다, 로 구성되다, 포함하다, 갖추다. Pure.

Left out: 에는 있다, which tells where a thing is.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.language.extraction import Factuality
from graphmem.language.relations.korean import catalogue
from graphmem.language.relations.korean.causation import argument, owner_of
from graphmem.language.relations.korean.factuality import ending_of, factuality_of, modified_by
from graphmem.language.relations.korean.nouns import MANNERS, PARTS, QUALITIES, ROLES
from graphmem.language.relations.korean.phrases import NounPhrase
from graphmem.language.relations.korean.reading import Reading
from graphmem.language.relations.korean.statements import Statement, paired
from graphmem.language.relations.korean.subjects import topics

_COMPOSED = frozenset({"구성", "조성", "편성"})
_COMPOSED_VERBS = frozenset({"이루어지", "이뤄지"})
_INCLUDING = frozenset({"포함", "내포", "함유", "구비", "탑재", "내장"})
_INCLUDING_VERBS = frozenset({"갖추"})
_AMONG_OTHERS = frozenset({"어", "어서", "여", "여서"})
"""Endings with which 포함하다 names one of several: A를 포함해 B가."""


def composition(reading: Reading) -> Iterator[Statement]:
    """What the sentence says of parts and wholes."""
    for place, token in enumerate(reading.tokens):
        if token.tag in {"VCP", "VCN"}:
            yield from _part_of(reading, place)
        elif token.tag in {"VV", "XSV"}:
            noun = reading.tokens[place - 1].text if place and token.tag == "XSV" else ""
            if token.text in _COMPOSED_VERBS or (token.text == "되" and noun in _COMPOSED):
                yield from _made_up_of(reading, place)
            elif token.text in _INCLUDING_VERBS or (token.text == "하" and noun in _INCLUDING):
                yield from _include(reading, place)


def _part_of(reading: Reading, place: int) -> Iterator[Statement]:
    is_denial = reading.tokens[place].tag == "VCN"
    part = reading.phrase_before(place - 1 if is_denial else place)
    if part is None or part.noun not in PARTS or modified_by(reading, place):
        return
    whole = owner_of(reading, part)
    if whole:
        factuality: Factuality = factuality_of(reading, place)
        if is_denial and factuality == "asserted":
            factuality = "denied"
        yield from paired(reading, catalogue.PART_OF, topics(reading, whole.first), [whole], factuality)


def _made_up_of(reading: Reading, place: int) -> Iterator[Statement]:
    start = place - 1 if reading.tokens[place].tag == "XSV" else place
    part = argument(reading, start, "JKB", "로", "으로")
    if part:
        parts = [one for one in reading.listed(part) if one.noun not in MANNERS]
        if not parts:
            return
        wholes = _composed(reading, place, parts[0].first)
        wholes = tuple(whole for whole in wholes if not reading.is_called(whole, ROLES))
        yield from paired(reading, catalogue.MADE_UP_OF, parts, wholes, factuality_of(reading, place))


def _composed(reading: Reading, place: int, before: int) -> tuple[NounPhrase, ...]:
    """What is made up: the noun that the clause modifies, or its topic."""
    if reading.tokens[ending_of(reading, place)].tag != "ETM":
        return topics(reading, before)
    modified = modified_by(reading, place)
    return (modified,) if modified else ()


def _include(reading: Reading, place: int) -> Iterator[Statement]:
    start = place - 1 if reading.tokens[place].tag == "XSV" else place
    part = argument(reading, start, "JKO", "을", "를")
    if (
        part
        and reading.tokens[ending_of(reading, place)].tag != "ETM"
        and not reading.is_at(place + 1, "EC", *_AMONG_OTHERS)
    ):
        parts = [one for one in reading.listed(part) if not reading.is_called(one, QUALITIES)]
        if not parts:
            return
        start_of_clause = reading.clause_start(parts[0].first)
        wholes = [one for one in topics(reading, parts[0].first) if one.first >= start_of_clause]
        yield from paired(reading, catalogue.INCLUDE, parts, wholes, factuality_of(reading, place))
