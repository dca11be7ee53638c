"""What is written reads back as the same model, and equal models give equal lines."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef
from graphmem.models.concept import Concept, Relation, RelationType
from graphmem.models.episode import Cause, Episode, Step
from graphmem.models.memories import MEMORY, MEMORY_KINDS
from graphmem.models.message import Message, Session
from graphmem.models.procedure import Procedure
from graphmem.transfer.decoding import decode_object
from graphmem.transfer.items import OutcomeRecord
from graphmem.transfer.jsonl import parse_record
from graphmem.transfer.stored import edge_line, node_line
from graphmem.transfer.writing import Written, to_line, to_record

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
NAMES = st.sampled_from(["http", "가전", unicodedata.normalize("NFD", "시간 초과"), "C++", "결제 API", "a\u2028b"])
IDS = st.sampled_from(["e1", "실행-17", "conv-26:D1", "🎉"])
USERS = st.none() | st.sampled_from(["ada", "영희"])
FIRST = datetime(1, 1, 2, tzinfo=UTC)
MOMENTS = st.integers(0, 315_500_000_000_000_000).map(lambda micros: FIRST + timedelta(microseconds=micros))
SHARES = st.floats(0, 1)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
OBJECTS = st.dictionaries(TEXTS, JSON, max_size=2)


def some(values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(values, max_size=3).map(tuple)


def optional(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | values


@st.composite
def steps(draw: st.DrawFn) -> tuple[Step, ...]:
    found = []
    for index in range(draw(st.integers(0, 4))):
        earlier = st.lists(st.integers(0, index - 1), unique=True).map(tuple) if index else st.just(())
        found.append(
            Step(
                action=draw(NAMES),
                reasoning=draw(TEXTS),
                result=draw(TEXTS),
                effective=draw(st.booleans()),
                tools=draw(some(NAMES)),
                errors=draw(some(NAMES)),
                fixes=draw(some(NAMES)),
                arguments=draw(OBJECTS),
                at=draw(optional(MOMENTS)),
                after=draw(st.none() | earlier),
                extra=draw(OBJECTS),
            )
        )
    return tuple(found)


@st.composite
def episodes(draw: st.DrawFn) -> Episode:
    is_open = draw(st.booleans())
    started = draw(optional(MOMENTS))
    return Episode(
        id=draw(IDS),
        goal=draw(TEXTS),
        steps=draw(steps()),
        state="open" if is_open else "closed",
        outcome=None if is_open else draw(st.sampled_from(["success", "partial", "failure", "unknown"])),
        started_at=started,
        ended_at=None if started is None else draw(optional(st.just(started + timedelta(microseconds=1)))),
        user_id=draw(USERS),
        task=draw(optional(NAMES)),
        variant=draw(st.none() | NAMES | st.just({"model": "m", "temperature": 0.5})),
        session=draw(optional(IDS)),
        satisfaction=draw(optional(SHARES)),
        summary=draw(optional(TEXTS)),
        lessons=draw(some(TEXTS)),
        tags=draw(some(NAMES)),
        causes=draw(st.sampled_from([(), (Cause(effect="Timeout", cause="풀 고갈"),)])),
        extra=draw(OBJECTS),
    )


MESSAGES = st.builds(
    Message,
    id=IDS,
    text=TEXTS,
    at=MOMENTS,
    user_id=USERS,
    session=optional(IDS),
    role=st.sampled_from(["user", "assistant", "system", "tool"]),
    speaker=optional(NAMES),
    episode=optional(IDS),
    extra=OBJECTS,
)
SESSIONS = st.builds(Session, id=IDS, user_id=USERS, started_at=optional(MOMENTS), extra=OBJECTS)
CONCEPTS = st.builds(
    Concept,
    name=NAMES,
    kind=NAMES,
    definition=optional(TEXTS),
    aliases=some(NAMES),
    abstraction_level=optional(st.integers(1, 5)),
    extra=OBJECTS,
)
RELATIONS = st.builds(
    Relation,
    head=NAMES,
    relation=st.sampled_from(RelationType),
    tail=NAMES,
    head_kind=optional(NAMES),
    tail_kind=optional(NAMES),
    confidence=SHARES,
    source=st.sampled_from(["given", "extracted", "consolidated"]),
    evidence=some(TEXTS),
    extra=OBJECTS,
)
PROCEDURES = st.builds(
    Procedure,
    id=IDS,
    name=NAMES,
    steps=some(NAMES),
    when=optional(TEXTS),
    successes=st.integers(0, 2**63 - 1),
    sources=some(IDS),
    extra=OBJECTS,
)
OUTCOMES = st.builds(
    OutcomeRecord,
    episode=IDS,
    outcome=st.sampled_from(["success", "unknown"]),
    source=TEXTS,
    at=optional(MOMENTS),
)


@st.composite
def memories(draw: st.DrawFn) -> Any:
    kind = draw(st.sampled_from(MEMORY_KINDS))
    fields: dict[str, Any] = {"id": draw(IDS), "kind": kind, "text": draw(TEXTS.filter(bool))}
    fields |= {"user_id": draw(USERS), "confidence": draw(SHARES), "supersedes": draw(optional(IDS))}
    fields |= {"about": draw(some(NAMES)), "sources": draw(some(IDS)), "counts": draw(OBJECTS)}
    if kind in ("fact", "preference"):
        fields |= {"subject": draw(optional(NAMES)), "valid_from": draw(optional(MOMENTS))}
    return MEMORY.validate_python(fields)


ITEMS = st.one_of(episodes(), MESSAGES, SESSIONS, CONCEPTS, RELATIONS, PROCEDURES, OUTCOMES, memories())


@given(ITEMS)
def test_a_model_reads_back_from_its_line(item: Written) -> None:
    text = to_line(to_record(item))
    assert text.count(b"\n") == 1
    assert text.startswith(b'{"type":')
    parsed = parse_record(decode_object(text))
    assert parsed.item == item
    assert parsed.unknown == ()
    assert to_line(to_record(item)) == to_line(to_record(parsed.item))


@given(episodes())
def test_the_user_of_the_import_never_replaces_a_named_one(episode: Episode) -> None:
    item = parse_record(to_record(episode), "somebody").item
    assert isinstance(item, Episode)
    assert item.user_id == (episode.user_id or "somebody")


def test_defaults_are_left_out_and_keys_keep_one_order() -> None:
    episode = Episode(id="e", goal="g", steps=(Step(action="a"), Step(action="b", after=(0,))))
    assert to_line(to_record(episode)) == (
        b'{"type":"episode","id":"e","goal":"g","steps":[{"action":"a"},{"action":"b"}]}\n'
    )
    assert to_record(Episode(id="e", goal="g")) == {"type": "episode", "id": "e", "goal": "g", "steps": []}


def test_times_are_written_with_the_offset_they_were_given_with() -> None:
    message = Message(id="m", text="t", at="2026-03-01T09:00:00.5+09:00")
    assert to_record(message) == {
        "type": "message",
        "id": "m",
        "text": "t",
        "at": "2026-03-01T09:00:00.500000+09:00",
    }
    assert to_record(Message(id="m", text="t", at=1772355600500))["at"] == "2026-03-01T09:00:00.500000Z"
    step = {"action": "look", "at": "2026-03-01T09:00:00+09:00"}
    record = to_record(
        Episode(
            id="e",
            goal="g",
            steps=[step],
            started_at="2026-03-01T09:00:00+09:00",
            ended_at="2026-03-01T00:30:00Z",
        )
    )
    assert (record["started_at"], record["ended_at"]) == ("2026-03-01T09:00:00+09:00", "2026-03-01T09:30:00+09:00")
    assert record["steps"][0]["at"] == "2026-03-01T00:00:00Z"
    assert "utc_offset" not in record


def test_stored_nodes_and_edges_read_back_with_types_and_vectors() -> None:
    at = datetime(2026, 3, 1, 9, 0, 0, 5, tzinfo=UTC)
    vector = np.array([0.1, -0.0, 1e-30], dtype=np.float32)
    node = NodeRecord(
        "Message",
        "m",
        {"text": "안녕", "at": at, "created_at": at, "extra": '{"a":1}', "content_hash": "h"},
        vector,
    )
    edge = EdgeRecord(
        "IS_A",
        NodeRef("Concept", "a"),
        NodeRef("Concept", "b"),
        {"confidence": 1.0, "evidence_count": 2, "evidence": ["x"], "created_at": at},
    )
    read = parse_record(decode_object(to_line(node_line(node)))).item
    assert isinstance(read, NodeRecord)
    assert (read.ref, read.properties) == (node.ref, node.properties)
    assert read.vector is not None
    assert read.vector.tobytes() == vector.tobytes()
    assert parse_record(decode_object(to_line(edge_line(edge)))).item == edge
