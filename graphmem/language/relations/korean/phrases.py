"""Noun phrases of a Korean sentence: runs of nouns, within a word and across blanks. Pure.

A phrase is the noun with the nouns in front of it; what modifies it otherwise (a genitive, a clause, a
determiner) is no part of its name. The noun of a verb such as 취소하다 belongs to the verb.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphmem.language.relations.korean.nouns import LEADING, TITLES, TRAILING
from graphmem.ports.text_analyzer import Token

NOUNS = frozenset({"NNG", "NNP", "SL", "SH", "XR"})
"""Tags of what a phrase may end with, a suffix aside."""

_INSIDE = NOUNS | {"XPN", "XSN", "SN", "NR"}
_JOINTS = frozenset("-/+#&_.'’")
"""Marks that hold parts of one name together where no blank stands beside them."""

_TO_VERB = frozenset({"XSV", "XSA"})
_NOT_OF_NAMES = frozenset({"인", "어", "식", "계", "산", "제", "족", "인들", "풍"})
"""What makes a kind of a name: 한국인, 독일어."""


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A run of nouns."""

    first: int
    """Place of its first token."""
    last: int
    """Place of the last token of the run, which its particle follows."""
    start: int
    """Offset of its first character in the sentence."""
    end: int
    """Offset behind the last character of its name."""
    noun: str
    """Its last noun, with a suffix: what it is called after."""
    is_proper: bool
    """Whether it names one thing rather than a kind."""


def noun_phrases(tokens: Sequence[Token]) -> tuple[NounPhrase, ...]:
    """The noun phrases of a sentence, in order; none overlaps another."""
    return tuple(_phrases(tokens))


def words_of(phrase: NounPhrase, tokens: Sequence[Token]) -> Iterator[NounPhrase]:
    """The parts of a phrase between its blanks; the phrase itself where there are none."""
    first = phrase.first
    for place in range(phrase.first, phrase.last + 1):
        if place == phrase.last or tokens[place].end < tokens[place + 1].start:
            yield phrase_of(tokens, first, place)
            first = place + 1


def phrase_of(tokens: Sequence[Token], first: int, last: int) -> NounPhrase:
    """The phrase from one token to another one; its name ends before 내부, 들 and 님."""
    named = last
    while named > first and tokens[named].text in TRAILING and not _touches(tokens, named - 1):
        named -= 1
    if named > first and tokens[named].tag == "XSN" and tokens[named].text == "들":
        named -= 1
    if named > first and tokens[named].text in TITLES and tokens[named - 1].tag == "NNP":
        named -= 1
    noun = tokens[named].text
    if tokens[named].tag in {"XSN", "ETN"} and named > first:
        noun = tokens[named - 1].text + noun
    return NounPhrase(first, last, tokens[first].start, tokens[named].end, noun, _is_proper(tokens, first, named))


def _phrases(tokens: Sequence[Token]) -> Iterator[NounPhrase]:
    place = 0
    while place < len(tokens):
        last = _last_noun(tokens, place) if _begins(tokens, place) else None
        if last is not None:
            first = _name_start(tokens, place, last)
            if first <= last:
                yield phrase_of(tokens, first, last)
        place = (place if last is None else last) + 1


def _name_start(tokens: Sequence[Token], first: int, last: int) -> int:
    """Where a name begins in a run: behind what only says when or which, and behind 적 of an adjective."""
    while first < last and tokens[first].text in LEADING and not _touches(tokens, first):
        first += 1
    for place in range(first, last + 1):
        if tokens[place].tag == "XSN" and tokens[place].text == "적":
            first = place + 1
    return first


def _begins(tokens: Sequence[Token], place: int) -> bool:
    return tokens[place].tag in NOUNS | {"XPN", "SN"} and not _is_verbal(tokens, place)


def _last_noun(tokens: Sequence[Token], first: int) -> int | None:
    """Where the run that begins at a place ends; None where it holds no noun."""
    last = None
    place = first
    while place < len(tokens):
        tag = tokens[place].tag
        if tag in _INSIDE and not _is_verbal(tokens, place):
            if tag == "SN" and place > first and not _is_part_of_name(tokens, place):
                break
            if tag in NOUNS or (last is not None and tag in {"XSN", "SN"}):
                last = place
        elif last == place - 1 and _is_nominalised(tokens, place):
            last = place + 1
            place += 1
        elif not _joins(tokens, first, place):
            if last == place - 1 and _ends_a_name(tokens, place):
                last = place
            break
        place += 1
    return last


def _is_part_of_name(tokens: Sequence[Token], place: int) -> bool:
    """Whether a number goes with what stands before it: 4 in GPT-4, not 50 in 사원 50명."""
    return _touches(tokens, place - 1) and not (place + 1 < len(tokens) and tokens[place + 1].tag in {"NNB", "NR"})


def _is_nominalised(tokens: Sequence[Token], place: int) -> bool:
    """Whether a verb stands as a noun behind a noun: 쓰기 in 동시 쓰기."""
    if place + 2 >= len(tokens) or tokens[place].tag != "VV" or tokens[place + 1].tag != "ETN":
        return False
    return tokens[place + 2].tag[0] in "JN" and tokens[place + 2].tag != "NNB"


def _ends_a_name(tokens: Sequence[Token], place: int) -> bool:
    """Whether a mark is the end of a Latin name: C++, F#."""
    return tokens[place].text[0] in "+#" and tokens[place - 1].tag == "SL" and _touches(tokens, place - 1)


def _is_verbal(tokens: Sequence[Token], place: int) -> bool:
    """Whether a noun is the stem of a verb: 취소 in 취소되다."""
    if place + 1 >= len(tokens) or tokens[place].tag not in NOUNS:
        return False
    return tokens[place + 1].tag in _TO_VERB and _touches(tokens, place)


def _joins(tokens: Sequence[Token], first: int, place: int) -> bool:
    """Whether a mark holds the tokens before and behind it together: GPT-4, TCP/IP."""
    if not first < place < len(tokens) - 1 or tokens[place].text not in _JOINTS:
        return False
    sides = (tokens[place - 1].tag, tokens[place + 1].tag)
    return set(sides) <= {"SL", "SN"} and _touches(tokens, place - 1) and _touches(tokens, place)


def _touches(tokens: Sequence[Token], place: int) -> bool:
    """Whether no blank stands behind a token."""
    return tokens[place].end >= tokens[place + 1].start


def _is_proper(tokens: Sequence[Token], first: int, last: int) -> bool:
    """A name of its own: a dictionary's proper noun at the start of the last word, or Latin with a capital."""
    if tokens[last].tag in {"SL", "SN"}:
        latin = "".join(token.text for token in tokens[first : last + 1] if token.tag == "SL")
        return latin != latin.lower()
    start = last
    while start > first and _touches(tokens, start - 1):
        start -= 1
    return tokens[last].tag == "NNP" or (tokens[start].tag == "NNP" and tokens[last].text not in _NOT_OF_NAMES)
