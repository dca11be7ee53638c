"""Which writes take away what consolidation knew, and which leave it."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.graph.mapping.concept import named_concept
from graphmem.graph.mapping.message import message_record
from graphmem.graph.mapping.notes import AGAIN, KNOWN
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Value
from graphmem.models.message import Message
from graphmem.ports.noted_graph import RUN, NotedGraph, without_notes
from workspaces import desk


@pytest.fixture
def graph(tmp_path: Path) -> NotedGraph:
    """A tenant in which a run knew something, and had read one of two messages."""
    at = desk(tmp_path)
    graph = NotedGraph(at.store.tenant("acme"))
    now = at.clock()
    with without_notes(graph).transaction() as tx:
        run: dict[str, Value] = {
            "started_at": now,
            "ended_at": now,
            "created_at": now,
            "content_hash": "run",
            KNOWN: "{}",
        }
        tx.save_nodes([NodeRecord(RUN, "run", run)])
        tx.save_nodes([message_record(Message(id=name, text="안녕", at=now), now) for name in ("read", "unread")])
        tx.save_nodes([named_concept(name, now, "concept") for name in ("암", "병")])
        tx.set_properties("Message", [("read", {"told_hash": "1"})])
    return graph


def known(graph: NotedGraph) -> tuple[bool, object]:
    """Whether what was known is there, and the notes."""
    run = graph.get([NodeRef(RUN, "run")])[NodeRef(RUN, "run")]
    return KNOWN in run.properties, run.properties.get(AGAIN)


def concepts(graph: NotedGraph) -> list[NodeRef]:
    return [node.ref for node in graph.scan("Concept").records]


def test_a_message_that_was_read_and_goes_takes_it_away(graph: NotedGraph) -> None:
    with graph.transaction() as tx:
        tx.remove_nodes([NodeRef("Message", "read")])
    assert known(graph) == (False, None)


def test_a_message_that_nobody_read_may_come_and_go(graph: NotedGraph) -> None:
    with graph.transaction() as tx:
        tx.remove_nodes([NodeRef("Message", "unread")])
        tx.set_properties("Message", [("read", {"episode": "e"})])
    assert known(graph) == (True, None)


def test_what_is_rolled_back_takes_nothing_away(graph: NotedGraph) -> None:
    def remove_and_fail() -> None:
        with graph.transaction() as tx:
            tx.remove_nodes([NodeRef("Message", "read")])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        remove_and_fail()
    assert known(graph) == (True, None)


@pytest.mark.parametrize("removes", [False, True])
def test_a_relation_between_concepts_takes_it_away(graph: NotedGraph, removes: bool) -> None:
    head, tail = concepts(graph)
    edge = EdgeRecord("IS_A", head, tail)
    with without_notes(graph).transaction() as tx:
        tx.save_edges([edge] if removes else [])
    with graph.transaction() as tx:
        _ = tx.remove_edges([edge]) if removes else tx.save_edges([edge])
    assert known(graph) == (False, None)


def test_a_new_concept_is_noted_by_its_key_once(graph: NotedGraph) -> None:
    new = named_concept("기계 학습", graph.scan(RUN).records[0].properties["started_at"], "concept")  # type: ignore[arg-type]  # a time
    for _ in range(2):
        with graph.transaction() as tx:
            tx.save_nodes([new], replace=False)
    assert known(graph) == (True, ["concept:기계학습"])


def test_an_outcome_asks_for_rates_alone(graph: NotedGraph) -> None:
    with graph.transaction() as tx:
        tx.set_properties("Episode", [("e", {"outcome": "failure"})])
    assert known(graph) == (True, ["rates"])


def test_an_erased_user_takes_it_away(graph: NotedGraph) -> None:
    graph.erase("ada")
    assert known(graph) == (False, None)


def test_what_another_store_knew_is_not_taken_over(graph: NotedGraph) -> None:
    run = graph.get([NodeRef(RUN, "run")])[NodeRef(RUN, "run")]
    copy = NodeRecord(RUN, "theirs", {**run.properties, "content_hash": "theirs"})
    with graph.transaction() as tx:
        tx.save_nodes([copy])
    assert known(graph) == (False, None)
    assert KNOWN not in graph.get([copy.ref])[copy.ref].properties
