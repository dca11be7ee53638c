"""Clauses as causes in Korean: 로 인해, 때문에, 기 때문에, and 아서 with care. Pure.

An event is named by its clause in dictionary form: 비가 왔기 때문에, 비가 와서 and 비가 오기 때문에 name the
same 비가 오다. Its span is that of the clause as written.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from graphmem.graph.keys import canonical_key
from graphmem.language.extraction import EVENT, ConceptMention, Factuality
from graphmem.language.relations.korean import catalogue
from graphmem.language.relations.korean.causation import due_to_particle
from graphmem.language.relations.korean.factuality import ending_of, factuality_of
from graphmem.language.relations.korean.reading import Reading
from graphmem.language.relations.korean.statements import Statement, mention, names_a_concept
from graphmem.language.relations.rules import RelationRule

LONGEST_EVENT = 60
"""Characters of a clause that names an event: what is longer tells a story."""

_STEMS = frozenset({"VV", "VA", "XSV", "XSA", "VCP", "VCN", "VX"})
_CLAUSE_STEMS = _STEMS - {"VX"}
_OPENERS = frozenset({"또한", "다만", "특히", "게다가", "즉", "결국", "그래서", "그러나"})
_NEGATING = frozenset({"않", "못하"})
_SO = frozenset({"어서", "아서", "여서"})
_LINKING = frozenset({"어", "아", "여"})
_PREPOSITIONAL = frozenset(
    {
        "위하",
        "대하",
        "관하",
        "따르",
        "통하",
        "의하",
        "인하",
        "비하",
        "향하",
        "걸치",
        "말미암",
        "있",
        "포함",
        "비롯",
        "계속",
        "더하",
    }
)
"""Verbs whose 어서 stands for a particle: 위해서, 대해서."""

_SEQUENTIAL = frozenset({"가", "앉", "서", "만나", "일어나", "들어가", "나가", "돌아오", "모이", "눕", "찾아가"})
"""Verbs whose 어서 says what came next."""


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause from its first token to the last one of its predicate's stem."""

    first: int
    stem: int


def clause_causes(reading: Reading) -> Iterator[Statement]:
    """What the sentence says of something that happened because of another thing."""
    for place, token in enumerate(reading.tokens):
        if token.tag == "EC" and token.text in _SO | _LINKING:
            yield from _because_of(reading, place)
            if token.text in _SO:
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
        if reading.is_subject_particle(at) or reading.is_at(at, "JKO"):
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
    stem = _stem_before(reading, place - 1)
    if stem is None or reading.is_at(after, "JX") or _is_passed(reading, stem, place):
        return
    if reading.tokens[stem].text in _SEQUENTIAL or not _has_own_subject(reading, stem):
        return
    if _modifies_first(reading, after):
        return
    yield from _from_clause(reading, catalogue.AND_SO, place - 1, after)


def _from_noun(reading: Reading, rule: RelationRule, before: int, after: int) -> Iterator[Statement]:
    cause = reading.phrase_before(before)
    effect = _clause_from(reading, after)
    if cause is None or effect is None or reading.is_pointed_at(cause):
        return
    if _modifies_first(reading, after) or not _has_argument(reading, effect):
        return
    event = _event(reading, effect)
    if event:
        for one in reading.listed(cause):
            if names_a_concept(reading, one):
                yield Statement(rule, mention(reading, one), event, _stance(reading, effect))


def _from_clause(reading: Reading, rule: RelationRule, last: int, after: int) -> Iterator[Statement]:
    stem = _stem_before(reading, last)
    effect = _clause_from(reading, after)
    if stem is None or effect is None:
        return
    cause = _Clause(_content_start(reading, reading.clause_start(stem)), stem)
    if not (_has_subject(reading, cause) and _has_subject(reading, effect)):
        return
    ends = _event(reading, cause), _event(reading, effect)
    if ends[0] and ends[1]:
        yield Statement(rule, ends[0], ends[1], _stance(reading, effect))


def _stance(reading: Reading, effect: _Clause) -> Factuality:
    return factuality_of(reading, effect.stem, names_denial=True)


def _stem_before(reading: Reading, place: int) -> int | None:
    """The last token of the stem that ends at a place, tense and honorific endings passed."""
    while reading.is_at(place, "EP"):
        place -= 1
    return place if place >= 0 and reading.tokens[place].tag in _STEMS else None


def _clause_from(reading: Reading, place: int) -> _Clause | None:
    """The clause that begins at a place, up to its first predicate that ends it."""
    first = _content_start(reading, place)
    for at in range(first, len(reading.tokens)):
        if reading.tokens[at].tag in _CLAUSE_STEMS and _ends_clause(reading, at):
            return _Clause(first, _whole_stem(reading, at))
    return None


def _ends_clause(reading: Reading, stem: int) -> bool:
    """Whether a predicate ends its clause, rather than modifying a noun or standing for a particle."""
    after = stem + 1
    while reading.is_at(after, "EP"):
        after += 1
    if _is_passed(reading, stem, after):
        return False
    last = ending_of(reading, stem)
    if reading.tokens[last].tag == "ETM":
        return reading.tokens[last].text.endswith("다는") or reading.is_at(last + 1, "NNG", "때", "경우")
    return last > stem and reading.tokens[last].tag in {"EC", "EF", "SF"}


def _is_passed(reading: Reading, stem: int, ending: int) -> bool:
    """Whether an ending makes an adverb or a particle of a predicate: 크게, 전달에 비해, 그를 포함해."""
    if reading.is_at(ending, "EC", "게", "도록"):
        return not reading.is_at(ending + 1, "VV VX", "되")
    before = reading.tokens[stem - 1].text if stem and reading.tokens[stem].tag == "XSV" else ""
    return reading.is_at(ending, "EC", *_SO, *_LINKING) and (
        reading.tokens[stem].text in _PREPOSITIONAL or before in _PREPOSITIONAL
    )


def _whole_stem(reading: Reading, stem: int) -> int:
    """The last token of a stem with what denies it or makes it passive: 응답하지 않, 행해지."""
    ending = stem + 1
    after = ending + 1
    if reading.is_at(after, "JX JKO JKS"):
        after += 1
    if reading.is_at(ending, "EC", "지") and reading.is_at(after, "VX", *_NEGATING):
        return after
    return after if reading.is_at(ending, "EC", *_LINKING) and reading.is_at(after, "VX", "지") else stem


def _content_start(reading: Reading, place: int) -> int:
    """The first token from a place on that is no conjunction, mark or particle."""
    while reading.is_at(place, "MAJ SP JX SF IC") or reading.is_at(place, "MAG", *_OPENERS):
        place += 1
    return place


def _has_subject(reading: Reading, clause: _Clause) -> bool:
    return any(
        reading.is_subject_particle(place) and reading.phrase_before(place) is not None
        for place in range(clause.first + 1, clause.stem)
    )


def _has_argument(reading: Reading, clause: _Clause) -> bool:
    return any(
        (reading.is_subject_particle(place) or reading.is_at(place, "JKO")) and reading.phrase_before(place)
        for place in range(clause.first + 1, clause.stem)
    )


def _event(reading: Reading, clause: _Clause) -> ConceptMention | None:
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
