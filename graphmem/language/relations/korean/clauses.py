"""Clauses of a Korean sentence: where one begins, which predicate ends it, and whether it has a subject. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.language.relations.korean.factuality import ending_of, is_nominal
from graphmem.language.relations.korean.reading import Reading
from graphmem.language.relations.korean.subjects import is_subject_particle
from graphmem.language.relations.surface_words import word_set

SO = word_set("어서 아서 여서")
LINKING = word_set("어 아 여")
"""The same endings without 서, which join more loosely."""

_STEMS = word_set("VV VA XSV XSA VCP VCN VX")
_CLAUSE_STEMS = _STEMS - {"VX"}
_OPENERS = word_set("또한 다만 특히 게다가 즉 결국 그래서 그러나")
"""Adverbs that join a sentence to the one before."""

_NEGATING = word_set("않 못하")
_PREPOSITIONAL = word_set("위하 대하 관하 따르 통하 의하 인하 비하 향하 걸치 말미암 있 포함 비롯 계속 더하")
"""Verbs whose 어서 stands for a particle: 위해서, 대해서."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause from its first token to the last one of its predicate's stem."""

    first: int
    stem: int


def clause_before(reading: Reading, place: int) -> Clause | None:
    """The clause whose predicate ends at a place, tense and honorific endings passed."""
    while reading.is_at(place, "EP"):
        place -= 1
    if place < 0 or reading.tokens[place].tag not in _STEMS:
        return None
    return Clause(_inside_quote(reading, _content_start(reading, reading.clause_start(place)), place), place)


def clause_from(reading: Reading, place: int) -> Clause | None:
    """The clause that begins at a place, up to its first predicate that ends it."""
    first = _content_start(reading, place)
    for at in range(first, len(reading.tokens)):
        if reading.tokens[at].tag in _CLAUSE_STEMS and _ends_clause(reading, at):
            return Clause(first, _whole_stem(reading, at))
    return None


def _ends_clause(reading: Reading, stem: int) -> bool:
    """Whether a predicate ends its clause, rather than modifying a noun or standing for a particle."""
    after = stem + 1
    while reading.is_at(after, "EP"):
        after += 1
    if stands_for_particle(reading, stem, after):
        return False
    if is_nominal(reading, stem) or (reading.is_at(after, "EC", *LINKING) and reading.is_at(after + 1, "VV")):
        return False
    last = ending_of(reading, stem)
    if reading.tokens[last].tag == "ETM":
        return reading.tokens[last].text.endswith("다는") or reading.is_at(last + 1, "NNG", "때", "경우")
    return last > stem and reading.tokens[last].tag in {"EC", "EF", "SF"}


def stands_for_particle(reading: Reading, stem: int, ending: int) -> bool:
    """Whether an ending makes an adverb or a particle of a predicate: 크게, 전달에 비해, 그를 포함해."""
    if reading.is_at(ending, "EC", "게", "도록"):
        return not reading.is_at(ending + 1, "VV VX", "되")
    before = reading.tokens[stem - 1].text if stem and reading.tokens[stem].tag == "XSV" else ""
    return reading.is_at(ending, "EC", *SO, *LINKING) and (
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
    return after if reading.is_at(ending, "EC", *LINKING) and reading.is_at(after, "VX", "지") else stem


def _content_start(reading: Reading, place: int) -> int:
    """The first token from a place on that is no conjunction, mark or particle."""
    while reading.is_at(place, "MAJ SP JX SF IC") or reading.is_at(place, "MAG", *_OPENERS):
        place += 1
    return place


def _inside_quote(reading: Reading, first: int, last: int) -> int:
    """The first token, or the one behind a quote's opening that nothing closes: who speaks stands before it."""
    opening = first
    for place in range(first, last):
        if reading.is_at(place, "SSO SS") and reading.tokens[place].text in "“‘\"'「『":
            closed = range(place + 1, last)
            if not any(reading.is_at(at, "SSC SS") for at in closed):
                opening = place + 1
    return opening


def has_subject(reading: Reading, clause: Clause) -> bool:
    """Whether a clause names what it is about."""
    return any(
        is_subject_particle(reading, place) and reading.phrase_before(place) is not None
        for place in range(clause.first + 1, clause.stem)
    )


def has_argument(reading: Reading, clause: Clause) -> bool:
    """Whether a clause names what it is about, or what is acted on."""
    return any(
        (is_subject_particle(reading, place) or reading.is_at(place, "JKO")) and reading.phrase_before(place)
        for place in range(clause.first + 1, clause.stem)
    )
