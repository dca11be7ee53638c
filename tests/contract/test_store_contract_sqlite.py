"""The store contract on the embedded store: a file of its own for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.ports.embedder import EmbedderSpec
from graphmem.ports.graph_store import GraphStore
from graphmem.stores.sqlite.store import SqliteStore
from graphmem.testing import StoreContract, StoreSchemaContract
from graphmem.testing.store.fixtures import OpenStore


@pytest.fixture
def open_file(tmp_path: Path) -> Iterator[OpenStore]:
    opened: list[SqliteStore] = []

    def open_store(embedder: EmbedderSpec | None) -> GraphStore:
        opened.append(SqliteStore(tmp_path / "store.db", embedder=embedder))
        return opened[-1]

    yield open_store
    for store in opened:
        store.close()


class TestSqliteStore(StoreContract):
    @pytest.fixture
    def open_store(self, open_file: OpenStore) -> OpenStore:
        return open_file


class TestSqliteStoreSchema(StoreSchemaContract):
    @pytest.fixture
    def open_store(self, open_file: OpenStore) -> OpenStore:
        return open_file
