"""Runs of nouns in English sentences that nobody parsed, told by the words around them: pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphmem.language.relations.surface_phrases import Word, is_participle, is_verb, words_of
from graphmem.language.relations.surface_words import (
    DETERMINERS,
    EMPTY_NOUNS,
    LINKS,
    PREPOSITIONS,
    QUANTIFIERS,
    STOPS,
)

Span = tuple[int, int]

MAX_RUN = 4
"""Words of a run: what is longer holds a verb that the list does not know."""

_JOINTS = frozenset({"and", "or"})


def english_runs(text: str) -> Iterator[Span]:
    """Where noun phrases are: behind an article, a preposition or a joined noun, or before a verb of the list."""
    words = words_of(text)
    place, was_noun = 0, False
    while place < len(words):
        begin, introduced = _introduction(words, place)
        end = _end(words, begin)
        if end == begin:
            was_noun = was_noun and words[place].lower in _JOINTS
            place = max(place + 1, begin)
            continue
        introduced = introduced or was_noun or _is_subject(words, begin, end)
        was_noun = introduced and end - begin <= MAX_RUN and not _is_empty(words, begin, end)
        if was_noun:
            yield words[begin].start, words[end - 1].end
        place = end


def _introduction(words: Sequence[Word], place: int) -> tuple[int, bool]:
    """Where a run begins at the earliest, and whether an article or a preposition announces it."""
    begin = place
    while begin < len(words) and words[begin].lower in DETERMINERS | QUANTIFIERS:
        begin += 1
    before = words[place - 1].lower if place else ""
    return begin, begin > place or before in PREPOSITIONS


def _end(words: Sequence[Word], begin: int) -> int:
    end = begin
    if begin < len(words) and is_participle(words, begin):
        return begin
    while end < len(words) and _is_noun_like(words[end]) and not _is_verb(words, begin, end):
        end += 1
    return end


def _is_verb(words: Sequence[Word], begin: int, place: int) -> bool:
    return place > begin and (is_verb(words, place) or is_participle(words, place))


def _is_noun_like(word: Word) -> bool:
    return not word.is_mark and word.lower not in STOPS | LINKS | DETERMINERS and any(map(str.isalpha, word.text))


def _is_subject(words: Sequence[Word], begin: int, end: int) -> bool:
    """Whether a run opens a clause and a verb follows at once."""
    opens = begin == 0 or words[begin - 1].is_mark
    return opens and end < len(words) and words[end].lower in STOPS - PREPOSITIONS


def _is_empty(words: Sequence[Word], begin: int, end: int) -> bool:
    return words[end - 1].lower in EMPTY_NOUNS or (end - begin == 1 and len(words[begin].text) == 1)
