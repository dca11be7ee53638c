"""Every statement is planned by the server it is for, without a warning, and returns what its header says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import neo4j
import pytest

from graphmem.embedders.hashing import HashingEmbedder
from graphmem.queries import Query, query, query_names
from graphmem.stores.neo4j.store import Neo4jStore
from neo4j_servers import Neo4jServer

NAMES = query_names()


@pytest.fixture(scope="module")
def driver(neo4j_server: Neo4jServer) -> Iterator[neo4j.Driver]:
    store = Neo4jStore(neo4j_server.uri, auth=neo4j_server.auth, embedder=HashingEmbedder.spec)
    with store.tenant("explained").transaction():
        pass  # the schema and the vector indexes are there from here on
    store.close()
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=neo4j_server.auth) as driver:
        yield driver


def is_for(found: Query, line: str) -> bool:
    if found.name.endswith(".v5"):
        return line == "5"
    return line != "5" or f"{found.name}.v5" not in NAMES


def explained(statement: str) -> str:
    prefix, _, rest = statement.partition("\n")
    return f"{prefix} EXPLAIN\n{rest}"


@pytest.mark.parametrize("name", NAMES)
def test_a_statement_is_planned_without_a_warning(driver: neo4j.Driver, neo4j_line: str, name: str) -> None:
    found = query(name)
    if not is_for(found, neo4j_line):
        pytest.skip(f"{name} is not for {neo4j_line}")
    # a name that no node has yet is no fault of the statement
    with driver.session(notifications_disabled_classifications=["UNRECOGNIZED"]) as session:
        for statement in found.statements:
            result = session.run(explained(statement), dict.fromkeys(found.params))
            assert tuple(result.keys()) == found.returns
            assert [one for one in result.consume().gql_status_objects if one.is_notification] == []


@pytest.mark.parametrize("name", [name for name in NAMES if query(name).mode == "read"])
def test_a_reading_statement_is_let_through_in_read_mode(driver: neo4j.Driver, neo4j_line: str, name: str) -> None:
    found = query(name)
    if not is_for(found, neo4j_line):
        pytest.skip(f"{name} is not for {neo4j_line}")
    with driver.session(notifications_disabled_classifications=["UNRECOGNIZED"]) as session:
        summary = session.run(explained(found.text), dict.fromkeys(found.params)).consume()
    assert summary.query_type in {"r", "s"}  # the server counts looks at itself as schema


EVERY_TENANT = {"count_missing_vectors", "count_words", "drop_vectors", "orphans", "switch_vectors", "tenants"}
"""Statements of migrations and operators, which look at all tenants."""


@pytest.mark.parametrize(
    "name",
    [name for name in NAMES if name.startswith("graph/") and name.split("/")[1].split(".")[0] not in EVERY_TENANT],
)
def test_a_statement_of_a_tenant_never_looks_at_all_nodes_of_a_label(
    driver: neo4j.Driver, neo4j_line: str, name: str
) -> None:
    found = query(name)
    if not is_for(found, neo4j_line) or "SHOW " in found.text:
        pytest.skip(f"{name} is not for {neo4j_line}, or shows the schema")
    with driver.session(notifications_disabled_classifications=["UNRECOGNIZED"]) as session:
        plan = session.run(explained(found.text), dict.fromkeys(found.params)).consume().plan
    assert plan is not None
    assert [kind for kind in operators(plan) if "LabelScan" in kind or "AllNodes" in kind] == []


def operators(plan: dict[str, Any]) -> Iterator[str]:
    yield str(plan["operatorType"])
    for child in plan.get("children", ()):
        yield from operators(child)
