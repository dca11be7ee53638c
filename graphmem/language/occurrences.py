"""Where the phrases of cues stand in an utterance, and whether they stand where they mean something: pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from graphmem.language.cues import ClosingCue, Meaning
from graphmem.language.lexicon import Entry, Lexicon, stands_at
from graphmem.language.surroundings import Clause
from graphmem.language.utterances import Utterance


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A phrase of a cue with the places of its words."""

    entry: Entry
    begin: int
    end: int

    @property
    def text(self) -> str:
        """The phrase, folded."""
        return " ".join(self.entry.phrase)

    @property
    def meaning(self) -> Meaning | None:
        """What a closing cue says; None: it is a new-topic cue."""
        cue = self.entry.cue
        return cue.meaning if isinstance(cue, ClosingCue) else None


def occurrences(said: Utterance, known: Lexicon) -> Iterator[Occurrence]:
    """Every phrase of a cue in an utterance; of two that begin at the same word the longer one."""
    place = 0
    while place < len(said.words):
        entries = _entries_at(said, place, known)
        yield from (Occurrence(entry, place, place + len(entry.phrase)) for entry in entries)
        place += len(entries[0].phrase) if entries else 1


def is_placed(said: Utterance, one: Occurrence, clause: Clause, known: Lexicon) -> bool:
    """Whether a phrase stands where its cue must, and nothing beside it takes its meaning away."""
    entry = one.entry
    if one.begin > clause.begin and said.words[one.begin - 1] in entry.not_after:
        return False
    if one.end < clause.end and stands_at(said.words, one.end, entry.not_before):
        return False
    if not clause.blockers.isdisjoint(entry.not_within):
        return False
    return _is_at_its_place(said, one, clause, known)


def is_denied(one: Occurrence, clause: Clause) -> bool:
    """Whether a clause says that there is no new topic."""
    return clause.first_denial < one.begin or clause.last_denial >= one.end


def _is_at_its_place(said: Utterance, one: Occurrence, clause: Clause, known: Lexicon) -> bool:
    starts = clause.lead >= one.begin
    followed = one.end < clause.end and stands_at(said.words, one.end, one.entry.followed_by) is not None
    ends = clause.tail <= one.end or followed
    match one.entry.cue.place:
        case "anywhere":
            placed = True
        case "start":
            placed = starts
        case "end":
            placed = ends
        case "edge":
            placed = starts or ends
        case "alone":
            placed = starts and ends
        case "apart":
            aside = one.end == clause.end and not clause.opens and _is_aside(said, one, known)
            placed = (starts or one.end == clause.end) and not aside
        case "sentence":
            placed = clause.opens and starts and ends
        case _ as never:
            assert_never(never)
    return placed


def _is_aside(said: Utterance, one: Occurrence, known: Lexicon) -> bool:
    """Whether the sentence goes on with its verb: the weather, by the way, is nice."""
    following = said.words[one.end : one.end + 2]
    goes_on = len(following) == 2 and said.sentences[one.end] == said.sentences[one.begin]
    return goes_on and following[0] in known.question_verbs and following[1] not in known.question_subjects


def _entries_at(said: Utterance, place: int, known: Lexicon) -> list[Entry]:
    """The longest phrase that begins at a place, once for each cue that has it."""
    same: list[Entry] = []
    for entry in known.entries.get(said.words[place], ()):
        end = place + len(entry.phrase)
        if same and len(entry.phrase) < len(same[0].phrase):
            break
        if said.words[place:end] == entry.phrase and said.clauses[place] == said.clauses[end - 1]:
            same.append(entry)
    return same
