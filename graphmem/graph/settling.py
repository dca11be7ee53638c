"""What is stored of one subject and predicate once everything that was said of it is known: pure.

A period of the timeline is one memory. Where a memory was given for it, that one stands for it, the others given
say the same and retire; else it is a memory of its own whose id is made of what it says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any

from graphmem.graph.keys import label_key
from graphmem.graph.mapping.assertions import assertions_of, claims_of, is_statement
from graphmem.graph.mapping.memory import assertions_text, memory_record, to_memory
from graphmem.graph.mapping.values import open_end
from graphmem.graph.predicates import FactPolicy
from graphmem.graph.records import NodeRecord, Value
from graphmem.graph.timeline import Claim, Period, timeline
from graphmem.graph.topics import Topic
from graphmem.graph.unchanging import unchanging_timeline
from graphmem.graph.validity import retired
from graphmem.models.fields import OPEN_END
from graphmem.models.memories import MEMORY, Memory, TimedStatement


@dataclass(frozen=True, slots=True)
class Settled:
    """What to store of one topic."""

    memories: tuple[NodeRecord, ...]
    """All of them as they are to be, the unchanged ones included."""
    superseding: tuple[tuple[str, str], ...]
    """Ids of memories with the ids of the older ones that they retire."""
    doubles: tuple[tuple[str, str], ...]
    """Of these, the pairs of which the older one only says the same."""
    asserted_in: Mapping[str, tuple[str, ...]]
    """Id of each memory -> ids of the messages and episodes that assert it."""
    found_in: Mapping[str, tuple[str, ...]]
    """Id of each memory that was found -> ids of the episodes in which it was."""


def claims_in(records: Iterable[NodeRecord]) -> list[Claim]:
    """All that stored statements claim."""
    memories = (to_memory(record) for record in records)
    return [claim for one in memories if isinstance(one, TimedStatement) for claim in claims_of(one)]


def periods_of(topic: Topic, claims: Iterable[Claim], policy: FactPolicy) -> tuple[Period, ...]:
    """The timeline of a topic.

    Args:
        topic: What all claims bear on.
        claims: All that was said of it.
        policy: How repeating strengthens.
    """
    if topic.is_unchanging:
        return unchanging_timeline(claims, lambda said: _strength(said, policy))
    return timeline(claims, functional=topic.object_key is None)


def settled(
    topic: Topic,
    stored: Sequence[NodeRecord],
    said: Iterable[Claim],
    policy: FactPolicy,
    now: datetime,
    *,
    withdrawn: Collection[str] = (),
    removed: Collection[str] = (),
) -> Settled:
    """Work out what is stored of a topic.

    Args:
        topic: What all claims bear on.
        stored: All that is stored of it now.
        said: What is said besides, or again.
        policy: How repeating strengthens.
        now: Becomes created_at of new memories and superseded_at of those that are retired.
        withdrawn: Messages and episodes whose stored claims no longer count.
        removed: Ids of memories that go, with what they were given as.
    """
    claims = [*_counting(claims_in(stored), withdrawn, removed), *said]
    known = {record.id: record for record in stored if record.id not in removed}
    periods = periods_of(topic, claims, policy)
    names = _names(topic, periods, known)
    followed = {place for period in periods for place in period.follows}
    memories: list[NodeRecord] = []
    superseding: list[tuple[str, str]] = []
    doubled: list[tuple[str, str]] = []
    for place, (period, name) in enumerate(zip(periods, names, strict=True)):
        older = [names[before] for before in period.follows]
        doubles = sorted(_given(period, known) - {name})
        fields = _fields(period, older, policy)
        if name in _given(period, known):
            record = _as_held(known[name], period.claims, fields)
        else:
            record = _kept(_found(topic, name, period, fields, now), known.get(name))
        is_withdrawn = all(claim.retired is not None for claim in period.claims)
        is_retired = place in followed or is_withdrawn or _is_over(period)
        memories.append(_standing(record, now, is_retired=is_retired))
        memories += [_standing(_double(known[one], period), now, is_retired=True) for one in doubles]
        superseding += [(name, one) for one in (*older, *doubles)]
        doubled += [(name, one) for one in doubles]
    asserted = {one.id: _sources(one) for one in memories}
    found_in = {
        name: tuple(sorted({claim.episode for claim in period.claims if claim.episode}))
        for name, period in zip(names, periods, strict=True)
    }
    return Settled(tuple(memories), tuple(superseding), tuple(doubled), asserted, found_in)


def rivals_of(
    topic: Topic, claims: Iterable[Claim], known: Mapping[str, NodeRecord], policy: FactPolicy
) -> tuple[tuple[str, ...], ...]:
    """Memories of a topic that exclude each other: said of the same time, or of what never changes.

    Args:
        topic: What all claims bear on.
        claims: All that was said of it.
        known: What is stored of it, by id.
        policy: How repeating strengthens.

    Returns:
        Groups of two or more ids, sorted.
    """
    periods = periods_of(topic, claims, policy)
    names = _names(topic, periods, known)
    groups: list[set[int]] = []
    for place, period in enumerate(periods):
        facing = {other for other, one in enumerate(periods) if _are_rivals(period, one)}
        if facing:
            joined = [group for group in groups if group & {place, *facing}]
            groups = [group for group in groups if group not in joined]
            groups.append({place, *facing}.union(*joined))
    return tuple(sorted(tuple(sorted(names[place] for place in group)) for group in groups))


def _are_rivals(one: Period, other: Period) -> bool:
    return one.object_key in other.rivals and other.object_key in one.rivals


def fact_id(user: str | None, subject: str, predicate: str, object_: str) -> str:
    """Id of a found fact out of what it says and of whose memory it is."""
    parts = (user or "", *(label_key(part) or "" for part in (subject, predicate, object_)))
    return f"fact-{sha256(chr(0).join(parts).encode()).hexdigest()[:16]}"


def retired_by(older: NodeRecord, newer: Memory, now: datetime) -> NodeRecord:
    """A memory after a newer one was given as superseding it, whatever the two speak of."""
    changes = retired(older, newer, now)
    memory = to_memory(older)
    if isinstance(memory, TimedStatement) and is_statement(memory):
        begins = (newer.valid_from if isinstance(newer, TimedStatement) else None) or newer.at or now
        claims = [replace(claim, retired=min(claim.retired or begins, begins)) for claim in claims_of(memory)]
        text = assertions_text(assertions_of(memory, claims))
        if text is not None:
            changes["assertions"] = text
    return replace(older, properties={**older.properties, **changes})


def _is_over(period: Period) -> bool:
    """Whether it was said to hold no longer, by others than those who say that it held."""
    return len({claim.is_end for claim in period.claims}) > 1 and period.until is not None


def _counting(claims: Iterable[Claim], withdrawn: Collection[str], removed: Collection[str]) -> Iterator[Claim]:
    """Claims without those of withdrawn sources and of removed memories, and without their names."""
    for claim in claims:
        if claim.source in (removed if claim.is_given else withdrawn):
            continue
        sources = tuple(one for one in claim.sources if one not in withdrawn)
        supersedes = None if claim.supersedes in removed else claim.supersedes
        yield replace(claim, sources=sources, supersedes=supersedes)


def _names(topic: Topic, periods: Sequence[Period], known: Mapping[str, NodeRecord]) -> list[str]:
    """The id of each period's memory: a given one, else one of the object and the number of its period."""
    numbers: Counter[str] = Counter()
    names = []
    for period in periods:
        given = _given(period, known)
        if given:
            names.append(min(given))
            continue
        numbers[period.object_key] += 1
        found = fact_id(topic.user_id, topic.subject_key, topic.predicate_key, period.object_key)
        number = numbers[period.object_key]
        names.append(found if number == 1 else f"{found}-{number}")
    return names


