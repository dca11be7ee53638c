"""Statements begin at an index where one is declared, however many tenants share the file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from graphmem.graph.records import And, Equals, Filter, In, Missing, NodeRecord, Range
from graphmem.ports.embedder import EmbedderSpec
from graphmem.stores.sqlite import nearest
from graphmem.stores.sqlite.session import Session
from graphmem.stores.sqlite.store import SqliteStore
from graphmem.stores.sqlite.tenant import SqliteTenant
from graphmem.testing.builders import edge, memory, node, refs, tree, vector
from graphmem.testing.clock import START
from graphmem.testing.store.fixtures import save


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[SqliteTenant]:
    store = SqliteStore(tmp_path / "store.db")
    graph = store.tenant("acme")
    save(graph, memory("m1", "refund", at=START, user_id="ada"))
    with graph.transaction() as tx:
        tx.save_trees([tree("e1", steps=2, started_at=START)])
    yield graph
    store.close()


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Plans of the statements that run, by name."""
    plans: list[tuple[str, str]] = []
    plain = Session.rows

    def explained(session: Session, query: str, sql: str, parameters: tuple[object, ...] = ()) -> object:
        if sql.startswith(("SELECT", "DELETE")):
            steps = session.connection.execute(f"EXPLAIN QUERY PLAN {sql}", parameters).fetchall()
            plans.append((query, "; ".join(step[3] for step in steps)))
        return plain(session, query, sql, parameters)

    monkeypatch.setattr(Session, "rows", explained)
    return plans


def _plan(statements: list[tuple[str, str]], query: str) -> str:
    return next(plan for name, plan in statements if name == query)


@pytest.mark.parametrize(
    ("label", "where", "index"),
    [
        ("Step", Equals("episode", "e1"), "node_step_episode"),
        ("Step", In("episode", ("e1", "e2")), "node_step_episode"),
        ("Memory", And((Equals("kind", "fact"), In("user_id", ("ada", "bob")))), "node_user"),
        ("Memory", And((In("kind", ("fact", "lesson")), Equals("user_id", "ada"))), "node_user"),
        ("Step", And((In("user_id", ("ada",)), In("episode", ("e1", "e2")))), "node_step_episode"),
        ("Step", And((Equals("user_id", "ada"), In("episode", ("e1", "e2")))), "node_step_episode"),
        ("Finding", Equals("episode", "e1"), "node_finding_episode"),
        ("Episode", Equals("state", "open"), "node_episode_state"),
        ("Memory", Equals("user_id", "ada"), "node_user"),
        ("Memory", Missing("user_id"), "node_memory_common"),
        ("Memory", And((Missing("user_id"), In("kind", ("fact", "lesson")))), "node_memory_common"),
        ("Memory", Range("id", "m", "n"), "node_id"),
        ("Memory", Equals("subject_key", "x"), "node_memory_subject_key"),
        ("Concept", Equals("key", "x"), "node_concept_key"),
        ("Message", Equals("session", "s"), "node_message_session"),
    ],
    ids=str,
)
def test_a_filter_begins_at_its_index(
    graph: SqliteTenant, statements: list[tuple[str, str]], label: str, where: Filter, index: str
) -> None:
    graph.scan(label, where)
    graph.count(label, where)
    assert f"USING INDEX {index}" in _plan(statements, "scan")


@pytest.mark.parametrize("session", [Equals("session", "s"), Missing("session")])
@pytest.mark.parametrize("user", [Equals("user_id", "ada"), Missing("user_id")])
def test_the_last_message_of_a_stream_is_read_from_its_index(
    graph: SqliteTenant, statements: list[tuple[str, str]], session: Filter, user: Filter
) -> None:
    graph.scan("Message", And((session, user)), order="-at", limit=1)
    graph.scan("Message", And((session, user, Range("at", START, None))), order="at", limit=1)
    plans = [plan for name, plan in statements if name == "scan"]
    assert all("USING INDEX node_message_session (tenant=? AND <expr>=? AND <expr>=?" in plan for plan in plans)


@pytest.mark.parametrize("order", ["started_at", "-started_at"])
def test_a_page_by_time_reads_no_more_than_the_page(
    graph: SqliteTenant, statements: list[tuple[str, str]], order: str
) -> None:
    graph.scan("Episode", order=order, after=(START, "e0"), limit=1)
    plan = _plan(statements, "scan")
    assert "USING INDEX node_episode_started_at" in plan
    assert "TEMP B-TREE FOR ORDER BY" not in plan


