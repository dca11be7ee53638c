"""Finds instructions in one English sentence: pure.

Three forms: steps for a goal ("to deploy: first ..., then ..."), steps without one ("first ..., then ..."), and
rules that hold every time ("always ... before you ..."). Every step must be an order; a single request ("call me
before you leave"), a story and a question are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from graphmem.language.instructions.values import Instruction, for_goal, of_steps
from graphmem.language.instructions.verbs import from_gerund, is_step
from graphmem.language.sentences import Sentence

_OPENER = re.compile(
    r"(?:(?:please|ok|okay|so|and|also|note|important|reminder|remember(?:\s+(?:this|that))?|keep\s+in\s+mind(?:\s+that)?"
    r"|from\s+now\s+on|as\s+a\s+rule)\s*[,:]?\s+)+",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    r"\b(?:always|never|every\s+time|each\s+time|whenever|from\s+now\s+on|as\s+a\s+rule|remember\s+(?:this|that))\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:if\s+you\s+had|would|could|might|maybe|perhaps|for\s+example|for\s+instance|e\.g|unless|not\s+sure"
    r"|said|says|told|tells|wrote|writes|claims?|according\s+to|don't\s+have\s+to|do\s+not\s+have\s+to"
    r"|don't\s+need\s+to|needn't|no\s+need\s+to|yesterday|last\s+(?:week|month|year|night)|used\s+to)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:I|he|she|they|we)\b", re.IGNORECASE)

_GOAL = re.compile(
    r"(?:in\s+order\s+)?to\s+(?P<to>[^,:;]{2,80}?)\s*[,:]\s*(?P<rest>.+)"
    r"|when(?:ever)?\s+(?:you\s+(?P<you>[^,:;]{2,80}?)|(?P<ing>\w+ing\b[^,:;]{0,80}?))\s*[,:]\s*(?P<then>first\b.+)",
    re.IGNORECASE | re.DOTALL,
)
_OCCASION = re.compile(r"\s*when(?:ever)?\s+(?:you\b|\w+ing\b)", re.IGNORECASE)
_FIRST = re.compile(r"first(?:ly)?(?:\s+of\s+all)?\s*[,:]?\s+", re.IGNORECASE)
_THEN = re.compile(
    r"(?:[,;.]\s*|\s+)(?:and\s+)?(?:then|next|after\s+that|afterwards|secondly|thirdly|finally|lastly)\b\s*,?\s*(?:and\s+)?",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"(?:(?:please|always|also|just|you|we|must|should|need\s+to|have\s+to|make\s+sure\s+to|be\s+sure\s+to"
    r"|don't\s+forget\s+to|remember\s+to)\s+)+",
    re.IGNORECASE,
)
_LAST_WORDS = re.compile(r"\s*(?:first|please|every\s+time|each\s+time|always)\s*$", re.IGNORECASE)

_BEFORE = re.compile(r"(?P<first>.+?)\s+(?:before|prior\s+to)\s+(?P<second>.+)", re.IGNORECASE)
_BEFORE_AHEAD = re.compile(r"(?:before|prior\s+to)\s+(?P<second>[^,]+),\s*(?P<first>.+)", re.IGNORECASE)
_AFTER_AHEAD = re.compile(r"after\s+(?P<first>[^,]+),\s*(?P<second>.+)", re.IGNORECASE)
_NEVER = re.compile(r"never\s+(?P<second>.+?)\s+(?:before|without)\s+(?P<first>.+)", re.IGNORECASE)
_WHENEVER = re.compile(
    r"(?:whenever|every\s+time|each\s+time)\s+you\s+(?P<when>[^,]+),\s*(?P<step>.+)", re.IGNORECASE
)


def instructions_of_english(sentence: Sentence) -> Iterator[Instruction]:
    """What a sentence tells its reader to do, at most one thing."""
    covered = sentence.asserted.rstrip(" .!")
    if _asks(sentence) or _UNSURE.search(covered):
        return
    opener = _OPENER.match(covered)
    start = opener.end() if opener else 0
    body = _Body(sentence.text[start : len(covered)], covered[start:])
    found = _goal(body, sentence.text) or _sequence(body, sentence.text)
    if found is None and _GENERIC.search(covered):
        found = _rule(body, sentence.text)
    if found is not None:
        yield found


def _asks(sentence: Sentence) -> bool:
    """Whether a sentence is a question; "when deploying, ..." is one by its mark alone."""
    return "?" in sentence.asserted or (sentence.is_question and not _OCCASION.match(sentence.asserted))


class _Body:
    """A sentence without its opener, as written and with what it cites covered up: of one length."""

    def __init__(self, written: str, covered: str) -> None:
        self.written = written
        self.covered = covered


def steps_of_sequence(written: str, covered: str, *, least: int) -> tuple[str, ...] | None:
    """The steps that "first" and "then" cut a text into; None unless all of them are orders.

    Args:
        written: The text.
        covered: The same characters with citations covered up.
        least: Fewest words of order, such as "then", between steps.
    """
    first = _FIRST.match(covered)
    begin = first.end() if first else 0
    cuts = list(_THEN.finditer(covered, begin))
    if len(cuts) < least:
        return None
    bounds = [(begin, begin), *(match.span() for match in cuts), (len(covered), len(covered))]
    parts = [written[end:start] for (_, end), (start, _) in pairwise(bounds)]
    return _orders(parts)


def _goal(body: _Body, sentence: str) -> Instruction | None:
    match = _GOAL.match(body.covered)
    if match is None:
        return None
    goal = match["to"] or match["you"] or from_gerund(match["ing"] or "")
    group = "rest" if match["rest"] else "then"
    if not goal or not is_step(goal):
        return None
    start, end = match.span(group)
    steps = steps_of_sequence(body.written[start:end], body.covered[start:end], least=1)
    return None if steps is None else for_goal(goal.strip(), steps, sentence, "en.goal")


def _sequence(body: _Body, sentence: str) -> Instruction | None:
    if not _FIRST.match(body.covered) or _PRONOUN.search(body.covered):
        return None
    steps = steps_of_sequence(body.written, body.covered, least=1)
    return None if steps is None else of_steps(steps, sentence, "en.sequence")


def _rule(body: _Body, sentence: str) -> Instruction | None:
    for name, pattern in (
        ("never", _NEVER),
        ("after", _AFTER_AHEAD),
        ("before", _BEFORE_AHEAD),
        ("before", _BEFORE),
    ):
        match = pattern.fullmatch(body.covered)
        if match is not None:
            parts = [body.written[slice(*match.span(group))] for group in ("first", "second")]
            steps = _orders(parts, gerunds=True)
            return None if steps is None else of_steps(steps, sentence, f"en.{name}")
    match = _WHENEVER.fullmatch(body.covered)
    return None if match is None else _whenever(body.written, match, sentence)


def _whenever(written: str, match: re.Match[str], sentence: str) -> Instruction | None:
    when, said = (written[slice(*match.span(group))] for group in ("when", "step"))
    steps = _orders([said])
    if steps is None or not is_step(when):
        return None
    if re.search(r"\bfirst\s*$", said, re.IGNORECASE):
        return of_steps((*steps, when), sentence, "en.whenever_first")
    return of_steps(steps, sentence, "en.whenever", when)


def _orders(parts: list[str], *, gerunds: bool = False) -> tuple[str, ...] | None:
    """The parts as orders, without polite words; None unless every one of them is an order."""
    steps = []
    for part in parts:
        step = _LAST_WORDS.sub("", part.strip(" ,;.:"))
        polite = _POLITE.match(step)
        step = step[polite.end() :] if polite else step
        if gerunds and not is_step(step):
            step = from_gerund(step) or ""
        if not is_step(step):
            return None
        steps.append(step)
    return tuple(steps)


def opens(sentence: Sentence) -> bool:
    """Whether a sentence may be the first of several steps."""
    return _FIRST.match(sentence.asserted) is not None and not _THEN.search(sentence.asserted)


def over_sentences(sentences: Sequence[Sentence]) -> Iterator[Instruction]:
    """The steps of a first sentence and of those that follow it with "then" or "finally"."""
    run = [sentences[0]]
    for sentence in sentences[1:]:
        if sentence.language != "en" or not _THEN.match(f" {sentence.asserted}"):
            break
        run.append(sentence)
    if len(run) < 2 or any(one.is_question or _UNSURE.search(one.asserted) for one in run):
        return
    covered = " ".join(one.asserted.rstrip(" .!") for one in run)
    written = " ".join(one.text[: len(one.asserted.rstrip(" .!"))] for one in run)
    if not _PRONOUN.search(covered):
        steps = steps_of_sequence(written, covered, least=1)
        if steps is not None:
            yield of_steps(steps, " ".join(one.text for one in run), "en.sentences")
