"""Many rows go into the file with few statements: what is stored is what single rows would have stored."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem.errors import ConflictError
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef
from graphmem.ports.graph_store import TenantGraph
from graphmem.stores.sqlite.store import SqliteStore

AT = datetime(2026, 3, 1, 9, tzinfo=UTC)
MANY = 2_345
"""More than two statements' worth of nodes, and no whole number of them."""


def concept(number: int, *, words: str = "주문 order") -> NodeRecord:
    name = unicodedata.normalize("NFD" if number % 2 else "NFC", f"주문{number}")
    given = {"key": f"주문{number}", "name": name, "kind": "concept", "search_text": words, "content_hash": "h"}
    return NodeRecord("Concept", f"c{number}", {**given, "created_at": AT})


def link(source: int, target: int, weight: float = 0.5) -> EdgeRecord:
    ends = NodeRef("Concept", f"c{source}"), NodeRef("Concept", f"c{target}")
    return EdgeRecord("IS_A", *ends, {"weight": weight, "created_at": AT})


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return SqliteStore(tmp_path / "memory.db")


def test_many_nodes_are_stored_as_given_and_found(store: SqliteStore) -> None:
    nodes = [concept(number) for number in range(MANY)]
    graph = store.tenant("shop")
    with graph.transaction() as transaction:
        saved = transaction.save_nodes(nodes)
    assert saved.added == tuple(node.ref for node in nodes)
    assert graph.count("Concept") == MANY
    assert list(graph.get([node.ref for node in nodes]).values()) == nodes
    assert len(graph.search(["Concept"], ["주문"], limit=3_000)) == MANY
    store.close()


def test_nodes_that_were_stored_before_stay_among_many_new_ones(store: SqliteStore) -> None:
    graph = store.tenant("shop")
    old = [concept(number) for number in range(0, MANY, 7)]
    with graph.transaction() as transaction:
        transaction.save_nodes(old)
    with graph.transaction() as transaction:
        saved = transaction.save_nodes([concept(number) for number in range(MANY)])
    assert saved.unchanged == tuple(node.ref for node in old)
    assert len(saved.added) == MANY - len(old)
    store.close()


def test_the_number_of_written_edges_is_that_of_new_and_changed_ones(store: SqliteStore) -> None:
    graph = store.tenant("shop")
    edges = [link(source, target) for source in range(60) for target in range(60) if source != target]
    with graph.transaction() as transaction:
        transaction.save_nodes([concept(number) for number in range(60)])
        assert transaction.save_edges(edges) == len(edges)
    changed = [link(0, target, 0.9) for target in range(1, 31)]
    with graph.transaction() as transaction:
        assert transaction.save_edges(edges) == 0
        assert transaction.save_edges([*changed, *edges[30:]]) == 30
    found = graph.edges([NodeRef("Concept", "c0")], ["IS_A"])
    assert sorted(edge.properties["weight"] for edge in found) == [0.5] * 29 + [0.9] * 30
    store.close()


def test_an_edge_that_is_given_twice_among_many_is_kept_as_given_last(store: SqliteStore) -> None:
    graph = store.tenant("shop")
    edges = [link(source, target) for source in range(60) for target in range(60) if source != target]
    with graph.transaction() as transaction:
        transaction.save_nodes([concept(number) for number in range(60)])
        assert transaction.save_edges([*edges, link(0, 1, 0.9)]) == len(edges)
    (first, *_) = graph.edges([NodeRef("Concept", "c0")], ["IS_A"])
    assert first == link(0, 1, 0.9)
    store.close()


def _save(graph: TenantGraph, nodes: list[NodeRecord], edges: list[EdgeRecord]) -> None:
    with graph.transaction() as transaction:
        transaction.save_nodes(nodes)
        transaction.save_edges(edges)


def test_a_fault_among_many_rows_leaves_nothing(store: SqliteStore) -> None:
    graph = store.tenant("shop")
    with graph.transaction() as transaction:
        transaction.save_nodes([concept(0)])
    nodes = [concept(number) for number in range(1, MANY)]
    edges = [link(1, target) for target in range(2, MANY + 1)]
    with pytest.raises(ConflictError):
        _save(graph, nodes, edges)
    assert graph.count("Concept") == 1
    assert graph.search(["Concept"], ["주문"], limit=10)[0].record.id == "c0"
    store.close()
