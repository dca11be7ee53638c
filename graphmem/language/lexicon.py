"""Cue tables made ready for reading: every phrase folded, cut into words and filed under its first word."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from graphmem.graph.folding import fold
from graphmem.language.cues import ClosingCue, Cue, Cues, CueTable, Guards
from graphmem.language.utterances import words_of

_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
"""Kana and Han: their words stand without blanks between them."""

_SINGLE_WORD = re.compile(r"\w+")

Phrase = tuple[str, ...]
Phrases = Mapping[str, tuple[Phrase, ...]]
"""Phrases by their first word."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A phrase with the cue that it is a way of writing."""

    phrase: Phrase
    cue: Cue
    followed_by: Phrases
    not_after: frozenset[str]
    not_before: Phrases
    not_within: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """All tables as one: people mix languages in a sentence."""

    entries: Mapping[str, tuple[Entry, ...]]
    """By first word, the longest phrase first."""
    signs: frozenset[str]
    """One of these single words is in every text that has a cue."""
    unspaced: re.Pattern[str] | None
    """Cues in scripts without blanks, which get blanks around them before a text is read."""
    fillers: frozenset[str]
    followers: frozenset[str]
    clause_endings: tuple[str, ...]
    blockers: frozenset[str]
    """Words that take the meaning of a cue in their clause away."""
    negation: frozenset[str]
    negation_endings: tuple[str, ...]
    denial: frozenset[str]
    denial_endings: tuple[str, ...]
    denial_after: frozenset[str]
    contrast: Phrases
    openers: frozenset[str]
    """Words of contrast, which open a clause of their own."""
    unsettled: Phrases
    request: Phrases
    request_endings: tuple[str, ...]
    question_endings: tuple[str, ...]
    question_words: frozenset[str]
    question_verbs: frozenset[str]
    question_subjects: frozenset[str]


@lru_cache(maxsize=64)
def lexicon(cues: Cues, closing: tuple[str, ...] = (), new_topic: tuple[str, ...] = ()) -> Lexicon:
    """Make cues ready for reading.

    Args:
        cues: The tables.
        closing: Further closing cues, which say thanks at most.
        new_topic: Further new-topic cues.
    """
    tables = list(cues.each())
    if closing or new_topic:
        own = ([ClosingCue(meaning="enough", words=closing)], [Cue(words=new_topic)])
        tables.append(CueTable(closing=tuple(own[0]), new_topic=tuple(own[1])))
    entries = list(_entries(tables))
    guards = [table.guards for table in tables]
    contrast = _gathered(guards, "contrast")
    common = frozenset((*_gathered(guards, "question_subjects"), *_gathered(guards, "question_verbs")))
    return Lexicon(
        entries=_filed(entries),
        signs=_signs(entries, common),
        unspaced=_unspaced(entries),
        fillers=frozenset(fold(word) for table in tables for word in table.fillers),
        followers=frozenset(fold(word) for table in tables for word in table.followers),
        clause_endings=tuple(fold(ending) for table in tables for ending in table.clause_endings),
        blockers=frozenset(word for entry in entries for word in entry.not_within),
        negation=frozenset(_gathered(guards, "negation")),
        negation_endings=_gathered(guards, "negation_endings"),
        denial=frozenset(_gathered(guards, "denial")),
        denial_endings=_gathered(guards, "denial_endings"),
        denial_after=frozenset(_gathered(guards, "denial_after")),
        contrast=phrases(contrast),
        openers=frozenset(word for word in contrast if " " not in word),
        unsettled=phrases(_gathered(guards, "unsettled")),
        request=phrases(_gathered(guards, "request")),
        request_endings=_gathered(guards, "request_endings"),
        question_endings=_gathered(guards, "question_endings"),
        question_words=frozenset(_gathered(guards, "question_words")),
        question_verbs=frozenset(_gathered(guards, "question_verbs")),
        question_subjects=frozenset(_gathered(guards, "question_subjects")),
    )


def phrases(texts: Iterable[str]) -> dict[str, tuple[Phrase, ...]]:
    """Folded phrases by their first word."""
    found: dict[str, list[Phrase]] = defaultdict(list)
    for phrase in (words_of(fold(text)) for text in texts):
        if phrase:
            found[phrase[0]].append(phrase)
    return {first: tuple(sorted(same, key=len, reverse=True)) for first, same in found.items()}


def stands_at(words: Sequence[str], place: int, known: Phrases) -> Phrase | None:
    """The longest of some phrases that begins at a place among words."""
    if place >= len(words):
        return None
    for phrase in known.get(words[place], ()):
        if tuple(words[place : place + len(phrase)]) == phrase:
            return phrase
    return None


def _entries(tables: Iterable[CueTable]) -> Iterator[Entry]:
    for table in tables:
        for cue in (*table.closing, *table.new_topic):
            after, within = frozenset(map(fold, cue.not_after)), frozenset(map(fold, cue.not_within))
            followed_by, not_before = phrases(cue.followed_by), phrases(cue.not_before)
            for same in phrases(table.phrases(cue)).values():
                yield from (Entry(phrase, cue, followed_by, after, not_before, within) for phrase in same)


def _signs(entries: Iterable[Entry], common: frozenset[str]) -> frozenset[str]:
    """One word of each phrase: the longest that is not common, else the last, unless it has one already."""
    signs: set[str] = set()
    for entry in sorted(entries, key=lambda entry: len(entry.phrase)):
        words = _SINGLE_WORD.findall(" ".join(entry.phrase))
        if signs.isdisjoint(words):
            signs.add(max([word for word in words if len(word) > 2 and word not in common] or words[-1:], key=len))
    return frozenset(signs)


def _filed(entries: Iterable[Entry]) -> dict[str, tuple[Entry, ...]]:
    found: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        found[entry.phrase[0]].append(entry)
    return {
        first: tuple(sorted(same, key=lambda entry: len(entry.phrase), reverse=True))
        for first, same in found.items()
    }


def _unspaced(entries: Iterable[Entry]) -> re.Pattern[str] | None:
    texts = {" ".join(entry.phrase) for entry in entries if _UNSPACED.search(entry.phrase[0])}
    return re.compile("|".join(map(re.escape, sorted(texts, key=len, reverse=True)))) if texts else None


def _gathered(guards: Iterable[Guards], name: str) -> tuple[str, ...]:
    return tuple(fold(word) for guard in guards for word in getattr(guard, name))
