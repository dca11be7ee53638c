"""Finds the cues that count in a text, and says why one does not: pure, and of linear cost.

A closing cue does not count when it is negated, asked or contrasted; thanks and the like do not when the
same message asks or orders something, since then the conversation goes on.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from graphmem.graph.folding import fold
from graphmem.language.cues import Meaning
from graphmem.language.lexicon import Lexicon
from graphmem.language.occurrences import Occurrence, is_denied, is_placed, occurrences
from graphmem.language.surroundings import Clause, Surroundings, clauses, survey
from graphmem.language.utterances import Utterance, read_utterance

_SINGLE_WORD = re.compile(r"\w+")
_LETTERS = re.compile("[\u3131-\u318e]+")
_LOOSE_LETTERS = re.compile("[\u1100-\u11ff]+")
"""Single letters of Hangul (ㅎㅎ, ㅠㅠ) as typed, and as NFKC leaves them."""


@dataclass(frozen=True, slots=True)
class Spotted:
    """What a text says about where an episode ends or begins."""

    closing: str | None = None
    """The closing cue that counts, as written but folded; one of success before others."""
    meaning: Meaning | None = None
    """What it says."""
    new_topic: str | None = None
    """The new-topic cue that counts."""
    passed_over: str | None = None
    """Why the first closing cue does not count, where none does."""


NOTHING = Spotted()


def spot(text: str, known: Lexicon) -> Spotted:
    """Find the cues that count.

    Args:
        text: What was said, in any of the languages of the lexicon.
        known: The cues.
    """
    folded = _folded(text)
    if known.unspaced is not None:
        folded = known.unspaced.sub(r" \g<0> ", folded)
    if known.signs.isdisjoint(_SINGLE_WORD.findall(folded)):
        return NOTHING
    said = read_utterance(folded, known.openers, known.clause_endings)
    found = list(occurrences(said, known))
    if not found:
        return NOTHING
    return _judged(said, found, known)


def _folded(text: str) -> str:
    """The text folded, without the single letters that chats append to a word; quick where nothing is hidden."""
    if text.isascii():
        return text.lower()
    text = _LETTERS.sub(" ", text)
    folded = _LOOSE_LETTERS.sub(" ", unicodedata.normalize("NFKC", text)).casefold()
    return folded if folded.replace("\n", " ").isprintable() else fold(text)


def _judged(said: Utterance, found: list[Occurrence], known: Lexicon) -> Spotted:
    covered = frozenset(place for one in found for place in range(one.begin, one.end))
    whole = {said.clauses[clause.begin]: clause for clause in clauses(said, covered, known)}
    placed = [one for one in found if is_placed(said, one, whole[said.clauses[one.begin]], known)]
    topic = next(
        (one for one in placed if one.meaning is None and not is_denied(one, whole[said.clauses[one.begin]])), None
    )
    closing = [one for one in placed if one.meaning is not None]
    if not closing:
        return Spotted(new_topic=None if topic is None else topic.text)
    verdicts = list(_verdicts(said, closing, _parts(said, list(whole.values()), topic, known), covered, known))
    counting = sorted((one for one, why in verdicts if not why), key=lambda one: one.meaning != "success")
    return Spotted(
        closing=counting[0].text if counting else None,
        meaning=counting[0].meaning if counting else None,
        new_topic=None if topic is None else topic.text,
        passed_over=None if counting or not verdicts else f"{verdicts[0][0].text!r} is {verdicts[0][1]}",
    )


def _parts(
    said: Utterance, whole: list[Clause], topic: Occurrence | None, known: Lexicon
) -> Iterator[tuple[list[Clause], AbstractSet[int]]]:
    """The clauses before the new topic and those behind it, each with its sentences that ask.

    A question, an order or a contrast counts against a closing cue of its own part only.
    """
    if topic is None:
        yield whole, said.asked
        return
    before = [clause for clause in whole if clause.end <= topic.begin]
    behind = [clause for clause in whole if clause.begin >= topic.end]
    cut = next(clause for clause in whole if clause.begin <= topic.begin < clause.end)
    # in "thanks, but another question" the contrast belongs to the question
    if said.words[cut.begin] not in known.openers:
        before.append(replace(cut, end=topic.begin))
    behind.insert(0, replace(cut, begin=topic.end, lead=max(cut.lead, topic.end)))
    yield before, said.asked - {cut.sentence}
    yield behind, said.asked


def _verdicts(
    said: Utterance,
    closing: list[Occurrence],
    split: Iterable[tuple[list[Clause], AbstractSet[int]]],
    covered: AbstractSet[int],
    known: Lexicon,
) -> Iterator[tuple[Occurrence, str]]:
    """Each closing cue with why it does not count, or an empty text where it does."""
    for part, asked in split:
        clause_of = {clause.number: clause for clause in part}
        sentences = {clause.sentence for clause in part}
        around = survey(said, part, asked & sentences, covered, known)
        for one in closing:
            clause = clause_of.get(said.clauses[one.begin])
            if clause is not None and clause.begin <= one.begin < clause.end:
                yield one, _against(one, clause, around)


def _against(one: Occurrence, clause: Clause, around: Surroundings) -> str:
    if clause.sentence in around.asked:
        return "asked"
    if around.is_contrasted(clause.sentence, one.end):
        return "contrasted"
    if one.meaning != "thanks" and around.is_negated(clause.number, one.begin):
        return "negated"
    if one.meaning != "success" and (around.asked or around.orders):
        return "said beside a request"
    return ""
