"""Applies the English rules for facts to one sentence: pure.

A rule counts where a clause begins, so that "the city I live in" and "he knows I work at ..." say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache

from graphmem.language.fact_rules import fact_rules, fact_table
from graphmem.language.found import Found, named, time_beside, without
from graphmem.language.relative_time import find_times
from graphmem.language.sentences import COVER, Sentence, is_hypothetical, is_reported
from graphmem.language.undated import undated_times

_FIRST_PERSON = re.compile(r"\b(?:I|i|we|We|my|My|our|Our|me)\b")
_CAPITAL = re.compile(r"[A-Z]")
_BREAK = re.compile(
    r"[,;:.()!…\u2013\u2014]|\s-+\s|-\s|\b(?:and|but|so|because|since|although|though|plus)\b(?!$)"
)
_WORD = re.compile(r"[\w']+")
_JOIN = re.compile(r"\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+")


def facts_of_english(sentence: Sentence, said_at: datetime) -> Iterator[Found]:
    """What the rules find in a sentence that asserts something; nothing in any other."""
    text = sentence.asserted
    if not _FIRST_PERSON.search(text):
        return
    is_cased = _CAPITAL.search(text) is not None
    rules = [one for one in fact_rules("en").cued(text.lower()) if is_cased or not one.rule.is_cased]
    if not rules or sentence.is_question or is_hypothetical(text, "en") or is_reported(text, "en"):
        return
    times = find_times(text, said_at)
    covered = without(text, *((time.start, time.end) for time in times), *undated_times(text))
    for one in rules:
        for match in one.pattern(is_cased=is_cased).finditer(text if one.rule.reads_times else covered):
            if one.fits(text) and _opens_clause(covered[: match.start()]):
                when = time_beside(text, match, times)
                names = named(match["object"], _JOIN if one.rule.is_list else None)
                yield from (Found(one.rule, match.start(), name, when) for name in names)


@cache
def _openers() -> frozenset[str]:
    """Words that may stand between the start of a clause and a fact."""
    return frozenset(fact_table("en")["openers"])


def _opens_clause(before: str) -> bool:
    """Whether only openers stand between the start of the clause and the match."""
    start = max((match.end() for match in _BREAK.finditer(before)), default=0)
    return COVER not in before[-2:] and _openers().issuperset(_WORD.findall(before[start:].lower()))
