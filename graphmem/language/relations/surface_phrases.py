"""Noun phrases of English beside a predicate, told by stop words alone: pure, for sentences that nobody parsed.

A phrase ends where a word stands that cannot be part of one. What is not certain is cut short rather than
guessed at; verbs are known by a list and by their ending, so a phrase may still hold one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphmem.language.relations.surface_words import (
    ADVERBS,
    AUXILIARIES,
    DETERMINERS,
    LINKS,
    MAYBE_VERBS,
    PRONOUNS,
    QUANTIFIERS,
    STOPS,
    SUBJECTS,
    WORD,
    word_set,
)

_BEFORE_NOUNS = DETERMINERS | QUANTIFIERS | ADVERBS
_BEFORE_VERBS = AUXILIARIES | ADVERBS
_ANNOUNCERS = (_BEFORE_NOUNS | LINKS) - {"to"}
_AT_START = _BEFORE_NOUNS | LINKS
_AT_END = DETERMINERS | LINKS
_OBJECTS = DETERMINERS | PRONOUNS
_NO_NOUNS = STOPS | LINKS | DETERMINERS
_CLOSERS = word_set("and or which that when who are is was were have has had can may in on at for from to with")
"""What stands behind a list that has ended; a verb behind its last item would make that a subject."""

_NUMBER = re.compile(r"\d[\d.,:]*(?:st|nd|rd|th|s)?")
_QUOTES = frozenset("\"'`“”‘’")
_IN_BRACKETS = 8
"""Words in brackets that are looked over."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence, or one of its marks."""

    text: str
    start: int
    end: int
    lower: str
    is_mark: bool
    """Whether it is a mark rather than a word."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase without its article, as places of words."""

    begin: int
    end: int
    """Behind its last word."""


def words_of(text: str) -> list[Word]:
    """The words and marks of a sentence."""
    return [_word(found) for found in WORD.finditer(text)]


def _word(found: re.Match[str]) -> Word:
    text = found[0]
    return Word(text, found.start(), found.end(), text.lower(), not any(map(str.isalnum, text)))


def before_verb(words: Sequence[Word], place: int) -> int:
    """Where the subject of a verb ends: before its auxiliaries and adverbs."""
    while place > 0 and words[place - 1].lower in _BEFORE_VERBS:
        place -= 1
    return place


def phrases_before(words: Sequence[Word], end: int, *, anywhere: bool) -> list[Phrase]:
    """The noun phrases of a list that ends right before a place, in order; the last one alone when in doubt.

    Args:
        words: Of a sentence.
        end: Where a verb or a cue begins.
        anywhere: Whether a list counts wherever it begins; else where the sentence begins.
    """
    found: list[Phrase] = []
    begin = _without_marks(words, end)
    while (start := _back(words, begin)) < begin:
        if start and words[start - 1].lower in SUBJECTS:
            start += 1  # we keep logs: a word behind such a pronoun is its verb
        phrase = _trimmed(words, start, begin)
        if phrase is None:
            break
        found.insert(0, phrase)
        joint = _before_joint(words, start)
        if joint is None:
            return found if anywhere or start == 0 else found[-1:]
        begin = joint
    return found if anywhere else found[-1:]


def phrases_behind(words: Sequence[Word], begin: int) -> Iterator[Phrase]:
    """The noun phrases of a list that begins at a place; a later one counts only where the list or clause ends.

    A pronoun is a phrase too.
    """
    first = _behind(words, begin)
    if first is None:
        if begin < len(words) and words[begin].lower in PRONOUNS:
            yield Phrase(begin, begin + 1)
        return
    yield first
    end = first.end
    while (following := _behind_joint(words, end)) is not None:
        item = _behind(words, following)
        if item is None or not _is_closed(words, item.end):
            return
        yield item
        end = item.end


def nearest_part(words: Sequence[Word], phrase: Phrase) -> Phrase:
    """The last noun phrase of several that prepositions tie together."""
    begin = phrase.begin
    for place in range(phrase.begin, phrase.end - 1):
        if words[place].lower in LINKS or words[place].lower.endswith("ing"):
            begin = place + 1
    return _trimmed(words, begin, phrase.end) or phrase


