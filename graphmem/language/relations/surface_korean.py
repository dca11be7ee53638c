"""Relations of Korean sentences without morphemes: the few endings and phrases that say a relation by themselves.

Nouns are known by the particle behind them. Left out: the bare copula, and clauses as causes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphmem.language.extraction import ExtractedRelation, Factuality, Genre
from graphmem.language.relations.korean_words import MAX_RUN, KoreanWord, korean_words, phrase_start
from graphmem.language.relations.naming import named
from graphmem.language.relations.rules import RelationRule
from graphmem.models.concept import RelationType
from graphmem.ports.text_analyzer import Sentence

Span = tuple[int, int]


def _rule(name: str, relation: RelationType, prior: float, measured: str, example: str) -> RelationRule:
    return RelationRule(f"{relation.value}.surface_{name}", relation, "ko", "surface", prior, example, measured)


_BRINGS = _rule(
    "유발하다",
    RelationType.CAUSES,
    0.8,
    "6 of 8 read in KorQuAD; 16 of 16 of our own, on which it was tuned",
    "메모리 누수는 장애를 유발한다.",
)
_DUE_TO = _rule(
    "로_인한",
    RelationType.CAUSES,
    0.85,
    "9 of 10 read in KorQuAD; 8 of 8 of our own, on which it was tuned",
    "과부하로 인한 장애를 복구했다.",
)
_KIND_OF = _rule(
    "의_일종",
    RelationType.IS_A,
    0.85,
    "6 of 6 of our own, on which it was tuned",
    "고래는 포유류의 일종이다.",
)

KOREAN_SURFACE_RULES = (_BRINGS, _DUE_TO, _KIND_OF)
"""The rules, in their order."""

_HINTS = ("유발", "초래", "야기", "일으", "인한", "일종")
"""One of these stands in every sentence in which a rule finds something."""

_BRING = re.compile(r"(?:(?:유발|초래|야기)(?!되|된|됐|될|돼)(?=[하한할합했해시])|일으(?=[키킨킬킵켰켜]))")
_DESCRIBES = re.compile(r"(?:하는|한|할|시키는|시킨|시킬|키는|킨|킬)$")
"""Endings with which a verb describes the noun behind it."""
_NO_NOUN = re.compile(r"(?:수|것|때|뿐|줄|듯|경우|가능성|위험|우려)(?:이|가|은|는|도|에|로|으로|이다)?$")
"""What such an ending may stand before without describing it."""
_SUBJECT = frozenset({"은", "는", "이", "가", "께서", "께서는"})
_PROSPECTIVE = ("할", "킬")
_SHARES = frozenset({"대부분", "일부", "하나", "절반", "다수"})
"""Nouns that only say how much of their owner."""
_OBJECT = frozenset({"을", "를"})
_JOINING = frozenset({"와", "과", "이랑", "하고"})
_PRONOUNS = frozenset({"이것은", "그것은", "저것은", "이것이", "그것이"})
_ADVERBIAL = ("게", "히", "자주", "종종", "주로", "쉽게")
_BETWEEN = frozenset({"에", "에서", "로", "으로", "도", "까지", "에게", "의"})
"""Particles of what may stand between a subject and its object."""
_FARTHEST = 5
"""Words between a predicate and its subject."""

_ASKS = re.compile(r"\?|(?:까요?|나요|는가|은가|인가|던가|냐|니)\s*[.~…]*$")
_DENIES = re.compile(r"^\S*지\s?(?:는\s|도\s)?(?:않|못|아니)|^\S*(?:이|가|은|는)\s+아니")
_SUPPOSES = re.compile(r"^\S*(?:면|거든|다면|더라도)(?=[\s,])|^\S*[할킬]\s+(?:경우|때)")
_POSSIBLE = re.compile(
    r"^[할킬]\s|수\s?(?:도\s?|는\s?)?있|지도\s?모르|것\s?같|듯(?:하|이|싶)|가능성|추정|위험|우려|[할킬]\s?것(?:이|으로)"
)
_REPORTS = re.compile(
    r"[다라]고\s+(?:주장|말|전|보도|밝|생각|믿|알려|한다|했|하|합니다|설명|본다|봤)|다(?:는|며|면서)\s|여부|(?:대요|래요|답니다)\s*[.!]*$"
)


@dataclass(frozen=True, slots=True)
class _Found:
    """What a rule found, as spans of the sentence."""

    rule: RelationRule
    heads: Sequence[Span]
    tails: Sequence[Span]
    behind: int
    """Where what tells the factuality begins."""


def korean_surface_relations(sentence: Sentence, genre: Genre) -> Iterator[ExtractedRelation]:
    """What the endings of a Korean sentence state, in order.

    Args:
        sentence: Its tokens are not looked at.
        genre: All rules hold in talk as well.
    """
    del genre
    if not any(hint in sentence.text for hint in _HINTS):
        return
    words = korean_words(sentence.text)
    for place in range(1, len(words)):
        for found in (_bringing(words, place), _due_to(words, place), _kind_of(words, place)):
            if found is not None:
                yield from _relations(sentence, found)


def _relations(sentence: Sentence, found: _Found) -> Iterator[ExtractedRelation]:
    stand = _factuality(sentence.text, found.behind)
    rule = found.rule
    for head in found.heads:
        for tail in found.tails:
            ends = named(sentence, *head), named(sentence, *tail)
            yield ExtractedRelation(ends[0], rule.relation, ends[1], rule.name, rule.prior, sentence.text, stand)


def _bringing(words: Sequence[KoreanWord], place: int) -> _Found | None:
    """X는 Y를 유발한다, or Y를 유발하는 X."""
    verb = _BRING.match(words[place].text)
    effect = place - 1
    if verb and not words[effect].particle:
        effect -= 1  # an adverb in between
    if not verb or effect < 0 or words[effect].particle not in _OBJECT:
        return None
    effects, begin = _list_before(words, effect)
    describes = _DESCRIBES.search(words[place].text) and place + 1 < len(words)
    if describes and not _NO_NOUN.match(words[place + 1].text):
        cause = _phrase_behind(words, place + 1)
        return _Found(_BRINGS, [cause], effects, _behind_description(words[place], cause)) if cause else None
    causes = _subjects(words, begin)
    return _Found(_BRINGS, causes, effects, words[place].start + verb.end()) if causes else None


def _behind_description(verb: KoreanWord, described: Span) -> int:
    """Where the factuality begins: at the verb itself where its ending looks ahead, as in 일으킬 위기."""
    return verb.end - 1 if verb.text.endswith(_PROSPECTIVE) else described[1]


def _due_to(words: Sequence[KoreanWord], place: int) -> _Found | None:
    """X로 인한 Y."""
    if words[place].text != "인한" or words[place - 1].particle not in {"로", "으로"} or place + 1 >= len(words):
        return None
    effect = _phrase_behind(words, place + 1)
    return _Found(_DUE_TO, _list_before(words, place - 1)[0], [effect], effect[0]) if effect else None


def _kind_of(words: Sequence[KoreanWord], place: int) -> _Found | None:
    """X는 Y의 일종이다, or Y의 일종인 X."""
    text = words[place].text
    if not text.startswith("일종") or words[place - 1].particle != "의":
        return None
    kind = (words[begin := phrase_start(words, place - 1)].start, words[place - 1].stem_end)
    if text == "일종인" and place + 1 < len(words):
        named_behind = _phrase_behind(words, place + 1)
        return _Found(_KIND_OF, [named_behind], [kind], named_behind[1]) if named_behind else None
    heads = _subjects(words, begin)
    return _Found(_KIND_OF, heads, [kind], words[place].start + len("일종")) if heads else None


def _subjects(words: Sequence[KoreanWord], end: int) -> list[Span]:
    """The nouns of the nearest subject before a place; none where another clause ends in between."""
    place = end - 1
    while place >= max(0, end - _FARTHEST):
        word = words[place]
        if word.particle in _SUBJECT:
            return _list_before(words, place)[0]
        if word.text in _PRONOUNS:
            return [(word.start, word.end - 1)]
        if word.particle in _BETWEEN:
            place = phrase_start(words, place) - 1
        elif word.text.endswith(_ADVERBIAL):
            place -= 1
        else:
            return []
    return []


def _list_before(words: Sequence[KoreanWord], place: int) -> tuple[list[Span], int]:
    """The nouns that are joined up to a word, in order, and where they begin."""
    begin = phrase_start(words, place)
    found = [(words[begin].start, words[place].stem_end)]
    while begin > 0 and words[begin].is_joined and words[begin - 1].particle in _JOINING:
        place = begin - 1
        begin = phrase_start(words, place)
        found.insert(0, (words[begin].start, words[place].stem_end))
    return found, begin


def _phrase_behind(words: Sequence[KoreanWord], place: int) -> Span | None:
    """The noun phrase that begins with a word: up to the first particle, or the last bare noun.

    Behind a genitive it is the noun that owns nothing: the losses in 과부하로 인한 회사의 손실.
    """
    for end in range(place, min(len(words), place + MAX_RUN)):
        word = words[end]
        if end > place and not word.is_joined:
            break
        if word.is_noun and word.particle == "의" and end + 1 < len(words):
            owned = _phrase_behind(words, end + 1)
            return owned if owned and words[end + 1].stem not in _SHARES else (words[place].start, word.stem_end)
        if word.is_noun:
            return words[place].start, word.stem_end
        if not word.may_modify:
            break
    else:
        end = min(len(words), place + MAX_RUN)
    return (words[place].start, words[end - 1].end) if end > place else None


def _factuality(text: str, start: int) -> Factuality:
    behind = text[start:]
    if _ASKS.search(text):
        return "asked"
    if _DENIES.match(behind):
        return "denied"
    if _SUPPOSES.match(behind):
        return "supposed"
    if _REPORTS.search(behind):
        return "reported"
    return "possible" if _POSSIBLE.search(behind) else "asserted"
