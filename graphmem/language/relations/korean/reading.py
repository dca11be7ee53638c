"""A Korean sentence as the rules read it: its morphemes, its noun phrases, and where its clauses end. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from graphmem.language.relations.korean.phrases import NounPhrase, noun_phrases
from graphmem.ports.text_analyzer import Sentence, Token

_JOINING = frozenset(
    {"와", "과", "랑", "이랑", "하고", "나", "이나", "및", "또는", "혹은", ",", "·", "ㆍ", "・", "/"}
)
"""What joins noun phrases to a list."""

_DOTS = frozenset("·ㆍ・")

_CLOSING = {")": "(", "]": "[", "）": "（", "〉": "〈", "》": "《", "」": "「", "』": "『", "’": "‘", "”": "“"}
_ASIDES = frozenset(")]）")
_ASIDES_OPEN = frozenset("([（")
_QUOTES = frozenset("’”'\"〉》」』")
_CLAUSE_ENDS = frozenset({"EC", "EF", "SF"})


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence with its noun phrases."""

    sentence: Sentence
    phrases: tuple[NounPhrase, ...]
    by_last: dict[int, NounPhrase] = field(repr=False)
    """Phrases by the place of their last token."""
    by_first: dict[int, NounPhrase] = field(repr=False)

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The sentence's morphemes."""
        return self.sentence.tokens

    def is_at(self, place: int, tags: str, *forms: str) -> bool:
        """Whether the token at a place has one of the tags, given with blanks between, and one of the forms."""
        if not 0 <= place < len(self.tokens):
            return False
        token = self.tokens[place]
        return token.tag in tags.split(" ") and (not forms or token.text in forms)

    def phrase_before(self, place: int) -> NounPhrase | None:
        """The phrase that ends right before a place; what is in brackets behind it, and its quotes, are passed."""
        last = place - 1
        while last >= 0 and self.tokens[last].text in _ASIDES | _QUOTES:
            mark = self.tokens[last].text
            if mark in _ASIDES:
                last = self._opening(last) - 1
            else:
                last -= 1
        return self.by_last.get(last)

    def phrase_after(self, place: int) -> NounPhrase | None:
        """The phrase that begins right behind a place, in quotes or not; an aside in brackets is passed."""
        first = place + 1
        while self.is_at(first, "SSO SS"):
            first = self._closing(first) + 1 if self.tokens[first].text in _ASIDES_OPEN else first + 1
        return self.by_first.get(first)

    def noun_after(self, place: int) -> NounPhrase | None:
        """The first phrase behind a place, adjectives and determiners passed: 피해 in 심각한 피해."""
        first = place + 1
        while self.is_at(first, "VA XSA XR MM MAG VCP ETM XSN NNG") and first not in self.by_first:
            first += 1
        return self.phrase_after(first - 1)

    def listed(self, phrase: NounPhrase) -> tuple[NounPhrase, ...]:
        """A phrase with those that are joined to it on its left, in order: X, Y와 Z."""
        found = [phrase]
        while (joint := self._joint_before(found[0])) is not None and (before := self.phrase_before(joint)):
            if self._may_share_its_noun(joint, found[0]):
                break
            found.insert(0, before)
        return tuple(found)

    def _may_share_its_noun(self, joint: int, phrase: NounPhrase) -> bool:
        """Whether the last word of a phrase may go with what a middle dot joins to it too: 과거사·영토 문제."""
        if self.tokens[joint].text not in _DOTS or " " not in self.sentence.text[phrase.start : phrase.end]:
            return False
        return self.tokens[joint - 1].end == self.tokens[joint].start and self.tokens[joint].end == phrase.start

    def clause_start(self, place: int) -> int:
        """Place of the first token of the clause in which a token stands."""
        for before in range(place - 1, -1, -1):
            if self.tokens[before].tag in _CLAUSE_ENDS and not self.goes_on(before):
                if self.is_at(before, "EC", "게"):
                    continue  # an adverb: 세게 불다
                return before + 1
            if self.is_at(before, "JKB", "에") and self.is_at(before - 1, "NNB", "때문"):
                return before + 1
        return 0

    def goes_on(self, place: int) -> bool:
        """Whether an ending leads to an auxiliary of the same verb: 고 in 하고 있다, 지 in 하지 않다."""
        after = place + 1
        if self.is_at(after, "JX"):
            after += 1
        return self.tokens[place].tag == "EC" and self.is_at(after, "VX")

    def last_word(self, phrase: NounPhrase) -> str:
        """What stands behind the last blank of a phrase's name."""
        return self.sentence.text[phrase.start : phrase.end].rpartition(" ")[2]

    def is_called(self, phrase: NounPhrase, nouns: AbstractSet[str]) -> bool:
        """Whether a phrase is called after one of the nouns, by its last noun or its last word."""
        return phrase.noun in nouns or unicodedata.normalize("NFC", self.last_word(phrase)) in nouns

    def is_pointed_at(self, phrase: NounPhrase) -> bool:
        """Whether a phrase is one thing at hand: 이 약, 그 서버, 우리 집."""
        return self.is_at(phrase.first - 1, "MM", "이", "그", "저") or self.is_at(
            phrase.first - 1, "NP", "내", "네", "제", "우리", "저희", "너희"
        )

    def _joint_before(self, phrase: NounPhrase) -> int | None:
        """Place of the mark or particle that joins a phrase to one on its left."""
        place = phrase.first - 1
        while place >= 0 and self.tokens[place].tag in {"SSO", "SS"}:
            place -= 1
        if place < 1 or self.tokens[place].text not in _JOINING:
            return None
        if self.is_at(place, "SP") and self.tokens[place - 1].text in _JOINING:
            return None  # behind a particle a comma parts clauses
        while place > 1 and self.tokens[place - 1].text in _JOINING:
            place -= 1
        return place

    def _closing(self, opening: int) -> int:
        """Place of the bracket that closes an aside; the opening one's where nothing does."""
        for place in range(opening + 1, len(self.tokens)):
            if self.tokens[place].text in _ASIDES:
                return place
        return opening

    def _opening(self, closing: int) -> int:
        """Place of the bracket that a closing one belongs to; the closing one's where there is none."""
        wanted = _CLOSING[self.tokens[closing].text]
        for place in range(closing - 1, -1, -1):
            if self.tokens[place].text == wanted:
                return place
        return closing


def read(sentence: Sentence) -> Reading:
    """Prepare a sentence for the rules.

    Args:
        sentence: Korean, with morphemes as tokens.
    """
    phrases = noun_phrases(sentence.tokens)
    return Reading(
        sentence,
        phrases,
        {phrase.last: phrase for phrase in phrases},
        {phrase.first: phrase for phrase in phrases},
    )
