"""How a Korean sentence stands to what one of its predicates says, by the endings behind it. Pure.

The endings of a predicate and the light words that go with it (수 있다, 것 같다, 고 한다) are written out as
`form/TAG` and matched. The first that fits holds, so that what is asked or supposed is not taken for denied.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from graphmem.language.extraction import Factuality
from graphmem.language.relations.korean.phrases import NounPhrase
from graphmem.language.relations.korean.reading import Reading

_ASKING = re.compile(r"(?:까|까요|니|나요|냐|는가|ᆫ가|은가|가요|는지|나)$")
_SUPPOSING_ADVERBS = frozenset({"만약", "만일", "혹시", "가령"})
_GUESSING_ADVERBS = frozenset({"아마", "아마도", "어쩌면"})

_LEADING_ON = frozenset({"지", "ᆯ지", "을지", "ᆫ지", "는지", "ᆯ까", "을까"})

_MARKS: tuple[tuple[Factuality, re.Pattern[str]], ...] = (
    (
        "reported",
        re.compile(
            r"(?:다고|라고|냐고|다는|라는|다며|라며|다면서|라면서)/(?:EC|ETM|JKQ|EF)|고/JKQ"
            r"|(?:대|대요|래|래요|답니다|랍니다|다네|다네요)/EF"
            r"|것/NNB 으로/JKB (?:는/JX )?(?:알려지|전하|전해지)|것/NNB 으로/JKB \S+ 알려지"
        ),
    ),
    ("supposed", re.compile(r"(?:면|으면|다면|라면|거든|더라도|더라면)/EC|(?:을|ᆯ)/ETM 경우/NNG")),
    (
        "denied",
        re.compile(
            r"^(?:\S+/XS[VA] )?지/EC (?:\S+/J[XK]\S* )?(?:(?:않|못하|말|아니하)/V|못/MAG)"
            r"|^\S+ (?:\S+ )?것/NNB \S+/J\S+ 아니/VCN"
            r"|(?:ᆯ|을)/ETM 수/NNB (?:\S+/J\S+ )?없/V|^\S+ (?:일|적)/NN\S (?:\S+/J\S+ )?없/V"
        ),
    ),
    (
        "possible",
        re.compile(
            r"(?:ᆯ|을)/ETM 수/NNB|(?:ᆯ|을)/ETM (?:만/NNB|만하/)|(?:ᆯ|을)/ETM (?:것|거|터|듯)/NNB"
            r"|/ETM (?:것|거|듯|듯하|듯싶|모양)/\S+ (?:\S+/J\S+ )?같/VA"
            r"|(?:듯|모양)/NN\S|(?:듯하|듯싶|성싶|법하)/V|겠/EP|(?:어야|여야|아야)/EC (?:하|되)/V"
            r"|/ETM (?:가능|우려|위험|위험성|확률|여지)/NNG|/ETM 지/NNB"
            r"|(?:ᆯ지|을지|ᆫ지|는지)/E|것/NNB 으로/JKB (?:\S+/J\S+ )?(?:보이|추정|여기|예상|전망|추측|기대|판단)"
            r"|(?:ᆯ까|을까)/E\S \S+ (?:싶|하)/"
        ),
    ),
)


def factuality_of(reading: Reading, place: int, *, names_denial: bool = False) -> Factuality:
    """How the sentence stands to what a predicate says.

    Args:
        reading: The sentence.
        place: Place of the last token of the predicate's stem.
        names_denial: Whether 안 and 못 belong to what is named, as in the event 시동이 안 걸리다.
    """
    if _asks(reading):
        return "asked"
    before = {token.text for token in reading.tokens[:place]}
    if before & _SUPPOSING_ADVERBS:
        return "supposed"
    chain = reading.tokens[place + 1 : ending_of(reading, place) + 1]
    endings = " ".join(f"{token.text}/{token.tag}" for token in chain)
    if endings.endswith(("ᆯ/ETM", "을/ETM")) and not reading.is_at(ending_of(reading, place) + 1, "NNG", "때"):
        return "possible"
    marked = (factuality for factuality, pattern in _MARKS if pattern.search(endings))
    return next(marked, None) or _told_before(reading, place, before, names_denial)


def _told_before(reading: Reading, place: int, before: AbstractSet[str], names_denial: bool) -> Factuality:
    """How it stands by what comes before the predicate, where its endings say nothing."""
    if not names_denial and _is_denied_before(reading, place):
        return "denied"
    if _cites_a_source(reading, place):
        return "reported"
    return "possible" if before & _GUESSING_ADVERBS else "asserted"


def _asks(reading: Reading) -> bool:
    for token in reversed(reading.tokens):
        if token.tag == "SF" and token.text[0] in "?？":
            return True
        if token.tag == "EF":
            return _ASKING.search(token.text) is not None
    return False


def ending_of(reading: Reading, place: int) -> int:
    """Place of the last ending behind a stem, light words passed: where the clause ends or modifies a noun.

    Args:
        reading: The sentence.
        place: Place of the last token of the stem.
    """
    for after in range(place + 1, len(reading.tokens)):
        tag = reading.tokens[after].tag
        if tag in {"EF", "SF"} or (tag == "EC" and not _leads_on(reading, after)):
            return after
        if tag == "ETM" and not _is_light(reading, after + 1):
            return after
    return len(reading.tokens) - 1


def modified_by(reading: Reading, place: int) -> NounPhrase | None:
    """The phrase that the clause of a stem modifies: 물질 in 암을 유발하는 물질; None where it modifies none."""
    last = ending_of(reading, place)
    return reading.phrase_after(last) if last > place and reading.tokens[last].tag == "ETM" else None


def is_nominal(reading: Reading, place: int) -> bool:
    """Whether the clause of a stem is an argument of the next verb: 쓰는 것이 어렵다, not 쓰는 것은 아니다."""
    ending = place + 1
    while reading.is_at(ending, "EP"):
        ending += 1
    if not (reading.is_at(ending, "ETM") and reading.is_at(ending + 1, "NNB", "것", "거", "점")):
        return False
    if reading.is_at(ending + 2, "JKB", "으로"):
        return False
    return reading.is_at(ending + 2, "JKS JKO JX JKB JC JKG") and not reading.is_at(ending + 3, "VCN")


def stance_of_whole(reading: Reading) -> Factuality:
    """How the sentence stands to what it takes for granted, such as 폭설로 인한 정체."""
    if _asks(reading):
        return "asked"
    is_supposed = any(token.text in _SUPPOSING_ADVERBS for token in reading.tokens)
    return "supposed" if is_supposed else "asserted"


def _leads_on(reading: Reading, place: int) -> bool:
    """Whether an ending leads to words that serve the same verb: 하지 않다, 할지 모르다."""
    return reading.goes_on(place) or reading.tokens[place].text in _LEADING_ON


def _is_light(reading: Reading, place: int) -> bool:
    """Whether the word behind an adnominal ending serves the verb, as 수 in 할 수 있다 does."""
    if reading.is_at(place, "NNB") or reading.is_at(place, "VX"):
        return True
    return reading.is_at(
        place, "NNG", "가능", "우려", "위험", "위험성", "확률", "여지", "경우", "모양", "것", "적", "일"
    )


def _is_denied_before(reading: Reading, place: int) -> bool:
    """안 or 못 before a verb; one of noun and 하다 has it before the noun or within."""
    first = place
    while first > 0 and reading.tokens[first].tag in {"XSV", "XSA"}:
        first -= 1
    return reading.is_at(first - 1, "MAG", "안", "못") or reading.is_at(place - 1, "MAG", "안", "못")


def _cites_a_source(reading: Reading, place: int) -> bool:
    """Whether the sentence opens with 에 따르면 or 에 의하면."""
    return any(
        reading.is_at(at, "VV", "따르", "의하") and reading.is_at(at + 1, "EC", "면", "으면")
        for at in range(place)
    )
