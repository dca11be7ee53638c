"""How a sentence stands to an effect that it names with its cause, as in 폭설로 인한 정체. Pure."""

from __future__ import annotations

from unicodedata import normalize

from graphmem.language.extraction import Factuality
from graphmem.language.relations.korean.factuality import factuality_of, stance_of_whole
from graphmem.language.relations.korean.nouns import DOUBTS
from graphmem.language.relations.korean.phrases import NounPhrase
from graphmem.language.relations.korean.reading import Reading
from graphmem.language.relations.surface_words import word_set

_ARISING = word_set("발생 발생하 생기 나타나 일어나 있 보고 확인 발견 벌어지")
"""Verbs, and nouns of verbs, that say no more of an effect than whether it is there: denied, it is not."""
_CONDITIONS = word_set("면 으면 다면 ᆫ다면 는다면 이라면 라면")
_CITING = word_set("따르 의하 보 그러 이러")
"""Verbs whose 면 states no condition: 에 따르면."""
_NEAR = 4
"""Tokens between a subject and a predicate that is its own."""


def stance_of_effect(reading: Reading, effect: NounPhrase) -> Factuality:
    """How the sentence stands to an effect, by its name and its predicate: 로 인한 피해는 없었다."""
    whole = stance_of_whole(reading)
    if whole != "asserted":
        return whole
    written = reading.sentence.text[effect.start : reading.tokens[effect.last].end]
    behind = effect.last + 1
    if DOUBTS & set(normalize("NFC", written).split()):
        return "possible"
    if reading.is_at(behind, "JKG") and (owned := reading.phrase_after(behind)) and owned.noun in DOUBTS:
        return "possible"
    if reading.is_at(behind, "VCP"):
        return factuality_of(reading, behind)
    return _stance_of_subject(reading, behind) if reading.is_at(behind, "JKS JKC JX") else "asserted"


def _stance_of_subject(reading: Reading, particle: int) -> Factuality:
    """How it stands to a subject by the predicate right behind it; denied is only what is said not to be there."""
    for place in range(particle + 1, min(particle + _NEAR, len(reading.tokens))):
        if reading.is_at(place, "VCN") or reading.is_at(place, "VA", "없"):
            return "denied"
        if reading.is_at(place, "VV XSV VA XSA"):
            factuality = factuality_of(reading, place)
            noun = reading.tokens[place - 1].text if reading.is_at(place, "XSV") else ""
            says_no_more = reading.tokens[place].text in _ARISING or noun in _ARISING
            return factuality if says_no_more or factuality != "denied" else "asserted"
    return "asserted"


def is_place_of(reading: Reading, phrase: NounPhrase) -> bool:
    """Whether a phrase says where the effect behind it is: 목 in 과로로 인한 목에 통증."""
    behind = phrase.last + 1
    return reading.is_at(behind, "JKB", "에", "에서", "에게", "한테") and behind + 1 in reading.by_first


def follows_condition(reading: Reading, place: int) -> bool:
    """Whether a condition stands before a token, in its clause or as the one before: 설정을 바꾸면, 비었을 때."""
    start = reading.clause_start(place)
    if any(
        reading.is_at(at, "NNG NNB", "때", "경우") and reading.is_at(at - 1, "ETM") for at in range(start, place)
    ):
        return True
    ending = start - 1
    if not reading.is_at(ending, "EC", *_CONDITIONS):
        return False
    return not reading.is_at(ending - 1, "VV VA", *_CITING)