def _given(period: Period, known: Mapping[str, NodeRecord]) -> set[str]:
    return {claim.source for claim in period.claims if claim.is_given and claim.source in known}


def _fields(period: Period, older: Sequence[str], policy: FactPolicy) -> dict[str, Any]:
    """What the claims of a period make of the memory that stands for it."""
    telling = [claim for claim in period.claims if not claim.is_end] or period.claims
    sources = (source for claim in period.claims for source in (*claim.sources, claim.source))
    return {
        "valid_from": period.valid_from,
        "valid_to": period.until,
        "confidence": _strength(telling, policy),
        "sources": tuple(dict.fromkeys(sources)),
        "supersedes": older[0] if older else None,
    }


def _strength(claims: Sequence[Claim], policy: FactPolicy) -> float:
    """Confidence out of claims; one source counts once, whatever it says of the same."""
    surest = {claim.source: 0.0 for claim in claims}
    for claim in claims:
        surest[claim.source] = max(surest[claim.source], claim.confidence)
    return policy.strengthened(tuple(sorted(surest.values())))


def _as_held(record: NodeRecord, claims: Sequence[Claim], fields: Mapping[str, Any]) -> NodeRecord:
    """A given memory with what others make of it; its content is what was given."""
    memory = to_memory(record)
    assert isinstance(memory, TimedStatement)  # noqa: S101 (topics hold no others)
    own = next(claim for claim in claims if claim.is_given and claim.source == record.id)
    told = {**fields, "supersedes": own.supersedes or fields["supersedes"]}
    told["sources"] = tuple(one for one in told["sources"] if one != record.id)
    held = memory.model_copy(update={**told, "assertions": ()})
    assertions = assertions_of(held, claims)
    changes: dict[str, Value | None] = {
        "valid_from": held.valid_from,
        "valid_to": open_end(held.valid_to),
        "confidence": held.confidence,
        "sources": list(held.sources) or None,
        "supersedes": held.supersedes,
        "assertions": assertions_text(assertions),
    }
    properties = {**record.properties, **changes}
    return replace(record, properties={name: value for name, value in properties.items() if value is not None})


