"""Relations of Korean sentences without morphemes: the few endings and phrases that say a relation by themselves.

Nouns are known by the particle behind them. Left out: the bare copula, and clauses as causes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from graphmem.language.extraction import ExtractedRelation, Factuality, Genre
from graphmem.language.relations.naming import named
from graphmem.language.relations.rules import RelationRule
from graphmem.models.concept import RelationType
from graphmem.ports.text_analyzer import Sentence

_WORD = r"[가-힣A-Za-z0-9][가-힣A-Za-z0-9_+#./-]*"
_BEFORE = rf"(?:{_WORD}(?:의|와|과)?\s+){{0,3}}?"
"""Words of a noun phrase before the one with the particle."""
_SUBJECT = rf"(?P<left>{_BEFORE}{_WORD}?)(?:은|는|이|가)\s+(?:[가-힣]+(?:게|히|로|에서|에)\s+){{0,2}}"
_OBJECT = rf"(?P<right>{_BEFORE}{_WORD}?)(?:을|를)\s+(?:[가-힣]+(?:게|히)\s+)?"
_BRINGS = r"(?:유발|초래|야기)(?:하|한|할|합|했|해|시키|시켰|시킨|시킬)|일으(?:키|킨|킬|킵|켰|켜)"


@dataclass(frozen=True, slots=True)
class _Ending:
    """A pattern with the groups `left` and `right`, and the rule it belongs to."""

    rule: RelationRule
    pattern: re.Pattern[str]
    hints: tuple[str, ...]
    """One of these stands in every sentence in which the pattern is found: quicker to look for."""
    head: Literal["left", "right"] = "left"


def _rule(name: str, relation: RelationType, prior: float, example: str) -> RelationRule:
    return RelationRule(name, relation, "ko", "surface", prior, example, "by judgement")


_ENDINGS = (
    _Ending(
        _rule("causes.surface_유발하다", RelationType.CAUSES, 0.85, "메모리 누수는 장애를 유발한다."),
        re.compile(rf"{_SUBJECT}{_OBJECT}(?P<verb>{_BRINGS})"),
        ("유발", "초래", "야기", "일으"),
    ),
    _Ending(
        _rule("causes.surface_로_인한", RelationType.CAUSES, 0.8, "과부하로 인한 장애를 복구했다."),
        re.compile(rf"(?P<left>{_BEFORE}{_WORD}?)(?:으로|로)\s+인한\s+(?P<right>{_WORD}(?:의\s+{_WORD})?)"),
        ("인한",),
    ),
    _Ending(
        _rule("is_a.surface_의_일종", RelationType.IS_A, 0.9, "고래는 포유류의 일종이다."),
        re.compile(rf"{_SUBJECT}(?P<right>{_BEFORE}{_WORD}?)의\s+(?P<verb>일종)"),
        ("일종",),
    ),
)

KOREAN_SURFACE_RULES = tuple(ending.rule for ending in _ENDINGS)
"""The rules, in their order."""

_ASKS = re.compile(r"\?|(?:까요?|나요|는가|은가|인가|던가|냐|니)\s*[.~…]*$")
_DENIES = re.compile(r"^\S*지\s?(?:는\s|도\s)?(?:않|못|아니)|^\S*(?:이|가)\s+아니")
_SUPPOSES = re.compile(r"^\S*(?:면|거든|다면)(?=[\s,])|^\S*[을를ㄹ할킬]\s+(?:경우|때)")
_POSSIBLE = re.compile(r"수\s?(?:도\s?)?있|지도\s?모르|것\s?같|듯하|가능성|추정|[할킬일]\s?것(?:이|으로)")
_REPORTS = re.compile(
    r"[다라]고\s+(?:주장|말|전|보도|밝|생각|믿|알려|한다|했다|합니다)|(?:대요|래요|답니다)\s*[.!]*$"
)
_PARTICLES = re.compile(r"(?:을|를|은|는|이|가|에|도|의|과|와|에서|에게|으로|로|부터|까지)$")


def korean_surface_relations(sentence: Sentence, genre: Genre) -> Iterator[ExtractedRelation]:
    """What the endings of a Korean sentence state, in order of the rules.

    Args:
        sentence: Its tokens are not looked at.
        genre: Rules for prose alone are off in chat.
    """
    for ending in _ENDINGS:
        if any(hint in sentence.text for hint in ending.hints) and not (
            ending.rule.prose_only and genre == "chat"
        ):
            for match in ending.pattern.finditer(sentence.text):
                yield _relation(sentence, ending, match)


def _relation(sentence: Sentence, ending: _Ending, match: re.Match[str]) -> ExtractedRelation:
    rule = ending.rule
    left = named(sentence, *match.span("left"))
    right = named(sentence, match.start("right"), _without_particle(sentence.text, match))
    head, tail = (left, right) if ending.head == "left" else (right, left)
    return ExtractedRelation(
        head, rule.relation, tail, rule.name, rule.prior, sentence.text, _factuality(sentence.text, match)
    )


def _without_particle(text: str, match: re.Match[str]) -> int:
    """Where the right phrase ends: behind it may still be a particle when the pattern asks for none."""
    start, end = match.span("right")
    if match.end() > end:
        return end
    particle = _PARTICLES.search(text, start, end)
    return particle.start() if particle and particle.start() > start else end


def _factuality(text: str, match: re.Match[str]) -> Factuality:
    end = match.end("verb") if "verb" in match.groupdict() else match.end()
    behind = text[end:]
    if _ASKS.search(text):
        return "asked"
    if _DENIES.match(behind):
        return "denied"
    if _SUPPOSES.match(text[match.end() - 1 :]):
        return "supposed"
    if _REPORTS.search(behind):
        return "reported"
    return "possible" if _POSSIBLE.search(behind) else "asserted"
