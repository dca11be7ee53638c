"""What the driver writes into its own log."""

from __future__ import annotations

import pytest

from graphmem.graph.records import NodeRef
from graphmem.stores.neo4j.store import Neo4jStore
from graphmem.testing.builders import memory
from neo4j_servers import Neo4jServer

CANARY = NodeRef("Memory", "canary")


def test_the_log_of_the_driver_shows_no_stored_text(
    neo4j_server: Neo4jServer, tenant: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = Neo4jStore(neo4j_server.uri, auth=neo4j_server.auth)
    graph = store.tenant(tenant)
    with caplog.at_level("DEBUG", "neo4j"):
        with graph.transaction() as tx:
            tx.save_nodes([memory(CANARY.id, text="모래가 노래한다")])
        read = graph.get([CANARY])
    store.close()
    assert read[CANARY].properties["text"] == "모래가 노래한다"
    assert "RUN" in caplog.text
    assert "모래" not in caplog.text
