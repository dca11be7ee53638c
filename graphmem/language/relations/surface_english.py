"""Relations of English sentences that nobody parsed: the few phrases that say a relation by themselves.

A pronoun or a long stretch beside such a phrase is handed on as it is read; whoever collects relations refuses
it and says why. Left out: relations between clauses, and all verbs whose sense depends on their nouns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from graphmem.language.extraction import ConceptMention, ExtractedRelation, Factuality, Genre
from graphmem.language.relations.naming import named
from graphmem.language.relations.rules import RelationRule
from graphmem.language.relations.surface_phrases import (
    ADVERBS,
    AUXILIARIES,
    FORMS_OF_BE,
    PRONOUNS,
    Phrase,
    Word,
    phrase_before,
    phrases_behind,
    word_set,
    words_of,
)
from graphmem.models.concept import RelationType
from graphmem.ports.text_analyzer import Sentence

Side = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class _Cue:
    """A phrase and the rule it belongs to."""

    rule: RelationRule
    phrase: re.Pattern[str]
    """Found in the sentence in lower case."""
    hint: str
    """Stands in every sentence in which the phrase does: quicker to look for."""
    head: Side
    """On which side of the phrase the head of the relation stands."""
    needs_be: bool = False
    """Whether a form of `be` must stand before it."""


def _rule(
    name: str, relation: RelationType, prior: float, example: str, measured: str, *, prose_only: bool = False
) -> RelationRule:
    return RelationRule(name, relation, "en", "surface", prior, example, measured, prose_only)


_CUES = (
    _Cue(
        _rule(
            "causes.surface_caused_by",
            RelationType.CAUSES,
            0.9,
            "The outage was caused by a full disk.",
            "by judgement",
        ),
        re.compile(r"\b(?:caused|triggered) by\b"),
        "ed by",
        "right",
    ),
    _Cue(
        _rule(
            "causes.surface_causes",
            RelationType.CAUSES,
            0.9,
            "A memory leak causes slow responses.",
            "by judgement",
        ),
        re.compile(r"\b(?:causes|(?<!\bthe )(?<!\ba )cause|caused)\b(?! (?:by|of|for)\b)"),
        "cause",
        "left",
    ),
    _Cue(
        _rule(
            "part_of.surface_consists_of",
            RelationType.PART_OF,
            0.8,
            "The engine consists of a pump and two valves.",
            "by judgement",
        ),
        re.compile(r"\b(?:consists?|consisted|consisting|composed|made up) of\b"),
        " of",
        "right",
    ),
    _Cue(
        _rule("is_a.surface_kind_of", RelationType.IS_A, 0.9, "A deadlock is a kind of failure.", "by judgement"),
        re.compile(r"\b(?:an? )?(?:kind|type|sort|form)s? of\b"),
        " of",
        "left",
        needs_be=True,
    ),
    _Cue(
        _rule(
            "is_a.surface_such_as",
            RelationType.IS_A,
            0.85,
            "It stores documents such as invoices and receipts.",
            "by judgement",
        ),
        re.compile(r"\bsuch as\b"),
        "such as",
        "right",
    ),
)

ENGLISH_SURFACE_RULES = tuple(cue.rule for cue in _CUES)
"""The rules, in their order."""

_MODALS = word_set("may might can could would should must probably possibly perhaps likely apparently cannot")
_DENIALS = word_set("not never no neither nor hardly without cannot")
_REPORTS = re.compile(
    r"\b(?:say|says|said|claims?|claimed|argues?|argued|reported|reports|believes?|believed|thinks?|thought|suspects?"
    r"|suspected|suggests?|suggested|told|heard|alleged(?:ly)?|supposedly|reportedly|according to)\b"
)
_SUPPOSES = re.compile(r"\b(?:if|unless|whether|suppose|supposing|assuming|imagine|what if|in case)\b")
_ASKS = re.compile(r"\?\s*[\"')\]]*$")


def english_surface_relations(sentence: Sentence, genre: Genre) -> Iterator[ExtractedRelation]:
    """What the phrases of an English sentence state, in order of the rules.

    Args:
        sentence: Its tokens are not looked at.
        genre: Rules for prose alone are off in chat.
    """
    lower = sentence.text.lower()
    if len(lower) != len(sentence.text) or not any(cue.hint in lower for cue in _CUES):
        return
    words = words_of(sentence.text)
    for cue in _CUES:
        if cue.hint in lower and not (cue.rule.prose_only and genre == "chat"):
            for match in cue.phrase.finditer(lower):
                yield from _relations(sentence, lower, words, cue, match)


def _relations(
    sentence: Sentence, lower: str, words: Sequence[Word], cue: _Cue, match: re.Match[str]
) -> Iterator[ExtractedRelation]:
    first = next(place for place, word in enumerate(words) if word.end > match.start())
    behind = next((place for place, word in enumerate(words) if word.start >= match.end()), len(words))
    subject_end = _before_verb(words, first)
    if cue.needs_be and not any(word.lower in FORMS_OF_BE for word in words[subject_end:first]):
        return
    left = phrase_before(words, subject_end) or _pronoun(words, subject_end - 1)
    if left is None:
        return
    stand = _factuality(lower, match.start(), words, left, words[subject_end:behind])
    for item in phrases_behind(words, behind) or ():
        near, far = _mention(sentence, words, left), _mention(sentence, words, item)
        head, tail = (near, far) if cue.head == "left" else (far, near)
        yield ExtractedRelation(head, cue.rule.relation, tail, cue.rule.name, cue.rule.prior, sentence.text, stand)


def _before_verb(words: Sequence[Word], place: int) -> int:
    """Where the subject of a verb ends: before its auxiliaries and adverbs."""
    while place > 0 and words[place - 1].lower in AUXILIARIES | ADVERBS:
        place -= 1
    return place


def _pronoun(words: Sequence[Word], place: int) -> Phrase | None:
    return Phrase(place, place + 1) if place >= 0 and words[place].lower in PRONOUNS else None


def _factuality(lower: str, place: int, words: Sequence[Word], left: Phrase, verb: Sequence[Word]) -> Factuality:
    said = {word.lower for word in verb}
    before = words[left.begin - 1].lower if left.begin else ""
    if _ASKS.search(lower):
        return "asked"
    if said & _DENIALS or any(word.endswith("n't") for word in said) or before in _DENIALS:
        return "denied"
    if _SUPPOSES.search(lower, 0, place):
        return "supposed"
    if _REPORTS.search(lower):
        return "reported"
    return "possible" if said & _MODALS else "asserted"


def _mention(sentence: Sentence, words: Sequence[Word], phrase: Phrase) -> ConceptMention:
    start, end = words[phrase.begin].start, words[phrase.end - 1].end
    return named(sentence, start, end)
