"""The store contract on the graph that notes what consolidation has to read again, over the embedded store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.ports.embedder import EmbedderSpec
from graphmem.ports.graph_store import GraphStore, TenantGraph
from graphmem.ports.noted_graph import NotedGraph
from graphmem.stores.sqlite.store import SqliteStore
from graphmem.testing import StoreContract
from graphmem.testing.store.fixtures import OpenStore


class NotedStore(SqliteStore):
    """A store whose graphs are all noted."""

    def tenant(self, tenant: str) -> TenantGraph:  # type: ignore[override]  # another graph of the same port
        """The tenant's graph, noted."""
        return NotedGraph(super().tenant(tenant))


class TestNotedGraph(StoreContract):
    @pytest.fixture
    def open_store(self, tmp_path: Path) -> Iterator[OpenStore]:
        opened: list[SqliteStore] = []

        def open_store(embedder: EmbedderSpec | None) -> GraphStore:
            opened.append(NotedStore(tmp_path / "store.db", embedder=embedder))
            return opened[-1]

        yield open_store
        for store in opened:
            store.close()
