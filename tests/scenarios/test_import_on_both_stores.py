"""The same files give the same memory on Neo4j as in a file, and a copy there and back loses nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphmem.embedders.hashing import HashingEmbedder
from graphmem.graph.records import EdgeRecord
from graphmem.graph.schema import NODE_TYPES
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.workspace import Workspace
from graphmem.stores.neo4j.store import Neo4jStore
from graphmem.stores.sqlite.store import SqliteStore
from graphmem.testing.clock import FakeClock
from graphmem.transfer.copying import copy_store
from graphmem.transfer.importing import import_records
from graphmem.transfer.policy import ImportOptions
from graphmem.transfer.sources import file_source
from neo4j_servers import Neo4jServer
from transferring import DATA, exported, import_data, sqlite_workspace

AIRLINE = DATA / "tau-bench" / "gpt-4o-airline.json"
OPTIONS = ImportOptions(format="chat", fields={"messages": "traj", "outcome": "reward", "task": "task_id"})

pytestmark = pytest.mark.skipif(not AIRLINE.exists(), reason=f"no airline runs at {AIRLINE}: set GRAPHMEM_DATA")


@pytest.fixture
def neo4j_workspace(neo4j_server: Neo4jServer, tenant: str) -> Iterator[Workspace]:
    store = Neo4jStore(neo4j_server.uri, auth=neo4j_server.auth)
    yield Workspace(store.tenant(tenant), None, None, FakeClock(), os.urandom)
    store.close()


def counts(graph: TenantGraph) -> dict[str, int]:
    return {label: graph.count(label) for label in NODE_TYPES}


def content(graph: TenantGraph) -> tuple[list[Any], list[EdgeRecord]]:
    """All nodes and edges."""
    found = [node for label in NODE_TYPES for node in graph.scan(label, limit=10_000).records]
    return [(node.ref, dict(node.properties)) for node in found], graph.edges([node.ref for node in found])


def test_the_airline_runs_are_the_same_in_both_and_so_are_their_updates(
    tmp_path: Path, neo4j_workspace: Workspace
) -> None:
    in_file = sqlite_workspace(tmp_path / "memory.db")
    for workspace in (in_file, neo4j_workspace):
        assert import_records(workspace, [file_source(AIRLINE)], OPTIONS).added == 200
        assert import_records(workspace, [file_source(AIRLINE)], OPTIONS).unchanged == 200
    assert counts(neo4j_workspace.graph) == counts(in_file.graph)
    assert exported(neo4j_workspace.graph) == exported(in_file.graph)
    for workspace in (in_file, neo4j_workspace):
        other = exported(workspace.graph).replace(b'"action":"think"', b'"action":"ponder"')
        assert import_data(workspace, other, update=True).changed > 0
    assert exported(neo4j_workspace.graph) == exported(in_file.graph)


def test_a_copy_to_neo4j_and_back_loses_nothing(tmp_path: Path, neo4j_server: Neo4jServer, tenant: str) -> None:
    import_records(sqlite_workspace(tmp_path / "a.db", tenant=tenant), [file_source(AIRLINE)], OPTIONS)
    first, last = SqliteStore(tmp_path / "a.db"), SqliteStore(tmp_path / "b.db")
    database = Neo4jStore(neo4j_server.uri, auth=neo4j_server.auth)
    there = copy_store(first, database, [tenant])
    back = copy_store(database, last, [tenant])
    database.close()
    assert there.complete
    assert back.complete
    assert there.counts["Episode"] == (200, 200)
    assert content(last.tenant(tenant)) == content(first.tenant(tenant))


@pytest.mark.serial
def test_vectors_survive_a_copy_to_an_emptied_neo4j_and_back(
    tmp_path: Path, empty_neo4j_server: Neo4jServer, tenant: str
) -> None:
    embedder = HashingEmbedder()
    import_records(
        sqlite_workspace(tmp_path / "a.db", tenant=tenant, embedder=embedder), [file_source(AIRLINE)], OPTIONS
    )
    stores = [SqliteStore(tmp_path / name, embedder=embedder.spec) for name in ("a.db", "b.db")]
    database = Neo4jStore(empty_neo4j_server.uri, auth=empty_neo4j_server.auth, embedder=embedder.spec)
    copy_store(stores[0], database)
    copy_store(database, stores[1])
    database.close()
    vectors = [
        {node.id: np.asarray(node.vector).tobytes() for node in roots}
        for store in stores
        for roots in [store.tenant(tenant).scan("Episode", vectors=True, limit=1000).records]
    ]
    assert len(vectors[0]) == 200
    assert vectors[1] == vectors[0]
