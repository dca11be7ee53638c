"""Rules for causes between clauses: one event because of another. Since is left out: it mostly tells time."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.language.relations.english.findings import Finding
from graphmem.language.relations.english.parse import Parse
from graphmem.language.relations.english.word_sets import words

_ABLE = words("'d 'll ca can could may might should will wo would")
"""With one of these `so that` tells a purpose."""


def clause_causes(parse: Parse, place: int) -> Iterator[Finding]:
    """What a conjunction at a place says about the events that it joins."""
    if parse.words[place] == "because" and parse.tokens[place].dep == "mark":
        cause = parse.head(place)
        yield from _between(parse, cause, _effect(parse, cause), "causes.because", place)
    elif (
        parse.words[place] == "that"
        and parse.tokens[place].dep == "mark"
        and place
        and parse.words[place - 1] == "so"
    ):
        effect = parse.head(place)
        if parse.is_verb(effect) and not _is_purpose(parse, effect):
            yield from _between(parse, _effect(parse, effect), effect, "causes.so_that", place)


def _effect(parse: Parse, clause: int) -> int:
    return parse.head(clause) if parse.tokens[clause].dep in {"advcl", "ccomp"} else clause


def _between(parse: Parse, cause: int, effect: int, rule: str, at: int) -> Iterator[Finding]:
    if cause != effect and all(parse.is_verb(one) and _has_subject(parse, one) for one in (cause, effect)):
        yield Finding(cause, effect, rule, at, clauses=True)


def _has_subject(parse: Parse, verb: int) -> bool:
    return parse.has(verb, "nsubj", "nsubjpass", "expl", "csubj")


def _is_purpose(parse: Parse, verb: int) -> bool:
    return any(parse.words[child] in _ABLE for child in parse.dependents(verb, "aux"))
