"""What may lie at the path of a store, and what the store says about it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graphmem.errors import ConflictError, InvalidInputError, SchemaError, StatementError, StoreUnavailableError
from graphmem.graph.records import Equals
from graphmem.graph.schema import SCHEMA_VERSION
from graphmem.stores.sqlite import connections
from graphmem.stores.sqlite.store import SqliteStore
from graphmem.testing import FakeClock
from graphmem.testing.builders import concept, memory, node, refs
from graphmem.testing.store.fixtures import save

Open = Callable[..., SqliteStore]


@pytest.fixture
def open_at() -> Iterator[Open]:
    opened: list[SqliteStore] = []

    def open_store(path: Path, **options: object) -> SqliteStore:
        opened.append(SqliteStore(path, **options))  # type: ignore[arg-type]  # the tests name its own options
        return opened[-1]

    yield open_store
    for store in opened:
        store.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


def _filled(open_at: Open, path: Path) -> None:
    store = open_at(path)
    save(store.tenant("acme"), memory("m1", "refund"))
    store.close()


def test_reading_an_absent_file_says_how_to_make_it_and_makes_nothing(open_at: Open, path: Path) -> None:
    store = open_at(path)
    with pytest.raises(StoreUnavailableError, match=r"store\.db.*graphmem import"):
        store.tenant("acme").count("Memory")
    assert [line.ok for line in store.check() if line.check == "connection"] == [False]
    assert list(path.parent.iterdir()) == []


def test_a_store_that_may_not_be_made_is_not_made_by_a_write(open_at: Open, path: Path) -> None:
    store = open_at(path, create=False)
    with pytest.raises(StoreUnavailableError):
        save(store.tenant("acme"), memory("m1"))
    assert not path.exists()


def test_a_folder_that_is_missing_is_named(open_at: Open, tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailableError, match="folder"):
        save(open_at(tmp_path / "nowhere" / "store.db").tenant("acme"), memory("m1"))
    with pytest.raises(StoreUnavailableError, match="folder"):
        save(open_at(tmp_path).tenant("acme"), memory("m1"))


@pytest.mark.parametrize("path", ["", ":memory:", "a\0b"])
def test_what_is_no_path_of_a_file_is_refused(path: str) -> None:
    with pytest.raises(InvalidInputError):
        SqliteStore(path)


@pytest.mark.parametrize("name", ["with blank", "50%", "a?b#c", "한글 저장소", "semi;colon&x=1"])
def test_any_file_name_will_do(open_at: Open, tmp_path: Path, name: str) -> None:
    _filled(open_at, tmp_path / name)
    assert open_at(tmp_path / name).tenant("acme").count("Memory") == 1
    assert {file.name for file in tmp_path.iterdir()} >= {name}


def test_a_file_that_is_no_database_is_refused_and_left_alone(open_at: Open, path: Path) -> None:
    content = b"type,id\n" * 2000
    path.write_bytes(content)
    store = open_at(path)
    for call in (lambda: store.tenant("acme").count("Memory"), lambda: save(store.tenant("acme"), memory("m"))):
        with pytest.raises(SchemaError, match="not a SQLite database"):
            call()
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_refused_and_left_alone(open_at: Open, path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE node (mine)")
    connection.close()
    before = path.read_bytes()
    store = open_at(path)
    calls: list[Callable[[], object]] = [
        lambda: store.tenant("acme").count("Memory"),
        lambda: save(store.tenant("acme"), memory("m")),
        store.migrate,
    ]
    for call in calls:
        with pytest.raises(SchemaError, match="another program"):
            call()
    assert path.read_bytes() == before


def test_an_empty_file_counts_as_no_store_and_can_be_written(open_at: Open, path: Path) -> None:
    path.touch()
    store = open_at(path)
    with pytest.raises(StoreUnavailableError):
        store.tenant("acme").count("Memory")
    save(store.tenant("acme"), memory("m1"))
    assert store.tenant("acme").count("Memory") == 1


def _set_version(path: Path, version: int) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()


def test_a_newer_schema_asks_for_a_newer_program(open_at: Open, path: Path) -> None:
    _filled(open_at, path)
    _set_version(path, SCHEMA_VERSION + 1)
    store = open_at(path)
    calls: list[Callable[[], object]] = [
        lambda: store.tenant("acme").count("Memory"),
        lambda: save(store.tenant("acme"), memory("m2")),
        store.migrate,
    ]
    for call in calls:
        with pytest.raises(SchemaError, match="update graphmem"):
            call()
    assert store.info().schema_version == SCHEMA_VERSION + 1
    assert any(not line.ok and "update" in line.detail for line in store.check())


def test_an_older_schema_asks_for_a_migration(open_at: Open, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _filled(open_at, path)
    monkeypatch.setattr("graphmem.stores.sqlite.migrations.SCHEMA_VERSION", SCHEMA_VERSION + 1)
    store = open_at(path)
    calls: list[Callable[[], object]] = [
        lambda: store.tenant("acme").count("Memory"),
        lambda: save(store.tenant("acme"), memory("m2")),
    ]
    for call in calls:
        with pytest.raises(SchemaError, match="graphmem schema migrate"):
            call()
    assert store.migrate() == (SCHEMA_VERSION, SCHEMA_VERSION + 1)
    assert store.tenant("acme").count("Memory") == 1


def test_migrations_are_recorded_with_their_time(open_at: Open, path: Path) -> None:
    open_at(path, clock=FakeClock()).migrate()
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT number, applied_at FROM migration").fetchall()
    connection.close()
    assert rows == [(number, "2026-03-01T09:00:00.000000Z") for number in range(1, SCHEMA_VERSION + 1)]


def test_a_file_that_may_not_be_written_can_be_read(open_at: Open, path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everything")
    _filled(open_at, path)
    path.chmod(0o400)
    store = open_at(path)
    with pytest.raises(StoreUnavailableError, match="read-only"):
        save(store.tenant("acme"), memory("m2"))


def test_a_full_disk_is_told_and_nothing_is_written(open_at: Open, path: Path) -> None:
    store = open_at(path)
    save(store.tenant("acme"), memory("m1"))
    with store._connections.alone() as session:
        pages = session.row("test", "PRAGMA page_count")
        assert pages is not None
        session.row("test", f"PRAGMA max_page_count = {pages[0] + 5}")
    with pytest.raises(StoreUnavailableError, match="full"):
        save(store.tenant("acme"), *(memory(f"x{index}", "refund " * 500) for index in range(100)))
    assert store.tenant("acme").count("Memory") == 1


def test_a_damaged_file_is_told_with_what_to_do(open_at: Open, path: Path) -> None:
    store = open_at(path)
    save(store.tenant("acme"), *(memory(f"m{index}", "refund " * 50) for index in range(300)))
    store.close()
    content = bytearray(path.read_bytes())
    for page in range(2, len(content) // 4096):
        content[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    path.write_bytes(content)
    damaged = open_at(path)
    with pytest.raises((StatementError, SchemaError), match="damaged") as caught:
        damaged.tenant("acme").scan("Memory", limit=1000)
    assert isinstance(caught.value, StatementError)
    assert caught.value.query
    assert any(not line.ok for line in damaged.check())


def test_a_store_that_another_writer_holds_is_a_conflict(open_at: Open, path: Path) -> None:
    holder, other = open_at(path), open_at(path, busy_timeout=0.1)
    save(holder.tenant("acme"), memory("m1"))
    with holder.tenant("acme").transaction() as tx:
        tx.save_nodes([memory("m2")])
        with pytest.raises(ConflictError, match="locked"):
            save(other.tenant("acme"), memory("m3"))
        assert other.tenant("acme").count("Memory") == 1
    save(other.tenant("acme"), memory("m3"))
    assert holder.tenant("acme").count("Memory") == 3


def test_a_transaction_within_a_transaction_is_a_conflict_not_a_deadlock(open_at: Open, path: Path) -> None:
    graph = open_at(path, busy_timeout=0.1).tenant("acme")
    with graph.transaction() as tx:
        tx.save_nodes([memory("m1")])
        with pytest.raises(ConflictError, match="thread"):
            save(graph, memory("m2"))
    assert graph.count("Memory") == 1


def test_a_closed_store_says_so(open_at: Open, path: Path) -> None:
    _filled(open_at, path)
    store = open_at(path)
    graph = store.tenant("acme")
    assert graph.count("Memory") == 1
    store.close()
    with pytest.raises(StoreUnavailableError, match="closed"):
        graph.count("Memory")


def test_an_old_sqlite_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "OLDEST_SQLITE", (99, 0, 0))
    with pytest.raises(StoreUnavailableError, match="99"):
        SqliteStore(path)


def test_text_that_no_store_can_hold_is_refused(open_at: Open, path: Path) -> None:
    graph = open_at(path).tenant("acme")
    save(graph, concept("c1"))
    bad = [
        memory("m1", text="\ud800"),
        memory("\ud800"),
        memory("m1", confidence=float("nan")),
        memory("m1", search_text="\ud800"),
    ]
    for record in bad:
        with pytest.raises(InvalidInputError):
            save(graph, record)
    with pytest.raises(InvalidInputError):
        graph.get(refs("Memory", "\ud800"))
    assert graph.count("Memory") == 0


def test_a_store_of_schema_1_is_migrated_and_takes_claims(open_at: Open, path: Path) -> None:
    _filled(open_at, path)
    _make_schema_1(path)
    store = open_at(path)
    graph = store.tenant("acme")
    claim = node("Claim", "c1", relation="is_a", promoted=False)
    with pytest.raises(SchemaError, match="graphmem schema migrate"):
        save(graph, claim)
    assert store.migrate() == (1, SCHEMA_VERSION)
    save(graph, claim, memory("m2"))
    assert (graph.count("Memory"), graph.count("Claim", Equals("promoted", value=False))) == (2, 1)
    assert store.migrate() == (SCHEMA_VERSION, SCHEMA_VERSION)


def _make_schema_1(path: Path) -> None:
    """Take away what later migrations added to an empty part of the schema."""
    connection = sqlite3.connect(path)
    with connection:
        later = ("Claim", "Alias", "Merge")
        codes = connection.execute("SELECT code FROM label WHERE name IN (?, ?, ?)", later).fetchall()
        assert len(codes) == 3
        connection.execute("DELETE FROM label WHERE name IN (?, ?, ?)", later)
        connection.execute("DROP INDEX IF EXISTS node_alias_key")
        connection.execute("DELETE FROM migration WHERE number > 1")
        connection.execute("PRAGMA user_version = 1")
    connection.close()
