"""Finds facts in what was said, in Korean and English, by rules: pure, no model, no clock.

Only what the speaker asserts in the first person counts: no question, quotation, code, supposition, wish, plan,
report or denial. A denial of what held before ("I no longer live in Seoul") is a fact that has ended.
Left out: facts about others, facts spread over sentences, and pronouns. Precision comes before recall.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from graphmem.errors import InvalidInputError
from graphmem.language.english_facts import facts_of_english
from graphmem.language.found import Found
from graphmem.language.korean_facts import facts_of_korean, is_about_others_after
from graphmem.language.periods import Interval
from graphmem.language.sentences import Sentence, split_sentences

SELF = "user"
"""Subject of a first-person sentence when the speaker's name is not known."""

_MAX_SENTENCE = 600
"""Characters: what is longer is a listing or a log, where first-person rules only misread."""


@dataclass(frozen=True, slots=True)
class FoundFact:
    """A fact as a sentence states it."""

    subject: str
    """The speaker's name, or "user"."""
    predicate: str
    """The relation, such as lives_in."""
    object: str
    """To whom or what, as written, without articles and particles."""
    sentence: str
    """The evidence: the sentence as written, in NFC."""
    valid_from: datetime | None
    """UTC start of the time from which it holds; None when the sentence does not say."""
    valid_to: datetime | None
    """UTC end of the time in which it ended, never after it was said; None when the sentence does not say."""
    confidence: float
    """Prior of the rule, lowered when the subject is left out; 0..1."""
    rule: str
    """Name of the rule that found it."""
    ended: bool = False
    """Whether it holds no longer: the caller closes the open fact instead of adding one."""


def find_facts(text: str, *, speaker: str | None, said_at: datetime) -> tuple[FoundFact, ...]:
    """The facts that a message states about its speaker, in order, each once.

    >>> from datetime import UTC
    >>> found = find_facts("I moved to Seoul in March.", speaker="Mina", said_at=datetime(2026, 12, 1, tzinfo=UTC))
    >>> [(fact.subject, fact.predicate, fact.object, fact.valid_from.date().isoformat()) for fact in found]
    [('Mina', 'lives_in', 'Seoul', '2026-03-01')]

    Args:
        text: The message; NFC and NFD give the same facts.
        speaker: Name of who says it; None or blank: "user".
        said_at: When it was said; relative times count from it in its own offset.

    Raises:
        InvalidInputError: The time is naive.
    """
    if said_at.utcoffset() is None:
        raise InvalidInputError("said_at has no offset: pass an aware datetime, such as datetime.now(UTC)")
    subject = unicodedata.normalize("NFC", speaker or "").strip() or SELF
    seen: dict[tuple[str, str, bool], FoundFact] = {}
    for sentence, found in _found(unicodedata.normalize("NFC", text), said_at):
        fact = _fact(subject, sentence, found, said_at)
        seen.setdefault((fact.predicate, fact.object.casefold(), fact.ended), fact)
    return tuple(seen.values())


def _found(text: str, said_at: datetime) -> Iterator[tuple[Sentence, Found]]:
    """What the rules find sentence by sentence; a Korean topic stays until the next one."""
    is_about_others = False
    for sentence in split_sentences(text):
        if len(sentence.text) > _MAX_SENTENCE:
            continue
        if sentence.language == "en":
            found = sorted(facts_of_english(sentence, said_at), key=_start)
        elif sentence.language == "ko":
            found = sorted(facts_of_korean(sentence, said_at, is_about_others=is_about_others), key=_start)
            is_about_others = is_about_others_after(sentence.asserted, before=is_about_others)
        else:
            continue
        yield from ((sentence, one) for one in found)


def _start(found: Found) -> int:
    return found.start


def _fact(subject: str, sentence: Sentence, found: Found, said_at: datetime) -> FoundFact:
    rule = found.rule
    when = found.when.interval if found.when else None
    return FoundFact(
        subject=subject,
        predicate=rule.predicate,
        object=found.object,
        sentence=sentence.text,
        valid_from=_begins(rule.timing, when),
        valid_to=_ends(when, said_at) if rule.timing == "end" else None,
        confidence=round(rule.prior * found.factor, 3),
        rule=rule.name,
        ended=rule.ended,
    )


def _begins(timing: str, when: Interval | None) -> datetime | None:
    """An event begins what it names; a state only says since when."""
    if when is None or timing not in {"start", "since"}:
        return None
    return when.start if timing == "start" or when.end is None else None


def _ends(when: Interval | None, said_at: datetime) -> datetime | None:
    """The end of the time named, cut at the message: it is over by then."""
    if when is None:
        return None
    end = when.start if when.end is None else when.end
    return min(end, said_at.astimezone(end.tzinfo))
