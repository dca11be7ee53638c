"""Finds where a text itself says that two names are one thing: pure, never by similarity.

Read are abbreviations in brackets or behind `or`, proved by their letters ("Random Access Memory, or RAM");
names in Korean and in another script side by side ("서울(Seoul)"); and what says so in words ("also known
as", "a.k.a.", 일명, 이른바). What stands in brackets for another reason (a place, a year, an office) is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from graphmem.graph.folding import fold
from graphmem.language.extraction import ConceptMention
from graphmem.language.particles import strip_particle
from graphmem.language.relations.alias_forms import MAX_CHARACTERS, MAX_WORDS, Form, alias_form, aliases_in
from graphmem.language.relations.initials import abbreviates, looks_short

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Introduction:
    """A place where a text gives a thing a second name."""

    name: str
    """The fuller name, or the one that stands outside the brackets."""
    alias: str
    form: Form
    start: int
    """Offset of the name in the text."""
    end: int
    """Offset behind the name."""


_BRACKETS = re.compile(r"[ \t]?[(（]([^()（）\n]{1,320})[)）]")

_STATED_BEHIND = re.compile(
    r"[,，]?\s{0,3}(?:\b(?:which is|who is|is|or)\s{1,3})?(?:(?:\b(?:also|better|commonly)\s(?:known|called|"
    r"referred\sto)(?:\sas)?|\ba\.?\s?k\.?\s?a\.?|\bshort\sfor|\bstands\sfor|\babbreviated(?:\s(?:as|to))?)"
    r"(?=[\s\"'“‘])|(?<=[,，])\s{0,3}(?:일명|이른바|속칭|줄여서)(?=[\s\"'“‘]))\s{0,3}",
    re.IGNORECASE,
)
_OR = re.compile(r"[,，]\s{1,3}or\s{1,3}(?=[A-Z0-9])")

_QUOTED = re.compile("[\"“'‘「『]([^\"”'’」』\n]{1,80})[\"”'’」』]")
_CAPITALISED = re.compile(
    r"(?:(?:the|The)\s+)?[A-Z0-9][\w'’.&-]*(?:\s+(?:(?:of|the|and|for|de|la|van|von|in)\s+){0,2}[A-Z0-9][\w'’.&-]*)*"
)
_WORD_RUN = re.compile(r"[^\W_][\w'’.&-]*(?:\s+[^\W_][\w'’.&-]*)*")
_STOP = re.compile(
    r"\s+(?:is|are|was|were|be|been|has|have|had|can|could|may|might|will|would|and|but|which|who|that|in|on|at|"
    r"by|from|to|when|where|because|so)\s.*$",
    re.IGNORECASE | re.DOTALL,
)
_BEFORE_EN = re.compile(r"[A-Za-z][\w'’&./-]*(?:\s+[A-Za-z][\w'’&./-]*){0,11}$")
_BEFORE_KO = re.compile("[\uac00-\ud7a3][\uac00-\ud7a3\\w·-]*$")
_KOREAN_WORD = re.compile("[\uac00-\ud7a3]+")
_LOOK_BACK = 160
"""Characters before a bracket among which its name is looked for, and behind a cue among which its alias is."""

_PRONOUNS = "he she it they we you i this that these those who which there 그 그녀 이것 그것 저것 이 저"
_NO_NAMES = frozenset(_PRONOUNS.split())
"""Words that stand for a name."""


def introductions(text: str, spans: Sequence[Span] = ()) -> tuple[Introduction, ...]:
    """Every second name that a text gives, in order.

    Args:
        text: A sentence or more.
        spans: Where an analyzer found names: they say where the name before a bracket begins. Without one that
            ends there, an abbreviation's letters say it; else it is the run of capitalised words, or in Korean
            the word before.
    """
    ends: dict[int, Span] = {}
    for span in spans:
        widest = ends.get(span[1])
        if widest is None or span[0] < widest[0]:
            ends[span[1]] = span
    found = [*_in_brackets(text, ends), *_behind(text, ends)]
    unique = {(one.start, one.alias): one for one in sorted(found, key=lambda one: (one.start, one.end))}
    return tuple(unique.values())


def with_aliases(text: str, mentions: Sequence[ConceptMention]) -> tuple[ConceptMention, ...]:
    """The mentions, each with the aliases that the text gives for it; those of one key share them.

    Args:
        text: What was read.
        mentions: With offsets into the text.
    """
    said: dict[Span, list[str]] = {}
    for one in introductions(text, [(mention.start, mention.end) for mention in mentions]):
        said.setdefault((one.start, one.end), []).append(one.alias)
    by_key: dict[str, list[str]] = {}
    for mention in mentions:
        by_key.setdefault(mention.key, []).extend(said.get((mention.start, mention.end), ()))
    return tuple(
        replace(mention, aliases=tuple(dict.fromkeys((*mention.aliases, *by_key[mention.key]))))
        if by_key[mention.key]
        else mention
        for mention in mentions
    )


def _in_brackets(text: str, ends: dict[int, Span]) -> Iterator[Introduction]:
    for bracket in _BRACKETS.finditer(text):
        span = _name_before(text, bracket.start(), bracket[1], ends)
        if span is None:
            continue
        name = text[span[0] : span[1]]
        inside = bracket[1]
        if looks_short(name) and abbreviates(name, inside.strip()):
            # NYC (New York City): the full name is the name
            start = bracket.start(1) + len(inside) - len(inside.lstrip())
            yield Introduction(inside.strip(), name, "abbreviation", start, start + len(inside.strip()))
            continue
        for alias, form in aliases_in(inside, name):
            yield Introduction(name, alias, form, *span)


def _behind(text: str, ends: dict[int, Span]) -> Iterator[Introduction]:
    for said in _OR.finditer(text):
        short = _CAPITALISED.match(text, said.end())
        span = _spelled_out(text, said.start(), short[0].rstrip(".")) if short else None
        if short and span:
            yield Introduction(text[slice(*span)], short[0].rstrip("."), "abbreviation", *span)
    for said in _STATED_BEHIND.finditer(text):
        span = _name_before(text, said.start(), "", ends)
        alias = _name_behind(text, said.end()) if span else None
        if span is None or alias is None:
            continue
        name = text[slice(*span)]
        if looks_short(name) and abbreviates(name, alias):
            start = text.index(alias, said.end())
            yield Introduction(alias, name, "abbreviation", start, start + len(alias))
        elif not re.search("stands", said[0], re.IGNORECASE):
            form = alias_form(alias, name, stated=True, known=[])
            if form is not None:
                yield Introduction(name, alias, form, *span)


def _name_before(text: str, end: int, inside: str, ends: dict[int, Span]) -> Span | None:
    """Where the name lies that ends here."""
    short = re.split("[,;、]", inside)[0].strip()
    span = _spelled_out(text, end, short) or ends.get(end) or _name_run(text, end)
    return None if span is None or fold(text[slice(*span)]) in _NO_NAMES else span


def _name_run(text: str, end: int) -> Span | None:
    """The name that ends here, by its looks: a Korean word, a run of capitalised words, or one word."""
    before = text[max(0, end - _LOOK_BACK) : end]
    korean = _BEFORE_KO.search(before)
    if korean:
        # a bare noun before it may belong to the name: only an analyzer can tell
        return (end - len(korean[0]), end) if _begins_a_phrase(before[: korean.start()]) else None
    capitalised = [found for found in _CAPITALISED.finditer(before) if found.end() == len(before)]
    if capitalised:
        return end - len(_without_article(capitalised[0][0])), end
    word = re.search(r"[^\W_][\w'’-]*$", before)
    return (end - len(word[0]), end) if word else None


def _begins_a_phrase(before: str) -> bool:
    """Whether a Korean name begins behind this text: at its start, or behind a particle or a sign."""
    words = before.split()
    return not words or not words[-1][-1].isalnum() or strip_particle(words[-1]) != words[-1]


def _without_article(name: str) -> str:
    return re.sub(r"^(?:the|an?)\s+", "", name, flags=re.IGNORECASE)


def _spelled_out(text: str, end: int, short: str) -> Span | None:
    """The shortest run of words before this place that a short form abbreviates."""
    if not looks_short(short):
        return None
    before = text[max(0, end - _LOOK_BACK) : end]
    run = _BEFORE_EN.search(before)
    if run is None:
        return None
    starts = [run.start() + word.start() for word in re.finditer(r"\S+", run[0])]
    for start in reversed(starts):
        name = before[start:]
        if abbreviates(short, name):
            return end - len(name), end
    return None


def _name_behind(text: str, start: int) -> str | None:
    """The name that begins here: in quotes, capitalised, Korean without its particle, or a few words."""
    behind = text[start : start + _LOOK_BACK]
    quoted = _QUOTED.match(behind)
    if quoted:
        return quoted[1].strip() or None
    korean = _KOREAN_WORD.match(behind)
    if korean:
        return strip_particle(re.sub("(?:이?라고)$", "", korean[0]) or korean[0])
    capitalised = _CAPITALISED.match(behind)
    if capitalised:
        return _without_article(capitalised[0]).rstrip(".")
    run = _WORD_RUN.match(behind[:MAX_CHARACTERS])
    if run is None:
        return None
    name = _without_article(_STOP.sub("", run[0] + " ")).strip().rstrip(".")
    return name if name and len(name.split()) <= MAX_WORDS else None