def _double(record: NodeRecord, period: Period) -> NodeRecord:
    """A given memory that says what another one stands for: it holds for no time of its own."""
    own = [claim for claim in period.claims if claim.is_given and claim.source == record.id]
    nothing = {"valid_from": period.begins, "valid_to": period.begins, "confidence": own[0].confidence}
    return _as_held(record, own, {**nothing, "sources": own[0].sources, "supersedes": None})


def _found(topic: Topic, name: str, period: Period, fields: Mapping[str, Any], now: datetime) -> NodeRecord:
    """A memory of what was found; its words are those of who said it first."""
    telling = [claim for claim in period.claims if not claim.is_end] or period.claims
    first = min(telling, key=lambda claim: (claim.at or now, claim.order))
    said = [claim.at for claim in telling if claim.at is not None]
    words = {name: getattr(first, name) for name in ("text", "why", "subject", "predicate", "object")}
    memory = MEMORY.validate_python(
        {
            "id": name,
            "kind": topic.kind,
            "user_id": topic.user_id,
            "at": max(said, default=None),
            **fields,
            "supersedes": None,
            "sources": _by_time(period.claims),
            **words,
        }
    )
    assert isinstance(memory, TimedStatement)  # noqa: S101 (topics hold no others)
    told = memory.model_copy(update={"assertions": assertions_of(memory, period.claims)})
    record = memory_record(told, now)
    late = {"supersedes": fields["supersedes"]} if fields["supersedes"] else {}
    return replace(record, properties={**record.properties, **late})


def _kept(record: NodeRecord, stored: NodeRecord | None) -> NodeRecord:
    """A record with the bookkeeping of the one that it takes the place of."""
    if stored is None:
        return record
    names = ("created_at", "superseded_at", "counts")
    kept = {name: stored.properties[name] for name in names if name in stored.properties}
    return replace(record, properties={**record.properties, **kept})


def _by_time(claims: Iterable[Claim]) -> tuple[str, ...]:
    ordered = sorted(claims, key=lambda claim: (claim.at is None, claim.at or OPEN_END, claim.order))
    return tuple(dict.fromkeys(claim.source for claim in ordered))


def _standing(record: NodeRecord, now: datetime, *, is_retired: bool) -> NodeRecord:
    stood = record.properties.get("superseded_at", OPEN_END)
    until: Value = OPEN_END if not is_retired else (stood if stood != OPEN_END else now)
    return replace(record, properties={**record.properties, "superseded_at": until})


def _sources(record: NodeRecord) -> tuple[str, ...]:
    sources = record.properties.get("sources")
    return tuple(str(one) for one in sources) if isinstance(sources, list) else ()
