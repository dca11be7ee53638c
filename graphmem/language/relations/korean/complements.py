"""What a noun must take along to name a cause or an effect: the increase of what, the difference in what. Pure."""

from __future__ import annotations

from graphmem.language.relations.korean.nouns import BARE
from graphmem.language.relations.korean.phrases import NounPhrase, words_of
from graphmem.language.relations.korean.reading import Reading
from graphmem.language.relations.surface_words import word_set

_ABOUT = word_set("대하 관하")
_MANNERS = word_set("패턴 방식 방법 행위 상황 과정 절차 구조 형태")
"""Nouns for what the clause in front of them tells: 반복해서 부르는 패턴."""

_MARKS = frozenset("↔→←⇄⇔=+~×")

_CHANGING = word_set(
    "늘 늘어나 줄 줄어들 변하 바뀌 커지 작아지 많아지 적어지 높아지 낮아지 길어지 짧아지 넓어지 좁아지 빨라지"
    " 느려지 떨어지 오르 치솟 급증 급감 급등 급락 증가 감소 확대 축소 상승 하락 강화 약화 악화 변화 변경 누적"
    " 중복 누락"
)
"""Verbs of change: of what has changed the change is the cause."""


def with_complement(reading: Reading, phrase: NounPhrase) -> NounPhrase | None:
    """A phrase with its complement where it means nothing alone: 구원투수의 증가, 사건에 대한 폭로.

    Returns:
        The phrase itself where it needs none; None where what it needs is a clause, or not told by a noun.
    """
    if phrase.noun not in BARE or len(tuple(words_of(phrase, reading.tokens))) > 1:
        return phrase
    owner = _owner(reading, phrase.first - 1)
    if owner is not None:
        return NounPhrase(owner.first, phrase.last, owner.start, phrase.end, phrase.noun, is_proper=False)
    return None if reading.is_at(phrase.first - 1, "ETM JKG XSN") else phrase


def is_changed(reading: Reading, phrase: NounPhrase) -> bool:
    """Whether a verb says that a thing has changed and so is no cause by itself: 늘어난 수요, not 상한 우유."""
    place = phrase.first - 1
    if phrase.is_proper or not reading.is_at(place, "ETM"):
        return False
    stem = place - 1
    while reading.is_at(stem, "EP"):
        stem -= 1
    noun = reading.tokens[stem - 1].text if reading.is_at(stem, "XSV") else ""
    return (reading.is_at(stem, "VV") and reading.tokens[stem].text in _CHANGING) or noun in _CHANGING


def is_cut(reading: Reading, phrase: NounPhrase) -> bool:
    """Whether what stands before a phrase belongs to its name: 객체 ↔ 표 변환, 이와 같은 문법, 사건이 발생으로."""
    if reading.is_at(phrase.first - 1, "JKS") and phrase.noun in BARE:
        return True
    if reading.is_at(phrase.first - 1, "SSC", ")") or (
        reading.is_at(phrase.first - 1, "ETM") and phrase.noun in _MANNERS
    ):
        return True
    if reading.is_at(phrase.first - 1, "ETM") and reading.is_at(phrase.first - 2, "VA", "같"):
        return True
    return phrase.first > 0 and reading.tokens[phrase.first - 1].text in _MARKS


def _owner(reading: Reading, place: int) -> NounPhrase | None:
    """The noun before 의, 에 대한 or 에 관한, given the place of its last token."""
    if reading.is_at(place, "JKG", "의"):
        return reading.by_last.get(place - 1)
    if reading.is_at(place, "ETM") and reading.is_at(place - 1, "VV", *_ABOUT):
        return reading.by_last.get(place - 3) if reading.is_at(place - 2, "JKB", "에") else None
    return None
