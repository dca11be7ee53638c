"""Noun phrases of English, told by stop words alone: pure, for sentences that nobody parsed.

A phrase ends where a word stands that cannot be part of one. What is not certain is cut short rather than
guessed at; verbs are known by a list and by their ending, so a phrase may still hold one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.language.relations.surface_words import (
    ADVERBS,
    AUXILIARIES,
    DETERMINERS,
    LINKS,
    MAYBE_VERBS,
    MEASURES,
    NO_ADVERBS,
    PRONOUNS,
    QUANTIFIERS,
    STOPS,
    WORD,
)

_OPENERS = DETERMINERS | QUANTIFIERS
_BEFORE_NOUNS = _OPENERS | ADVERBS
_BEFORE_VERBS = AUXILIARIES | ADVERBS
_ANNOUNCERS = (_BEFORE_NOUNS | LINKS) - {"to"}
_AT_START = _BEFORE_NOUNS | LINKS
_AT_END = _OPENERS | LINKS
_OBJECTS = _OPENERS | PRONOUNS
_NO_NOUNS = STOPS | LINKS | _OPENERS

_NUMBER = re.compile(r"\d[\d.,:]*(?:st|nd|rd|th|s)?")
QUOTES = frozenset("\"'`“”‘’")
_CLOSING = {'"': '"', "“": "”", "‘": "’", "`": "`"}
_IN_QUOTES = 10
"""Words of a title in quotes."""


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


def before_verb(words: Sequence[Word], place: int) -> int:
    """Where the subject of a verb ends: before its auxiliaries and adverbs."""
    while place > 0 and (words[place - 1].lower in _BEFORE_VERBS or is_adverb(words[place - 1])):
        place -= 1
    return place


def back(words: Sequence[Word], end: int) -> int:
    """Where the words end, going back, that may belong to a noun phrase: at its article, if it has one."""
    begin = end
    while begin > 0 and _may_hold(words[begin - 1]) and not is_verb(words, begin - 1):
        begin -= 1
        if words[begin].lower in _OPENERS and not (begin > 1 and words[begin - 1].lower in LINKS):
            break
    return begin


def phrase_behind(words: Sequence[Word], begin: int) -> Phrase | None:
    """The noun phrase that begins at a place, behind its articles; a title in quotes is taken whole."""
    while begin < len(words) and words[begin].lower in _BEFORE_NOUNS:
        begin += 1
    title = _title(words, begin)
    if title is not None:
        return title
    end = begin
    while end < len(words) and _may_hold(words[end]) and not (end > begin and _ends_before(words, end)):
        end += 1
    if end == begin + 2 and words[begin].lower in MEASURES:
        end = begin  # other kinds of, with nothing behind
    if begin + 2 < end and words[begin].lower in MEASURES and words[begin + 1].lower == "of":
        begin += 2
    return trimmed(words, begin, end)


def nearest_part(words: Sequence[Word], phrase: Phrase) -> Phrase:
    """The last noun phrase of several that prepositions or participles tie together."""
    begin = phrase.begin
    for place in range(phrase.begin, phrase.end - 1):
        if words[place].lower in LINKS or words[place].lower.endswith("ing"):
            begin = place + 1
    return trimmed(words, begin, phrase.end) or phrase


def trimmed(words: Sequence[Word], begin: int, end: int) -> Phrase | None:
    """The phrase without what only leads to it or follows it; None where no word with a letter is left."""
    while begin < end and (words[begin].lower in _AT_START or words[begin].is_mark):
        begin += 1
    while begin < end and (words[end - 1].lower in _AT_END or words[end - 1].is_mark):
        end -= 1
    has_letter = any(any(map(str.isalpha, word.text)) for word in words[begin:end])
    return Phrase(begin, end) if has_letter else None


def is_verb(words: Sequence[Word], place: int) -> bool:
    """Whether a word that may be a verb or a noun is a verb: a noun follows, and nothing announces one."""
    if words[place].lower not in MAYBE_VERBS or place + 1 >= len(words):
        return False
    if place == 0:
        return words[1].lower in _OPENERS
    before, following = words[place - 1], words[place + 1]
    announced = before.lower in _ANNOUNCERS or before.is_mark
    return not announced and (following.lower in _OBJECTS or _may_hold(following))


def is_adverb(word: Word) -> bool:
    """Whether a word ends as an adverb."""
    return word.lower.endswith("ly") and word.text.islower() and word.lower not in NO_ADVERBS


def _word(found: re.Match[str]) -> Word:
    text = found[0]
    return Word(text, found.start(), found.end(), text.lower(), not any(map(str.isalnum, text)))


def _title(words: Sequence[Word], begin: int) -> Phrase | None:
    closing = _CLOSING.get(words[begin].text) if begin < len(words) else None
    if closing is None:
        return None
    for end in range(begin + 1, min(len(words), begin + _IN_QUOTES)):
        if words[end].text == closing:
            return Phrase(begin + 1, end) if end > begin + 1 else None
    return None


def _may_hold(word: Word) -> bool:
    return word.lower not in STOPS and (not word.is_mark or word.text in QUOTES) and not is_adverb(word)


def _ends_before(words: Sequence[Word], place: int) -> bool:
    """Whether a noun phrase ends before a word that could belong to one."""
    word = words[place].lower
    if word == "of":
        return not _goes_on(words, place)
    if word in LINKS or is_verb(words, place) or (word in _OPENERS and words[place - 1].lower != "of"):
        return True
    return word.endswith(("ed", "ing")) and _has_no_noun_behind(words, place)


def _has_no_noun_behind(words: Sequence[Word], place: int) -> bool:
    """Whether a word in -ed or -ing reads as a verb: no noun follows that it could describe."""
    following = words[place + 1] if place + 1 < len(words) else None
    if following is None or following.is_mark:
        return words[place].lower.endswith("ed")
    return following.lower in _NO_NOUNS


def _goes_on(words: Sequence[Word], place: int) -> bool:
    """Whether a preposition ties a noun to the phrase: no number, no pronoun, not the end."""
    following = next((word for word in words[place + 1 : place + 3] if word.lower not in _OPENERS), None)
    return following is not None and _may_hold(following) and not _NUMBER.fullmatch(following.lower)
