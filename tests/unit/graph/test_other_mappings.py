"""Messages, concepts, relations, memories, procedures, patterns and runs, into records and back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem.graph.mapping.concept import (
    concept_record,
    concept_ref,
    named_concept,
    relation_edge,
    to_concept,
    to_relation,
)
from graphmem.graph.mapping.memory import memory_concepts, memory_edges, memory_record, to_memory
from graphmem.graph.mapping.message import (
    message_edges,
    message_neighbours,
    message_record,
    session_record,
    to_message,
    to_session,
)
from graphmem.graph.mapping.pattern import pattern_edges, pattern_record, to_pattern
from graphmem.graph.mapping.procedure import procedure_record, to_procedure
from graphmem.graph.mapping.run import run_record, to_run
from graphmem.graph.records import PLACEHOLDER, NodeRef
from graphmem.graph.texts import embedding_text
from graphmem.graph.validation import check_edge, check_node
from graphmem.models.concept import Concept, Relation, RelationType
from graphmem.models.fields import OPEN_END
from graphmem.models.memories import MEMORY, MEMORY_KINDS
from graphmem.models.message import Message, Session
from graphmem.models.pattern import Pattern
from graphmem.models.procedure import Procedure
from graphmem.models.runs import MiningRun

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_messages_and_sessions_come_back() -> None:
    message = Message(
        id="m1",
        text="서울로 이사했어요",
        at=NOON,
        user_id="ada",
        session="s1",
        speaker="에이다",
        episode="e1",
        extra={"x": 1},
    )
    record = message_record(message, NOON)
    check_node(record)
    assert to_message(record) == message
    for node in message_neighbours(message, NOON):
        check_node(node)
    for edge in message_edges(message, NOON):
        check_edge(edge)
    assert {edge.type for edge in message_edges(message, NOON)} == {"IN_SESSION", "SPOKEN_BY", "HAS_MESSAGE"}
    session = Session(id="s1", user_id="ada", started_at=NOON, extra={"채널": "앱"})
    assert to_session(session_record(session, NOON)) == session
    assert embedding_text("Message", record.properties) == "에이다 (1 March 2026): 서울로 이사했어요"


def test_an_empty_message_is_a_message() -> None:
    message = Message(id="m", text="", at=NOON)
    assert to_message(message_record(message, NOON)) == message


def test_concepts_and_relations_come_back() -> None:
    concept = Concept(
        name="세탁기",
        kind="product",
        definition="빨래하는 가전",
        aliases=("washer",),
        abstraction_level=2,
        extra={"k": [1]},
    )
    record = concept_record(concept, NOON)
    check_node(record)
    assert to_concept(record) == concept
    assert record.ref == concept_ref("세탁기", "product")
    assert record.ref != concept_ref("세탁기")
    tail = named_concept("가전", NOON)
    assert tail.content_hash == PLACEHOLDER
    relation = Relation(
        head="세탁기",
        head_kind="product",
        relation=RelationType.IS_A,
        tail="가전",
        confidence=0.5,
        evidence=("doc-1",),
        extra={"a": 1},
    )
    edge = relation_edge(relation, record.ref, tail.ref, NOON)
    check_edge(edge)
    assert to_relation(edge, record, tail) == relation
    assert embedding_text("Concept", record.properties) == "세탁기: 빨래하는 가전"


@pytest.mark.parametrize("kind", MEMORY_KINDS)
def test_memories_of_every_kind_come_back(kind: str) -> None:
    fields: dict[str, Any] = {
        "id": "mem-1",
        "kind": kind,
        "text": "Ada lives in 서울",
        "user_id": "ada",
        "why": "she said so",
        "confidence": 0.5,
        "at": NOON,
        "supersedes": "mem-0",
        "about": ("Ada", "서울"),
        "sources": ("m1",),
        "counts": {"recalled": 2},
        "extra": {"z": None},
    }
    if kind in ("fact", "preference"):
        fields |= {"subject": "Ada", "predicate": "lives_in", "object": "서울", "valid_from": NOON}
    memory = MEMORY.validate_python(fields)
    record = memory_record(memory, NOON)
    check_node(record)
    assert to_memory(record) == memory
    assert record.properties["superseded_at"] == OPEN_END
    edges = memory_edges(memory, NOON, [NodeRef("Message", "m1")])
    for edge in edges:
        check_edge(edge)
    assert sorted(edge.type for edge in edges) == ["ABOUT", "ABOUT", "ASSERTED_IN", "SUPERSEDES"]
    assert [node.properties["name"] for node in memory_concepts(memory, NOON)] == ["Ada", "서울"]


def test_an_interval_of_a_fact_comes_back_and_must_run_forward() -> None:
    fields: dict[str, Any] = {"id": "f", "kind": "fact", "text": "t", "valid_from": NOON, "valid_to": NOON}
    assert to_memory(memory_record(MEMORY.validate_python(fields), NOON)) == MEMORY.validate_python(fields)
    for wrong in ("2026-02-01T00:00:00Z", OPEN_END):
        with pytest.raises(ValueError, match="valid_to"):
            MEMORY.validate_python({**fields, "valid_to": wrong})


def test_procedures_patterns_and_runs_come_back() -> None:
    procedure = Procedure(
        id="p", name="환불", steps=("조회", "refund"), when="주문 취소", successes=3, failures=1, sources=("e1",)
    )
    record = procedure_record(procedure, NOON)
    check_node(record)
    assert to_procedure(record) == procedure
    assert procedure.success_rate == 0.75
    assert embedding_text("Procedure", record.properties) == "환불. 주문 취소: 조회, refund"

    pattern = Pattern(
        id="0" * 64,
        title="조회 → refund",
        nodes=(
            {"label": "조회", "kind": "action", "key": "조회"},
            {"label": "refund", "kind": "action", "key": "refund"},
        ),
        edges=((0, 1, "NEXT"),),
        support=3,
        tasks=3,
        users=1,
        outcomes={"success": 2, "unknown": 1},
        episodes=("e1", "e2", "e3"),
        first_seen=NOON,
    )
    node = pattern_record(pattern, NOON)
    check_node(node)
    assert to_pattern(node) == pattern
    edges = pattern_edges(pattern, {"e1": {"0": "조회"}}, NOON)
    for edge in edges:
        check_edge(edge)
    assert [edge.target.id for edge in edges] == ["e1", "e2", "e3"]

    run = MiningRun(id="r", started_at=NOON, policy={"max_nodes": 5}, counts={"patterns": 7})
    check_node(run_record(run, NOON))
    assert to_run(run_record(run, NOON), MiningRun) == run


def test_a_name_without_anything_a_key_could_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing a key"):
        named_concept("\u200b", NOON)
