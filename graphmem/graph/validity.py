"""When a memory holds: pure filters and rules over its two clocks.

In the world a statement holds from valid_from until valid_to; in the store a memory stands from
created_at until superseded_at. A statement that retires an older one also ends it in the world, from
the moment the newer one holds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime, timedelta

from graphmem.graph.records import And, Equals, Filter, In, Missing, NodeRecord, Range, Value
from graphmem.models.fields import OPEN_END
from graphmem.models.memories import MEMORY_KINDS, Memory, TimedStatement

TIMED_KINDS = ("fact", "preference")
"""Kinds that hold for a time in the world; the others stand until they are superseded."""

_MOMENT = timedelta(microseconds=1)
"""An interval is closed at its begin and open at its end, a filter's range closed at both."""


def standing(kinds: Iterable[str] | None = None) -> Filter:
    """What has not been superseded.

    Args:
        kinds: Only of these kinds; None: of all.
    """
    stands: Filter = Equals("superseded_at", OPEN_END)
    return stands if kinds is None else And((stands, In("kind", tuple(kinds))))


def holding(at: datetime, kinds: Iterable[str] | None = None) -> tuple[Filter, ...]:
    """What held at a moment, as filters of which a memory matches at most one.

    A statement holds from valid_from (one without: always) and before valid_to, whether or not it was
    superseded later. Other kinds hold from when they were said until they were superseded.

    Args:
        at: The moment, in UTC.
        kinds: Only of these kinds; None: of all.
    """
    wanted = set(MEMORY_KINDS if kinds is None else kinds)
    timed = tuple(kind for kind in TIMED_KINDS if kind in wanted)
    others = tuple(kind for kind in MEMORY_KINDS if kind in wanted - set(timed))
    after = min(at, OPEN_END - _MOMENT) + _MOMENT
    filters: list[Filter] = []
    if timed:
        filters += _begun("valid_from", at, In("kind", timed), Range("valid_to", low=after))
    if others:
        filters += _begun("at", at, In("kind", others), Range("superseded_at", low=after))
    return tuple(filters)


def _begun(name: str, at: datetime, *conditions: Filter) -> list[Filter]:
    return [And((Range(name, high=at), *conditions)), And((Missing(name), *conditions))]


def holds(record: NodeRecord, at: datetime) -> bool:
    """Whether a memory held at a moment: the rule that `holding` asks of a store."""
    begin, end = (
        ("valid_from", "valid_to") if record.properties["kind"] in TIMED_KINDS else ("at", "superseded_at")
    )
    began = record.properties.get(begin)
    ended = record.properties.get(end, OPEN_END)
    return (not isinstance(began, datetime) or began <= at) and isinstance(ended, datetime) and at < ended


def retired(older: NodeRecord, newer: Memory, now: datetime) -> dict[str, Value]:
    """What becomes of a memory that a newer one supersedes.

    Args:
        older: The memory as stored.
        newer: What retires it.
        now: When this is recorded.

    Returns:
        Properties to set: it stands no longer and, being a statement that was still valid, it ends in
        the world where the newer one begins; no earlier than its own begin.
    """
    stood_until = older.properties.get("superseded_at", OPEN_END)
    changes: dict[str, Value] = {
        "superseded_at": min(stood_until, now) if isinstance(stood_until, datetime) else now
    }
    end = older.properties.get("valid_to")
    if not isinstance(end, datetime):
        return changes
    begins = (newer.valid_from if isinstance(newer, TimedStatement) else None) or newer.at or now
    own_begin = older.properties.get("valid_from")
    if isinstance(own_begin, datetime):
        begins = max(begins, own_begin)
    if begins < end:
        changes["valid_to"] = begins
    return changes


def only_repeats(record: NodeRecord, others: Iterable[NodeRecord]) -> bool:
    """Whether a memory holds for no time of its own, since another one says the same and stands for both."""
    properties = record.properties
    if properties.get("valid_from") is None or properties.get("valid_from") != properties.get("valid_to"):
        return False
    return any(
        other.id != record.id
        and record.id in _asserting(other)
        and properties.get("user_id") == other.properties.get("user_id")
        for other in others
    )


def _asserting(record: NodeRecord) -> list[str]:
    text = record.properties.get("assertions")
    return [one["source"] for one in json.loads(text)] if isinstance(text, str) else []