def _back(words: Sequence[Word], end: int) -> int:
    """Where the words end, going back, that may belong to a noun phrase."""
    begin = end
    while begin > 0 and _may_hold(words[begin - 1]) and not is_verb(words, begin - 1):
        begin -= 1
        if words[begin].lower in DETERMINERS and not (begin > 1 and words[begin - 1].lower in LINKS):
            break
    return begin


def _behind(words: Sequence[Word], begin: int) -> Phrase | None:
    """The noun phrase that begins at a place, behind its articles; None where there is none."""
    while begin < len(words) and (words[begin].lower in _BEFORE_NOUNS or words[begin].text in _QUOTES):
        begin += 1
    end = begin
    while end < len(words) and _may_hold(words[end]) and not (end > begin and _ends_before(words, end)):
        end += 1
    return _trimmed(words, begin, end)


def _may_hold(word: Word) -> bool:
    return word.lower not in STOPS and (not word.is_mark or word.text in _QUOTES)


def _ends_before(words: Sequence[Word], place: int) -> bool:
    """Whether a noun phrase ends before a word that could belong to one."""
    word = words[place].lower
    if word == "of":
        return not _goes_on(words, place)
    if word in LINKS or is_verb(words, place) or (word in DETERMINERS and words[place - 1].lower != "of"):
        return True
    return is_participle(words, place)


def is_verb(words: Sequence[Word], place: int) -> bool:
    """Whether a word that may be a verb or a noun is a verb: a noun follows, and nothing announces one."""
    if words[place].lower not in MAYBE_VERBS or place + 1 >= len(words):
        return False
    if place == 0:
        return words[1].lower in DETERMINERS
    before, following = words[place - 1], words[place + 1]
    announced = before.lower in _ANNOUNCERS or before.is_mark
    return not announced and (following.lower in _OBJECTS or _may_hold(following))


def is_participle(words: Sequence[Word], place: int) -> bool:
    """Whether a word in -ed or -ing reads as a verb: no noun follows that it could describe."""
    return words[place].lower.endswith(("ed", "ing")) and _has_no_noun_behind(words, place)


def _has_no_noun_behind(words: Sequence[Word], place: int) -> bool:
    following = words[place + 1] if place + 1 < len(words) else None
    if following is None or following.is_mark:
        return words[place].lower.endswith("ed")
    return following.lower in _NO_NOUNS


def _goes_on(words: Sequence[Word], place: int) -> bool:
    """Whether a preposition ties a noun to the phrase: no number, no pronoun, not the end."""
    following = next((word for word in words[place + 1 : place + 3] if word.lower not in DETERMINERS), None)
    return following is not None and _may_hold(following) and not _NUMBER.fullmatch(following.lower)


def _before_joint(words: Sequence[Word], place: int) -> int | None:
    """Where the item of a list before this one ends, if there is one."""
    end = place
    if end > 0 and words[end - 1].lower in {"and", "or"}:
        end -= 1
    if end > 0 and words[end - 1].text == ",":
        end -= 1
    return end if 0 < end < place else None


def _behind_joint(words: Sequence[Word], place: int) -> int | None:
    """Where the next item of a list begins, if one does."""
    begin = place
    while begin < len(words) and (words[begin].text == "," or words[begin].text in _QUOTES):
        begin += 1
    if begin < len(words) and words[begin].lower in {"and", "or"}:
        return begin + 1
    return begin if begin > place and words[begin - 1].text == "," else None


def _is_closed(words: Sequence[Word], place: int) -> bool:
    return place >= len(words) or words[place].is_mark or words[place].lower in _CLOSERS


def _without_marks(words: Sequence[Word], end: int) -> int:
    """Before quotes, commas and a bracket that stand behind a phrase."""
    while end > 0 and (words[end - 1].text in _QUOTES or words[end - 1].text == ","):
        end -= 1
    if end > 0 and words[end - 1].text == ")":
        for begin in range(end - 2, max(-1, end - _IN_BRACKETS), -1):
            if words[begin].text == "(":
                return begin
    return end


def _trimmed(words: Sequence[Word], begin: int, end: int) -> Phrase | None:
    while begin < end and (words[begin].lower in _AT_START or words[begin].is_mark):
        begin += 1
    while begin < end and (words[end - 1].lower in _AT_END or words[end - 1].is_mark):
        end -= 1
    return Phrase(begin, end) if begin < end else None
