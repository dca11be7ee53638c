"""Corners of the embedded store: what a caller rarely gives, and what a check finds."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import pytest

from graphmem.errors import InvalidInputError
from graphmem.graph.records import EdgeRecord, Range
from graphmem.ports.embedder import EmbedderSpec
from graphmem.stores.sqlite.store import SqliteStore
from graphmem.stores.sqlite.tenant import SqliteTenant
from graphmem.testing.builders import concept, memory, refs, tree, vector
from graphmem.testing.clock import START
from graphmem.testing.store.fixtures import save, stored

A, B = refs("Concept", "a", "b")
SPEC = EmbedderSpec("corners", 4)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(path, embedder=SPEC)
    yield store
    store.close()


@pytest.fixture
def graph(store: SqliteStore) -> SqliteTenant:
    return store.tenant("acme")


def test_a_step_that_lost_its_episode_is_taken_over_by_the_same_tree(graph: SqliteTenant) -> None:
    given = tree("e1", steps=2)
    with graph.transaction() as tx:
        tx.save_trees([given])
        tx.remove_edges([edge for edge in given.edges if edge.type == "HAS_STEP"])
        tx.remove_nodes([given.root.ref])
    assert graph.count("Step") == 2
    with graph.transaction() as tx:
        tx.save_trees([given, tree("e2", steps=1)])
    assert graph.count("Step") == 3
    assert len(graph.edges([given.root.ref], ["HAS_STEP"])) == 2
    with graph.transaction() as tx:
        tx.remove_nodes([given.root.ref])
    assert graph.count("Step") == 1


def test_a_node_given_twice_in_one_call_is_refused(graph: SqliteTenant) -> None:
    with pytest.raises(InvalidInputError, match="twice"):
        save(graph, memory("m1"), memory("m1", content_hash="hash-2"))
    with pytest.raises(InvalidInputError, match="twice"), graph.transaction() as tx:
        tx.save_trees([tree("e1"), tree("e1")])


def test_the_content_hash_is_not_bookkeeping(graph: SqliteTenant) -> None:
    save(graph, memory("m1"))
    with pytest.raises(InvalidInputError, match="content_hash"), graph.transaction() as tx:
        tx.set_properties("Memory", [("m1", {"content_hash": "x"})])


def test_the_last_of_several_changes_to_one_node_holds(graph: SqliteTenant) -> None:
    save(graph, memory("m1"))
    with graph.transaction() as tx:
        assert tx.set_properties("Memory", [("m1", {"why": "a"}), ("m1", {"why": "b", "text": "x"})]) == 1
    assert stored(graph, "Memory", "m1").properties["why"] == "b"


def test_changed_search_text_is_searched(graph: SqliteTenant) -> None:
    save(graph, memory("m1", "refund"))
    with graph.transaction() as tx:
        tx.set_properties("Memory", [("m1", {"search_text": "exchang"})])
    assert graph.search(["Memory"], ["refund"]) == []
    assert [hit.record.id for hit in graph.search(["Memory"], ["exchang"])] == ["m1"]


@pytest.mark.parametrize(
    "moment",
    [
        datetime(2026, 3, 1, 9, 0),  # noqa: DTZ001 (naive is what is tested)
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=9))),
        datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-9))),
    ],
    ids=["naive", "before year 1", "after year 9999"],
)
def test_a_time_that_has_no_place_in_utc_is_refused(graph: SqliteTenant, moment: datetime) -> None:
    with pytest.raises(InvalidInputError):
        save(graph, memory("m1", at=moment))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_vector_that_is_not_finite_is_refused(graph: SqliteTenant, value: float) -> None:
    with pytest.raises(InvalidInputError, match="finite"):
        save(graph, memory("m1", vector=vector(4, value)))


def test_an_edges_number_that_is_not_finite_is_refused(graph: SqliteTenant) -> None:
    save(graph, concept("a"), concept("b"))
    with pytest.raises(InvalidInputError, match="finite"):
        save(graph, EdgeRecord("IS_A", A, B, {"weight": float("nan")}))


def test_a_vector_without_a_direction_is_near_to_nothing(graph: SqliteTenant) -> None:
    save(graph, memory("m1", vector=vector(4)), memory("m2", vector=vector(4, 1)))
    assert [hit.score for hit in graph.nearest("Memory", vector(4, 1))] == [1, 0]
    assert [hit.score for hit in graph.nearest("Memory", vector(4))] == [0, 0]


def test_an_integer_beyond_64_bits_in_a_filter_is_refused(graph: SqliteTenant) -> None:
    save(graph, concept("c1", abstraction_level=1))
    with pytest.raises(InvalidInputError, match="64"):
        graph.scan("Concept", Range("abstraction_level", high=2**70))


def test_a_range_without_bounds_asks_for_the_property(graph: SqliteTenant) -> None:
    save(graph, memory("m1", at=START), memory("m2"))
    assert [record.id for record in graph.scan("Memory", Range("at")).records] == ["m1"]


def test_reads_need_no_list_but_any_iterable(graph: SqliteTenant) -> None:
    save(graph, concept("a"), concept("b"), EdgeRecord("IS_A", A, B))
    assert len(graph.get(iter(refs("Concept", "a", "b")))) == 2
    assert len(graph.edges(iter(refs("Concept", "a")), iter(["IS_A"]))) == 1
    assert len(graph.expand(iter(refs("Concept", "a"))).nodes) == 2


def test_a_check_finds_vectors_of_another_length_and_counts_that_are_off(store: SqliteStore, path: Path) -> None:
    save(store.tenant("acme"), memory("m1", vector=vector(4, 1)), memory("m2"))
    connection = sqlite3.connect(path)
    connection.execute("UPDATE vector SET vector = x'00'")
    connection.execute("UPDATE holding SET nodes = nodes + 1")
    connection.commit()
    connection.close()
    bad = {line.check: line.detail for line in store.check() if not line.ok}
    assert set(bad) == {"dimension", "indexes"}
    assert "schema reembed" in bad["dimension"]
    assert "schema reindex" in bad["indexes"]
    store.reindex()
    assert {line.check for line in store.check() if not line.ok} == {"dimension"}


def test_a_check_finds_the_embedder_of_the_program_to_be_another(store: SqliteStore, path: Path) -> None:
    save(store.tenant("acme"), memory("m1", vector=vector(4, 1)))
    other = SqliteStore(path, embedder=EmbedderSpec("other", 4))
    assert [line.check for line in other.check() if not line.ok] == ["dimension"]
    other.close()


def test_finishing_without_a_re_embedding_changes_nothing(store: SqliteStore) -> None:
    save(store.tenant("acme"), memory("m1", vector=vector(4, 1)))
    store.finish_reembedding()
    assert store.info().embedder == SPEC
    assert len(store.tenant("acme").nearest("Memory", np.ones(4, np.float32))) == 1
