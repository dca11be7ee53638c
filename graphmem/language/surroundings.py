"""What stands around the cues of an utterance, gathered clause by clause so that cost stays linear."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from graphmem.language.lexicon import Lexicon, stands_at
from graphmem.language.utterances import Utterance

_NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause by the places of its words."""

    begin: int
    lead: int
    """The first word that is neither a filler nor part of a cue; `end` where there is none."""
    tail: int
    """The place behind the last word that is neither a follower nor part of a cue."""
    end: int
    number: int
    sentence: int
    opens: bool
    """Whether only fillers and cues stand before it in its sentence."""
    blockers: frozenset[str]
    """Its words that take the meaning of some cue away."""
    first_denial: int
    """The first word that denies a new topic behind it; `end` where there is none."""
    last_denial: int
    """The last word that denies a new topic before it; -1 where there is none."""


@dataclass(slots=True)
class Surroundings:
    """Where words that matter stand in a part of an utterance."""

    asked: set[int]
    """Sentences that ask."""
    first_negation: dict[int, int] = field(default_factory=dict)
    """By clause: the first word that says not so, or not yet."""
    last_contrast: dict[int, int] = field(default_factory=dict)
    """By sentence: the last word of contrast."""
    opening_contrast: int = _NOWHERE
    """The last word of contrast that opens a sentence."""
    unsettled: int = _NOWHERE
    """The last word that says that it goes on."""
    orders: bool = False
    """Whether anything is asked to be done."""

    def is_negated(self, clause: int, begin: int) -> bool:
        """Whether something in a clause before a place denies what stands there."""
        return self.first_negation.get(clause, begin) < begin

    def is_contrasted(self, sentence: int, end: int) -> bool:
        """Whether what follows a place of a sentence takes back what stands before it."""
        own = self.last_contrast.get(sentence, _NOWHERE)
        return max(own, self.opening_contrast, self.unsettled) >= end


def clauses(said: Utterance, covered: AbstractSet[int], known: Lexicon) -> Iterator[Clause]:
    """The clauses of an utterance.

    Args:
        said: The utterance.
        covered: Places of words that are part of a cue.
        known: The cues.
    """
    begin, opens = 0, True
    while begin < len(said.words):
        end = begin + 1
        while end < len(said.words) and said.clauses[end] == said.clauses[begin]:
            end += 1
        lead, tail = begin, end
        while lead < end and (lead in covered or said.words[lead] in known.fillers):
            lead += 1
        while tail > begin and (tail - 1 in covered or said.words[tail - 1] in known.followers):
            tail -= 1
        sentence = said.sentences[begin]
        opens = begin == 0 or said.sentences[begin - 1] != sentence or opens
        blockers, first, last = _denials(said, begin, end, known)
        yield Clause(begin, lead, tail, end, said.clauses[begin], sentence, opens, blockers, first, last)
        opens = opens and lead == end
        begin = end


def survey(
    said: Utterance, part: Sequence[Clause], asked: AbstractSet[int], covered: AbstractSet[int], known: Lexicon
) -> Surroundings:
    """Gather what stands in some clauses.

    Args:
        said: The whole utterance.
        part: The clauses.
        asked: Sentences of these that end with a question mark.
        covered: Places of words that are part of a cue.
        known: The cues.
    """
    found = Surroundings(set(asked))
    for clause in part:
        if clause.opens and clause.lead < clause.end and stands_at(said.words, clause.lead, known.contrast):
            found.opening_contrast = clause.lead
        if _asks(said, clause, known):
            found.asked.add(clause.sentence)
        for place in range(clause.begin, clause.end):
            _note_word(found, said, clause, place, known)
            found.orders = found.orders or _orders(said, place, covered, known)
            if place + 1 == clause.end or place + 1 in covered:
                _note_ending(found, said, clause, place, known)
    return found


def _denials(said: Utterance, begin: int, end: int, known: Lexicon) -> tuple[frozenset[str], int, int]:
    words = said.words[begin:end]
    first = next(
        (begin + n for n, word in enumerate(words) if word in known.denial or word.endswith(known.denial_endings)),
        end,
    )
    last = max((begin + n for n, word in enumerate(words) if word in known.denial_after), default=_NOWHERE)
    return known.blockers.intersection(words), first, last


def _note_word(found: Surroundings, said: Utterance, clause: Clause, place: int, known: Lexicon) -> None:
    word = said.words[place]
    if word in known.negation or word.endswith(known.negation_endings):
        found.first_negation.setdefault(clause.number, place)
    if stands_at(said.words, place, known.unsettled):
        found.unsettled = place
    if stands_at(said.words, place, known.contrast):
        found.last_contrast[clause.sentence] = place


def _orders(said: Utterance, place: int, covered: AbstractSet[int], known: Lexicon) -> bool:
    """Whether words at a place ask for something; "I'd like to thank you" holds the cue itself."""
    asking = stands_at(said.words, place, known.request)
    return asking is not None and covered.isdisjoint(range(place, place + len(asking)))


def _note_ending(found: Surroundings, said: Utterance, clause: Clause, place: int, known: Lexicon) -> None:
    word = said.words[place]
    found.orders = found.orders or word.endswith(known.request_endings)
    if word.endswith(known.question_endings):
        found.asked.add(clause.sentence)


def _asks(said: Utterance, clause: Clause, known: Lexicon) -> bool:
    """Whether a clause begins as a question does: (how) is it ..., what do you ..."""
    words = said.words[clause.lead : min(clause.lead + 3, clause.end)]
    if words and words[0] in known.question_words:
        return "'" in words[0] or (len(words) > 1 and words[1] in known.question_verbs)
    return len(words) > 2 and words[0] in known.question_verbs and words[1] in known.question_subjects
