"""Applies the Korean rules for facts to one sentence: pure.

A rule is tried where a clause begins, after the words that may open one. Korean leaves out its subject, so the
topic decides whom a clause is about: the last one that was named, in this sentence or before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from graphmem.language.fact_rules import FactRule, fact_rules, grammar
from graphmem.language.found import Found, named, time_beside, without
from graphmem.language.particles import agrees
from graphmem.language.relative_time import find_times
from graphmem.language.sentences import COVER, Sentence, is_hypothetical, is_reported
from graphmem.language.undated import undated_times

_UNSAID_SUBJECT = 0.85
"""Factor on the prior of a clause that leaves out its subject."""

_JOIN = re.compile(r"(?<=\S)(?:와|과|랑|이랑|하고)\s+|\s*,\s*|를\s+(?=\S)")
_OWN = re.compile(r"(?:제|내|저의|저희|우리)\s")


@dataclass(frozen=True, slots=True)
class _Grammar:
    """What stands around a fact."""

    first_person: re.Pattern[str]
    opening: re.Pattern[str]
    opener: re.Pattern[str]
    clause_break: re.Pattern[str]
    other_topic: re.Pattern[str]
    bad_object: re.Pattern[str]
    companion: re.Pattern[str]


@cache
def _grammar() -> _Grammar:
    first, openers = grammar("ko", "first_person"), grammar("ko", "openers")
    return _Grammar(
        first_person=re.compile(rf"(?:^|(?<=\s)){first}(?=[\s,]|$)"),
        opening=re.compile(rf"(?:(?:{first}|{openers})(?=[\s,.!]|$)[\s,.!~]*|\s+)*"),
        opener=re.compile(rf"\s*{openers}$"),
        clause_break=re.compile(grammar("ko", "clause_break")),
        other_topic=re.compile(grammar("ko", "other_topic")),
        bad_object=re.compile(grammar("ko", "bad_object")),
        companion=re.compile(grammar("ko", "companion")),
    )


def facts_of_korean(sentence: Sentence, said_at: datetime, *, is_about_others: bool) -> Iterator[Found]:
    """What the rules find in a sentence that asserts something; nothing in any other.

    Args:
        sentence: The sentence.
        said_at: When it was said.
        is_about_others: Whether the sentences before speak of somebody else, so an unsaid subject is theirs.
    """
    text = sentence.asserted
    rules = fact_rules("ko").cued(text)
    if not rules or sentence.is_question or is_hypothetical(text, "ko") or is_reported(text, "ko"):
        return
    times = find_times(text, said_at)
    covered = without(text, *((time.start, time.end) for time in times), *undated_times(text))
    for one in rules:
        if not one.fits(text):
            continue
        read = text if one.rule.reads_times else covered
        for match, factor in _matches(one.pattern(), read, is_about_others=is_about_others):
            if _is_object(match, one.rule):
                when = time_beside(text, match, times)
                names = named(match["object"], _JOIN if one.rule.is_list else None)
                yield from (Found(one.rule, match.start(), name, when, factor) for name in names)


def is_about_others_after(text: str, *, before: bool) -> bool:
    """Whether somebody else is the topic after a sentence, given whether it was so before."""
    if _grammar().first_person.search(text):
        return False
    return before or _names_other(text)


def _matches(
    pattern: re.Pattern[str], text: str, *, is_about_others: bool
) -> Iterator[tuple[re.Match[str], float]]:
    """Where a pattern begins a clause, with the factor of its subject."""
    known = _grammar()
    for start in (0, *(found.end() for found in known.clause_break.finditer(text))):
        opening = known.opening.match(text, start)
        end = opening.end() if opening else start
        match = pattern.match(text, end)
        if match and (factor := _subject_factor(text, start, end, is_about_others=is_about_others)):
            yield match, factor


def _subject_factor(text: str, start: int, end: int, *, is_about_others: bool) -> float:
    """1 when the clause is the speaker's, less when it names nobody, 0 when it is about somebody else."""
    known = _grammar()
    if known.first_person.search(text[start:end].strip()) or _OWN.match(text, end):
        return 1.0
    if known.first_person.search(text[:start]):
        return 1.0
    return 0.0 if is_about_others or _names_other(text[:start]) else _UNSAID_SUBJECT


def _names_other(text: str) -> bool:
    known = _grammar()
    return any(not known.opener.match(match[0]) for match in known.other_topic.finditer(text))


def _is_object(match: re.Match[str], rule: FactRule) -> bool:
    """Whether an object can be one: its particle agrees with it, and it is one phrase that names something."""
    name, particle = match["object"], match.groupdict().get("particle")
    if COVER in name or _grammar().bad_object.search(name):
        return False
    if not rule.is_list and _grammar().companion.search(name):
        return False
    return particle is None or agrees(name.strip(), particle)
