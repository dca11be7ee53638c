"""A Korean sentence as the rules read it: its morphemes, its noun phrases, and where its clauses end. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from graphmem.language.relations.korean.phrases import NounPhrase, noun_phrases
from graphmem.language.relations.surface_words import word_set
from graphmem.ports.text_analyzer import Sentence, Token

TOPIC = frozenset({"은", "는", "ᆫ"})
SUBJECT = frozenset({"이", "가", "께서"})
_ADDED = frozenset({"도"})
_JOINING = frozenset(
    {"와", "과", "랑", "이랑", "하고", "나", "이나", "및", "또는", "혹은", ",", "·", "ㆍ", "・", "/"}
)
"""What joins noun phrases to a list."""

_CARRYING = word_set("고 며 으며 지만 으나 나 는데 ᆫ데 은데 자 라 면서 으면서")
"""Endings over which the topic of a clause holds for the next one."""

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
            found.insert(0, before)
        return tuple(found)

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

    def inner_subjects(self, before: int) -> tuple[NounPhrase, ...]:
        """As `subjects`, for a clause that modifies a noun: it has a subject but never a topic."""
        start = self.clause_start(before)
        for place in range(before - 1, start, -1):
            if self.is_at(place, "JKS", *SUBJECT):
                phrase = self.phrase_before(place)
                return self.listed(phrase) if phrase else ()
            if self.is_at(place, "JX", *TOPIC):
                return ()
        return ()

    def subjects(self, before: int) -> tuple[NounPhrase, ...]:
        """What the predicate right behind a place is said of: the nearest subject of its clause, with its list.

        The topic of the clause before holds on where none is named and the clauses are coordinate.
        """
        start = self.clause_start(before)
        for place in range(before - 1, start, -1):
            if self.is_subject_particle(place):
                if phrase := self.phrase_before(place):
                    return self.listed(phrase)
                if self.is_at(place - 1, "NP NNB"):
                    return ()
        return self._topic_before(start)

    def topics(self, before: int, *, is_quoted: bool = False) -> tuple[NounPhrase, ...]:
        """As `subjects`, but the first topic of the clause goes before what is nearer.

        Where a topic and a subject share the predicate (그는 아버지가 의사이다) there is none, unless the
        predicate is quoted: then the topic is of whoever said it.
        """
        for place in range(self._topic_start(before) + 1, before):
            if not self.is_at(place, "JX", *TOPIC):
                continue
            phrase = self.phrase_before(place)
            if self._opens_a_quote(place + 1, before):
                return self._plain_subjects(before)
            if phrase and self._no_subject_between(place + 1, before):
                return self.listed(phrase)
            if phrase or self.is_at(place - 1, "NP"):
                return self._plain_subjects(before) if is_quoted else ()
        return self._plain_subjects(before)

    def _topic_start(self, before: int) -> int:
        """Where to look for a topic: of A는 B, C는 D이다 the second half stands alone."""
        start = self.clause_start(before)
        for place in range(before - 1, start, -1):
            if self.is_at(place, "SP", ",") and self.is_at(place - 1, "NNG NNP SL XSN"):
                following = next((one for one in self.phrases if one.first > place), None)
                if following and self.is_at(following.last + 1, "JX", *TOPIC):
                    opened = any(self.is_at(at, "JX", *TOPIC) for at in range(start, place))
                    return place if opened else start
        return start

    def _plain_subjects(self, before: int) -> tuple[NounPhrase, ...]:
        """As `subjects`; none where it may belong to a clause that modifies: 값이 싼 책이다."""
        found = self.subjects(before)
        if found and self.is_at(found[-1].last + 1, "JKS"):
            between = range(found[-1].last + 1, before)
            return () if any(self.is_at(place, "ETM") for place in between) else found
        return found

    def is_subject_particle(self, place: int) -> bool:
        """Whether a token marks what a clause is about."""
        return self.is_at(place, "JKS", *SUBJECT) or self.is_at(place, "JX", *TOPIC, *_ADDED)

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

    def _topic_before(self, start: int) -> tuple[NounPhrase, ...]:
        while start > 0 and self.is_at(start - 1, "EC", *_CARRYING):
            before = start - 1
            start = self.clause_start(before)
            for place in range(start + 1, before):
                if self.is_at(place, "JX", *TOPIC) and (phrase := self.phrase_before(place)):
                    return self.listed(phrase)
        return ()

    def _no_subject_between(self, first: int, last: int) -> bool:
        """Whether each subject between two places belongs to a clause that modifies a noun."""
        waiting = False
        for place in range(first, last):
            if self.is_at(place, "JKS"):
                waiting = True
            elif self.is_at(place, "ETM") and not self.is_at(place - 2, "XSN", "적"):
                waiting = False
        return not waiting

    def _opens_a_quote(self, first: int, last: int) -> bool:
        """Whether a quote begins between two places and goes on: what stands before it is of who says it."""
        marks = "".join(token.text for token in self.tokens[first:last] if token.tag in {"SSO", "SSC", "SS"})
        return (
            sum(map(marks.count, "“‘「『《〈")) > sum(map(marks.count, "”’」』》〉")) or marks.count('"') % 2 == 1
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
