"""Kinds in Korean: 의 일종이다, C인 A, and the copula. Pure.

What has a name of its own is an instance of the kind rather than a kind below it; what is pointed at
(이 약, 우리 서버) is one thing at hand and says nothing about kinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from graphmem.language.extraction import Factuality
from graphmem.language.relations.korean import catalogue
from graphmem.language.relations.korean.causation import owner_of
from graphmem.language.relations.korean.factuality import factuality_of, stance_of_whole
from graphmem.language.relations.korean.nouns import KINDS, PARTS, ROLES, UNFIT_KINDS
from graphmem.language.relations.korean.phrases import NounPhrase
from graphmem.language.relations.korean.reading import Reading
from graphmem.language.relations.korean.statements import Statement, paired
from graphmem.language.relations.rules import RelationRule
from graphmem.models.concept import RelationType


def classification(reading: Reading) -> Iterator[Statement]:
    """What the sentence says of kinds and their instances."""
    for place, token in enumerate(reading.tokens):
        if token.tag == "VCP" and reading.is_at(place + 1, "ETM", "ᆫ", "은", "던"):
            yield from _being(reading, place)
        elif token.tag in {"VCP", "VCN"}:
            yield from _copula(reading, place)
        elif token.tag == "JKB" and token.text in {"로", "으로"} and reading.is_at(place + 1, "SP", ","):
            yield from _as_one(reading, place)


def _being(reading: Reading, place: int) -> Iterator[Statement]:
    """C인 A."""
    kind, member = reading.phrase_before(place), reading.phrase_after(place + 1)
    if kind is None or member is None or not _is_free(reading, kind):
        return
    if kind.noun in KINDS:
        owner = owner_of(reading, kind)
        if owner:
            yield from paired(reading, catalogue.KIND_OF, [member], [owner], stance_of_whole(reading))
    else:
        yield from _kinds(reading, catalogue.BEING, [member], [kind], stance_of_whole(reading))


def _is_free(reading: Reading, kind: NounPhrase) -> bool:
    """Whether no subject of its own stands right before a complement: 아버지가 의사인 학생."""
    return not reading.is_at(kind.first - 1, "JKS JX JKC")


def _copula(reading: Reading, place: int) -> Iterator[Statement]:
    """A는 B의 일종이다, A는 B이다, and what denies them."""
    is_denial = reading.tokens[place].tag == "VCN"
    kind = reading.phrase_before(place - 1 if is_denial else place)
    if is_denial and not reading.is_at(place - 1, "JKC JKS"):
        return
    factuality: Factuality = factuality_of(reading, place)
    if is_denial and factuality == "asserted":
        factuality = "denied"
    if kind is None:
        return
    if kind.noun in KINDS:
        yield from _kind_of(reading, kind, factuality)
    elif kind.noun not in PARTS:
        members = reading.topics(kind.first, is_quoted=factuality == "reported")
        yield from _kinds(reading, catalogue.COPULA, members, [kind], factuality)


def _kind_of(reading: Reading, kind: NounPhrase, factuality: Factuality) -> Iterator[Statement]:
    owner = owner_of(reading, kind)
    if owner:
        members = [one for one in reading.topics(owner.first) if not reading.is_pointed_at(one)]
        yield from paired(reading, catalogue.KIND_OF, members, [owner], factuality)


def _as_one(reading: Reading, place: int) -> Iterator[Statement]:
    """A는 ... B로, as encyclopedias begin."""
    kind = reading.phrase_before(place)
    if kind and not kind.is_proper:
        topics = reading.topics(kind.first)
        if topics and reading.is_at(topics[-1].last + 1, "JX"):
            yield from _kinds(reading, catalogue.AS_ONE, topics, [kind], stance_of_whole(reading))


def _kinds(
    reading: Reading,
    rule: RelationRule,
    members: Iterable[NounPhrase],
    kinds: Iterable[NounPhrase],
    factuality: Factuality,
) -> Iterator[Statement]:
    kinds = [kind for kind in kinds if kind.noun not in UNFIT_KINDS and not kind.is_proper]
    for member in members:
        if member.noun in ROLES or reading.is_pointed_at(member):
            continue
        for statement in paired(reading, rule, [member], kinds, factuality):
            yield replace(statement, relation=RelationType.INSTANCE_OF) if member.is_proper else statement
