"""The store contract on a real Neo4j of both lines, each test with its own tenant."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graphmem.embedders.hashing import HashingEmbedder
from graphmem.ports.embedder import EmbedderSpec
from graphmem.ports.graph_store import GraphStore
from graphmem.stores.neo4j.store import Neo4jStore
from graphmem.testing import StoreContract, StoreSchemaContract
from graphmem.testing.store.fixtures import OpenStore
from neo4j_servers import Neo4jServer


@pytest.fixture
def open_database(neo4j_server: Neo4jServer) -> Iterator[OpenStore]:
    opened: list[Neo4jStore] = []

    def open_store(embedder: EmbedderSpec | None) -> GraphStore:
        opened.append(Neo4jStore(neo4j_server.uri, auth=neo4j_server.auth, embedder=embedder))
        return opened[-1]

    yield open_store
    for store in opened:
        store.close()


class TestNeo4jStore(StoreContract):
    @pytest.fixture
    def spec(self) -> EmbedderSpec:
        # a server holds vectors of one embedder, and other tests share it
        return HashingEmbedder.spec

    @pytest.fixture
    def open_store(self, open_database: OpenStore) -> OpenStore:
        return open_database


@pytest.fixture
def open_empty_database(empty_neo4j_server: Neo4jServer) -> Iterator[OpenStore]:
    opened: list[Neo4jStore] = []

    def open_store(embedder: EmbedderSpec | None) -> GraphStore:
        opened.append(Neo4jStore(empty_neo4j_server.uri, auth=empty_neo4j_server.auth, embedder=embedder))
        return opened[-1]

    yield open_store
    for store in opened:
        store.close()


@pytest.mark.serial
class TestNeo4jStoreSchema(StoreSchemaContract):
    @pytest.fixture
    def open_store(self, open_empty_database: OpenStore) -> OpenStore:
        return open_empty_database
