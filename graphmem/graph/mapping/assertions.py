"""Statements to the claims that say them, and back: pure.

A statement that was given is a claim of its own, whose source is its id. What is worked out of several claims
replaces its times, confidence and sources; the assertions keep what each one said.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.graph.keys import label_key
from graphmem.graph.timeline import Claim
from graphmem.models.memories import Assertion, Memory, TimedStatement

_WORDS = ("text", "why", "subject", "predicate", "object")
"""What an assertion leaves out where the memory says the same."""
_REST = (
    "source",
    "episode",
    "at",
    "valid_from",
    "valid_to",
    "retired",
    "confidence",
    "is_given",
    "supersedes",
    "sources",
)


def is_statement(memory: Memory) -> bool:
    """Whether a memory says something of a subject, in words that keys can be made of."""
    return isinstance(memory, TimedStatement) and all(
        name is not None and label_key(name) for name in (memory.subject, memory.predicate, memory.object)
    )


def claims_of(memory: TimedStatement) -> list[Claim]:
    """What a statement, or each of its assertions, claims."""
    told = memory.assertions or (_own(memory),)
    return [_claim(memory, one) for one in told]


def assertions_of(memory: TimedStatement, claims: Sequence[Claim]) -> tuple[Assertion, ...]:
    """Claims as the assertions of a memory; none where they say no more than the memory does."""
    told = tuple(_assertion(memory, claim) for claim in sorted(set(claims), key=lambda claim: claim.order))
    return () if told == (_own(memory),) else told


def as_given(memory: Memory) -> Memory:
    """A memory as it was given, or found, before others changed when it holds."""
    if not isinstance(memory, TimedStatement) or not memory.assertions:
        return memory
    own = next((one for one in memory.assertions if one.is_given and one.source == memory.id), None)
    if own is None:
        found = {"valid_from": None, "valid_to": None, "confidence": 1.0, "supersedes": None}
        return memory.model_copy(update=found)
    fields = ("at", "valid_from", "valid_to", "confidence", "supersedes", "sources")
    return memory.model_copy(update={"assertions": (), **{name: getattr(own, name) for name in fields}})


def _own(memory: TimedStatement) -> Assertion:
    """The assertion of a memory that was given."""
    return Assertion(
        source=memory.id,
        at=memory.at,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        confidence=memory.confidence,
        is_given=True,
        supersedes=memory.supersedes,
        sources=memory.sources,
    )


def _claim(memory: TimedStatement, told: Assertion) -> Claim:
    words = {name: getattr(told, name) or getattr(memory, name) for name in _WORDS}
    rest = {name: getattr(told, name) for name in _REST}
    return Claim(object_key=label_key(words["object"] or "") or "", **words, **rest)


def _assertion(memory: TimedStatement, claim: Claim) -> Assertion:
    words = {name: getattr(claim, name) for name in _WORDS if getattr(claim, name) != getattr(memory, name)}
    return Assertion(**words, **{name: getattr(claim, name) for name in _REST})