def test_a_page_by_time_does_not_sort_all_of_an_outcome(
    graph: SqliteTenant, statements: list[tuple[str, str]]
) -> None:
    where = And((Equals("outcome", "success"), Equals("domain", "support")))
    graph.scan("Episode", where, order="-started_at", limit=1)
    assert "USING INDEX node_episode_started_at" in _plan(statements, "scan")


@pytest.mark.parametrize(
    ("named", "index"),
    [
        ({"outcome": "failure"}, "node_episode_outcome"),
        ({"outcome": "failure", "domain": "support"}, "node_episode_outcome"),
        ({"outcome": "success", "domain": "배송"}, "node_episode_domain"),
        ({"outcome": "failure", "user_id": "ada"}, "node_episode_outcome"),
        ({"outcome": "success", "domain": "support", "user_id": "bora"}, "node_user"),
    ],
    ids=str,
)
def test_a_search_by_vector_begins_at_what_fewest_nodes_share(
    tmp_path: Path,
    statements: list[tuple[str, str]],
    monkeypatch: pytest.MonkeyPatch,
    named: dict[str, str],
    index: str,
) -> None:
    monkeypatch.setattr(nearest, "_FIRST_LOOK", 1)
    store = SqliteStore(tmp_path / "near.db", embedder=EmbedderSpec("plans", 2))
    graph = store.tenant("acme")
    usual = node("Episode", "", state="closed", outcome="success", domain="support", user_id="ada").properties
    rare = {"e1": {"outcome": "failure"}, "e2": {"domain": "배송"}, "e3": {"user_id": "bora"}}
    with graph.transaction() as tx:
        tx.save_nodes(
            [
                NodeRecord("Episode", name, {**usual, **rare.get(name, {})}, vector(2, 1, number))
                for number, name in enumerate(f"e{9 - number}" for number in range(9))
            ]
        )
    statements.clear()
    where = And((Equals("state", "closed"), *(Equals(name, value) for name, value in named.items())))
    assert len(graph.nearest("Episode", vector(2, 1, 0), where, limit=1)) == 1
    assert f"USING INDEX {index} " in [plan for name, plan in statements if name == "nearest.filter"][-1]
    store.close()


def test_pages_by_id_and_edges_from_both_ends_use_their_index(
    graph: SqliteTenant, statements: list[tuple[str, str]]
) -> None:
    graph.scan("Memory", after=("a", "a"))
    assert "node_id" in _plan(statements, "scan")
    graph.edges(refs("Episode", "e1"), direction="both")
    assert "PRIMARY KEY" in _plan(statements, "edges.by_source")
    assert "edge_target" in _plan(statements, "edges.by_target")


def test_no_statement_of_a_write_scans_a_table(graph: SqliteTenant, monkeypatch: pytest.MonkeyPatch) -> None:
    plans: list[str] = []
    plain = Session.run

    def explained(session: Session, query: str, sql: str, parameters: tuple[object, ...] = ()) -> int:
        if sql.startswith(("DELETE", "UPDATE")):
            steps = session.connection.execute(f"EXPLAIN QUERY PLAN {sql}", parameters).fetchall()
            plans.extend(f"{query}: {step[3]}" for step in steps)
        return plain(session, query, sql, parameters)

    monkeypatch.setattr(Session, "run", explained)
    with graph.transaction() as tx:
        tx.save_trees([tree("e1", steps=1, content_hash="hash-2")], replace=True)
        tx.save_edges([edge("DERIVED_FROM", *refs("Memory", "m1"), *refs("Episode", "e1"))])
        tx.set_properties("Memory", [("m1", {"why": "x"})])
        tx.remove_nodes(refs("Episode", "e1"))
    graph.erase("ada")
    assert plans
    assert [plan for plan in plans if "SCAN" in plan and "json_each" not in plan and "counter" not in plan] == []


def test_a_file_without_an_index_answers_the_same_and_reindexing_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearest, "_FIRST_LOOK", 1)
    path = tmp_path / "old.db"
    store = SqliteStore(path, embedder=EmbedderSpec("plans", 2))
    trees = [
        tree(f"e{number}", steps=0, vector=vector(2, 1, number), outcome="success" if number < 8 else "failure")
        for number in range(9)
    ]
    with store.tenant("acme").transaction() as tx:
        tx.save_trees(trees)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP INDEX node_episode_outcome")
    where = And((Equals("state", "closed"), Equals("outcome", "failure")))
    hits = store.tenant("acme").nearest("Episode", vector(2, 1, 0), where, limit=1)
    assert [hit.record.id for hit in hits] == ["e8"]
    store.reindex()
    with closing(sqlite3.connect(path)) as connection:
        made = "SELECT count(*) FROM sqlite_master WHERE name = 'node_episode_outcome'"
        assert connection.execute(made).fetchone() == (1,)
    store.close()
