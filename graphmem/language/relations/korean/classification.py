"""Kinds in Korean: 의 일종이다, C인 A, and the copula. Pure.

What has a name of its own is an instance of the kind rather than a kind below it; what is pointed at
(이 약, 우리 서버) is one thing at hand and says nothing about kinds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from graphmem.language.extraction import Factuality
from graphmem.language.relations.korean import catalogue
from graphmem.language.relations.korean.causation import owner_of
from graphmem.language.relations.korean.factuality import ending_of, factuality_of, stance_of_whole
from graphmem.language.relations.korean.nouns import KINDS, PARTS, ROLES, UNFIT_KINDS
from graphmem.language.relations.korean.phrases import NounPhrase
from graphmem.language.relations.korean.reading import Reading
from graphmem.language.relations.korean.statements import Statement, paired
from graphmem.language.relations.korean.subjects import topics
from graphmem.language.relations.rules import RelationRule
from graphmem.language.relations.surface_words import word_set
from graphmem.ports.text_analyzer import Token

_CLAUSE_ENDINGS = word_set(
    "고 며 으며 지만 면서 자 라 라서 므로 으므로 기에 ᆫ데 는데 라고 라며 라면 면 이면 다고 어서 아서 지 고서"
    " 거나 니 니까 으니 으나 어 여"
)
"""Endings of clauses that say what something is."""


_BEING = (catalogue.BEING, catalogue.BEING_OF_NAME)
_COPULA = (catalogue.COPULA, catalogue.COPULA_OF_NAME)
_AS_ONE = (catalogue.AS_ONE, catalogue.NAME_AS_ONE)
"""Rules for what has no name of its own, and for what has one."""


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
        yield from _kinds(reading, _BEING, [member], [kind], stance_of_whole(reading))


def _is_free(reading: Reading, kind: NounPhrase) -> bool:
    """Whether no subject of its own stands right before a complement: 아버지가 의사인 학생."""
    return not reading.is_at(kind.first - 1, "JKS JX JKC")


def _copula(reading: Reading, place: int) -> Iterator[Statement]:
    """A는 B의 일종이다, A는 B이다, and what denies them."""
    is_denial = reading.tokens[place].tag == "VCN"
    kind = reading.phrase_before(place - 1 if is_denial else place)
    if is_denial and not reading.is_at(place - 1, "JKC JKS"):
        return
    if not _states(reading, place):
        return
    factuality: Factuality = factuality_of(reading, place)
    if is_denial and factuality == "asserted":
        factuality = "denied"
    if kind is None:
        yield from _one_of(reading, place - 1 - is_denial, factuality)
    elif kind.noun in KINDS:
        yield from _kind_of(reading, kind, factuality)
    elif kind.noun not in PARTS and len(reading.listed(kind)) == 1:
        members = topics(reading, kind.first, is_quoted=factuality == "reported")
        if factuality in {"asserted", "denied"} and members and reading.is_at(members[-1].last + 1, "JKS"):
            return  # a subject without topic is picked out, not classified: 아버지가 의사이다
        if reading.is_at(place + 1, "EP", "었") or reading.is_at(place + 2, "EP", "었"):
            members = tuple(one for one in members if one.is_proper)  # of kinds one speaks in the present
        yield from _kinds(reading, _COPULA, members, [kind], factuality)


def _one_of(reading: Reading, place: int, factuality: Factuality) -> Iterator[Statement]:
    """B의 하나, B 중 하나."""
    if reading.is_at(place, "NR", "하나") and reading.is_at(place - 1, "JKG NNB NNG", "의", "중", "가운데"):
        owner = reading.phrase_before(place - 1)
        if owner:
            members = [one for one in topics(reading, owner.first) if not reading.is_pointed_at(one)]
            yield from paired(reading, catalogue.KIND_OF, members, [owner], factuality)


def _states(reading: Reading, place: int) -> bool:
    """Whether a copula ends a clause, rather than modifying a noun or standing for a particle: 한시라도."""
    after = place + 1
    while reading.is_at(after, "EP"):
        after += 1
    if reading.is_at(after, "ETN") or (reading.is_at(place, "VCP") and reading.is_at(after, "EC", "라")):
        return False
    if reading.is_at(after, "EC", "자") and _modifies_further_on(reading, after):
        return False
    last = reading.tokens[ending_of(reading, place)]
    return (
        last.tag in {"EF", "SF"}
        or last.text in _CLAUSE_ENDINGS
        or (last.tag == "ETM" and last.text.endswith("는"))
    )


def _modifies_further_on(reading: Reading, place: int) -> bool:
    """Whether the next copula modifies a noun: 동기이자 친구인 그."""
    copulas = (at for at in range(place, len(reading.tokens)) if reading.tokens[at].tag == "VCP")
    following = next(copulas, None)
    return following is not None and reading.is_at(following + 1, "ETM")


def _kind_of(reading: Reading, kind: NounPhrase, factuality: Factuality) -> Iterator[Statement]:
    owner = owner_of(reading, kind)
    if owner:
        members = [one for one in topics(reading, owner.first) if not reading.is_pointed_at(one)]
        yield from paired(reading, catalogue.KIND_OF, members, [owner], factuality)


def _as_one(reading: Reading, place: int) -> Iterator[Statement]:
    """A는 ... B로, as encyclopedias begin."""
    kind = reading.phrase_before(place)
    if kind and _is_told_apart(reading, kind):
        members = topics(reading, kind.first)
        between = reading.tokens[members[-1].last : kind.first] if members else ()
        if any(token.tag == "JX" for token in between) and not _has_object(between):
            yield from _kinds(reading, _AS_ONE, members, [kind], stance_of_whole(reading))


def _is_generic(reading: Reading, member: NounPhrase) -> bool:
    """Whether a phrase that is no name stands for a kind: it holds no name, and nothing narrows it down."""
    parts = reading.tokens[member.first : member.last + 1]
    is_narrowed = reading.is_at(member.first - 1, "JKG MM NNB SN") or reading.is_at(member.first - 1, "SP", "·")
    return not is_narrowed and not any(token.tag == "NNP" for token in parts)


def _is_fit(reading: Reading, kind: NounPhrase) -> bool:
    is_no_thing = len(kind.noun) > 2 and kind.noun.endswith(("적", "용"))
    is_amount = reading.is_at(kind.first, "SN")
    return not (kind.is_proper or is_no_thing or is_amount or reading.is_called(kind, UNFIT_KINDS))


def _is_told_apart(reading: Reading, kind: NounPhrase) -> bool:
    """Whether a genitive or the clause of a verb modifies a kind, as in definitions."""
    follows_verb = reading.is_at(kind.first - 1, "ETM") and not reading.is_at(kind.first - 2, "VA XSA")
    return follows_verb or reading.is_at(kind.first - 1, "JKG")


def _has_object(tokens: Sequence[Token]) -> bool:
    """Whether an object waits for a verb that comes later: 그를 대신으로 임명했다."""
    waiting = False
    for token in tokens:
        waiting = token.tag == "JKO" or (waiting and token.tag != "ETM")
    return waiting


def _kinds(
    reading: Reading,
    rules: tuple[RelationRule, RelationRule],
    members: Iterable[NounPhrase],
    kinds: Iterable[NounPhrase],
    factuality: Factuality,
) -> Iterator[Statement]:
    kinds = [kind for kind in kinds if _is_fit(reading, kind)]
    for member in members:
        if reading.is_called(member, ROLES) or reading.is_pointed_at(member):
            continue
        if not member.is_proper and not _is_generic(reading, member):
            continue
        yield from paired(reading, rules[member.is_proper], [member], kinds, factuality)
