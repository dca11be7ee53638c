"""An operator's free Cypher on both lines: what it answers, what is refused, and where it is cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import neo4j
import pytest
from neo4j.exceptions import ClientError
from pytest_httpserver import HTTPServer

import graphmem
from graphmem.errors import InvalidInputError, StatementError, StoreUnavailableError
from graphmem.ports.free_query import FreeAnswer, FreeQueryLimits
from graphmem.stores.neo4j.free_allowed import FUNCTIONS, PROCEDURES
from graphmem.stores.neo4j.free_plan import check_plan
from graphmem.stores.neo4j.store import Neo4jStore
from neo4j_servers import Neo4jServer

LIMITS = FreeQueryLimits(seconds=30, rows=1000, bytes=1 << 20)

WRITES = [
    "MATCH (n {tenant: $tenant}) SET n.text = 'x'",
    "MATCH (n {tenant: $tenant}) SET n:Other",
    "MATCH (n {tenant: $tenant}) REMOVE n.text",
    "MATCH (n {tenant: $tenant}) DETACH DELETE n",
    "WITH $tenant AS t CREATE (:Memory {tenant: t, id: 'x'})",
    "WITH $tenant AS t MERGE (n:Memory {tenant: t, id: 'x'}) RETURN n",
    "WITH $tenant AS t FOREACH (x IN [1] | CREATE (:Memory {tenant: t, id: 'x'}))",
    "WITH $tenant AS t CALL (t) { CREATE (:Memory {tenant: t, id: 'x'}) }",
    "MATCH (n {tenant: $tenant}) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 1 ROWS",
    "MATCH (n {tenant: $tenant}) CALL (n) { RETURN 1 AS x } IN TRANSACTIONS RETURN x",
]
"""Statements that write, or that commit on their own, and say so in their plan."""

ADMINISTRATION = [
    "CREATE INDEX hostile IF NOT EXISTS FOR (n:Hostile) ON (n.x)",
    "DROP INDEX graphmem_Memory_text IF EXISTS",
    "CREATE CONSTRAINT hostile IF NOT EXISTS FOR (n:Hostile) REQUIRE n.x IS UNIQUE",
    "DROP CONSTRAINT graphmem_Memory_id IF EXISTS",
    "CREATE USER hostile SET PASSWORD 'abcdefgh'",
    "SHOW USERS",
    "SHOW DATABASES",
    "SHOW SETTINGS",
    "SHOW TRANSACTIONS",
    "SHOW INDEXES",
    "SHOW PROCEDURES",
    "TERMINATE TRANSACTIONS 'neo4j-transaction-1'",
    "CALL dbms.listConfig()",
    "CALL dbms.listConnections()",
    "CALL dbms.queryJmx('*:*')",
    "CALL tx.setMetaData({a: 1})",
    "CALL db.createLabel('Hostile')",
    "CALL db.clearQueryCaches()",
    "CALL db.stats.retrieve('QUERIES')",
    "CALL db.awaitIndexes(1)",
    "CALL db.prepareForReplanning()",
]

LOADS = [
    "LOAD CSV FROM '{url}' AS l RETURN l",
    "CALL () {{ LOAD CSV FROM '{url}' AS l RETURN l }} RETURN l",
    "WITH 1 AS x LOAD CSV WITH HEADERS FROM '{url}' AS l RETURN l",
    "RETURN COLLECT {{ LOAD CSV FROM '{url}' AS l RETURN l }} AS x",
    "RETURN CASE WHEN EXISTS {{ LOAD CSV FROM '{url}' AS l RETURN l }} THEN 1 ELSE 2 END AS x",
    "RETURN [x IN [1] WHERE EXISTS {{ LOAD/**/CSV FROM '{url}' AS l RETURN l }} | x] AS x",
    "RETURN COUNT {{ lOAD\n// '\n csv FROM '{url}' AS l RETURN l }} AS x",
    "RETURN 1 AS l // a\rUNION LOAD CSV FROM '{url}' AS l RETURN l",
    "RETURN 1 AS l UNION \\u004cOAD CSV FROM '{url}' AS l RETURN l",
    "RETURN 'a\\u0027 AS l UNION LOAD CSV FROM \\u0027{url}\\u0027 AS l RETURN l //'",
    "RETURN 1 AS `a\\u0060 UNION LOAD CSV FROM '{url}' AS l RETURN l //`",
    "/* \\u002a/ LOAD CSV FROM '{url}' AS l RETURN l // */ RETURN 1",
    "RETURN 1 AS l UNION\u00a0LOAD\u3000CSV FROM '{url}' AS l RETURN l",
    "CYPHER 5 /* */ EXPLAIN LOAD CSV FROM '{url}' AS l RETURN l",
    "PROFILE LOAD CSV FROM '{url}' AS l RETURN l",
    "RETURN 1 AS l; LOAD CSV FROM '{url}' AS l RETURN l",
    "USE neo4j LOAD CSV FROM '{url}' AS l RETURN l",
]
"""Ways to make the server fetch an address; several are none that it would understand."""

HIDDEN = [
    "RETURN CASE WHEN EXISTS { CALL dbms.listConfig() YIELD name RETURN name } THEN 1 ELSE 2 END AS x",
    "RETURN CASE WHEN EXISTS { CALL db.stats.status() YIELD section RETURN section } THEN 1 ELSE 2 END AS x",
    "CALL `db`.`awaitIndexes`(1)",
    "CALL { USE neo4j MATCH (n) RETURN n } RETURN n",
    "MATCH (n) RETURN n UNION USE neo4j MATCH (n) RETURN n",
    "RETURN graph.byName('system')",
    "RETURN file()",
    "RETURN apoc.load.json('file:///x')",
]


@pytest.fixture(scope="module")
def tenant() -> str:
    """One tenant for all: none of these tests can write."""
    return f"test-{uuid4().hex}"


@pytest.fixture(scope="module")
def store(neo4j_server: Neo4jServer, tenant: str) -> Iterator[Neo4jStore]:
    with graphmem.open(neo4j_server.uri, auth=neo4j_server.auth, tenant=tenant, embedder="none") as memory:
        memory.remember("환불은 사흘 걸린다", id="f1", about=["환불"])
    opened = Neo4jStore(neo4j_server.uri, auth=neo4j_server.auth)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def driver(neo4j_server: Neo4jServer) -> Iterator[neo4j.Driver]:
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=neo4j_server.auth) as opened:
        yield opened


def ask(store: Neo4jStore, text: str, **parameters: Any) -> FreeAnswer:
    return store.free_query(text, parameters, LIMITS)


def held(store: Neo4jStore, tenant: str) -> list[dict[str, Any]]:
    text = "MATCH (n {tenant: $tenant}) RETURN labels(n) AS labels, properties(n) AS held ORDER BY n.id, labels"
    return list(ask(store, text, tenant=tenant).rows)


def test_it_sees_every_tenant_and_gives_plain_values(store: Neo4jStore, tenant: str) -> None:
    answer = ask(store, "MATCH (n:Memory {tenant: $t}) RETURN n, n.created_at AS at, [1.5, null] AS l", t=tenant)
    assert answer.columns == ("n", "at", "l")
    assert answer.truncated is None
    ((node, at, numbers),) = (row.values() for row in answer.rows)
    assert node["labels"] == ["Memory"]
    assert node["properties"]["text"] == "환불은 사흘 걸린다"
    assert (at[-1], numbers) == ("Z", [1.5, None])


def test_a_path_is_a_list_of_nodes_and_edges(store: Neo4jStore) -> None:
    ((path,),) = (row.values() for row in ask(store, "MATCH p = ()-->() RETURN p LIMIT 1").rows)
    assert [sorted(step) for step in path] == [
        ["labels", "properties"],
        ["properties", "type"],
        ["labels", "properties"],
    ]


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a {tenant: $t})-[r]-(b) WHERE NOT EXISTS { (b)<-[:SUPERSEDES]-() } RETURN type(r), count(*)",
        "MATCH p = shortestPath((a:Memory {tenant: $t})-[*..3]-(b:Concept)) RETURN length(p)",
        "MATCH p = ANY SHORTEST (a:Memory {tenant: $t})-[]-+(b:Concept) RETURN p",
        "MATCH (a {tenant: $t}) OPTIONAL MATCH (a)-[:ABOUT]->(c) RETURN a.id, collect(DISTINCT c.key) AS keys",
        "MATCH (a) WHERE a.tenant = $t CALL (a) { RETURN COUNT { (a)--() } AS n } RETURN n ORDER BY n LIMIT 1",
        "CALL db.index.fulltext.queryNodes('graphmem_Memory_text', $t) YIELD node RETURN node LIMIT 1",
        "CALL db.schema.nodeTypeProperties() YIELD nodeType WHERE nodeType <> $t RETURN count(*)",
        "UNWIND range(1, 3) AS x WITH x WHERE toString(x) <> $t RETURN sum(x) UNION RETURN 1 AS `sum(x)`",
        "MATCH (n:$($labels) {tenant: $t}) RETURN CASE WHEN EXISTS { (n)--() } THEN 1 ELSE 2 END AS x",
        "MATCH (n:Memory {tenant: $t}) RETURN date.truncate('day', n.created_at), date() - duration('P1D')",
    ],
)
def test_reading_of_every_kind_passes(store: Neo4jStore, tenant: str, text: str) -> None:
    labels = {"labels": ["Memory"]} if "$labels" in text else {}
    assert ask(store, text, t=tenant, **labels).columns


@pytest.mark.parametrize("text", [*WRITES, *ADMINISTRATION, *HIDDEN])
def test_whatever_is_more_than_reading_is_refused_and_leaves_no_trace(
    store: Neo4jStore, tenant: str, text: str
) -> None:
    before = held(store, tenant)
    given = {"tenant": tenant} if "$tenant" in text else {}
    for language in ("", "CYPHER 25 "):
        with pytest.raises(InvalidInputError):
            ask(store, f"{language}{text}", **given)
    assert held(store, tenant) == before


@pytest.mark.parametrize("text", LOADS)
def test_no_form_of_load_csv_reaches_an_address(store: Neo4jStore, httpserver: HTTPServer, text: str) -> None:
    httpserver.expect_request("/x").respond_with_data("a\n")
    with pytest.raises(InvalidInputError):
        ask(store, text.format(url=httpserver.url_for("/x")))
    assert httpserver.log == []


@pytest.mark.parametrize(
    "text", [*WRITES, *ADMINISTRATION, "CALL () { LOAD CSV FROM 'x' AS l RETURN l } RETURN l"]
)
def test_the_plan_alone_tells_it_too(driver: neo4j.Driver, tenant: str, text: str) -> None:
    given = {"tenant": tenant} if "$tenant" in text else {}
    with driver.session(default_access_mode="READ") as session:
        summary = session.run(f"CYPHER 5 EXPLAIN {text}", given).consume()
    with pytest.raises(InvalidInputError):
        check_plan(summary.plan, summary.query_type, summary.database)


@pytest.mark.parametrize("text", WRITES[:8])
def test_the_server_refuses_writes_in_such_a_session_by_itself(
    driver: neo4j.Driver, tenant: str, text: str
) -> None:
    with (
        driver.session(default_access_mode="READ") as session,
        pytest.raises(ClientError, match=r"[Ww]rit|read access mode|not allowed"),
    ):
        session.run(text, {"tenant": tenant}).consume()


def test_every_built_in_function_is_allowed_or_left_out_on_purpose(driver: neo4j.Driver) -> None:
    records = driver.execute_query("SHOW FUNCTIONS YIELD name, isBuiltIn, category").records
    unknown = {
        record["name"]
        for record in records
        if record["isBuiltIn"] and record["category"] != "Graph" and record["name"].lower() not in FUNCTIONS
    }
    assert unknown == {"file", "linenumber"}


def test_every_allowed_procedure_is_there_and_reads(driver: neo4j.Driver) -> None:
    modes = {
        record["name"]: record["mode"]
        for record in driver.execute_query("SHOW PROCEDURES YIELD name, mode").records
    }
    assert {modes[name] for name in PROCEDURES} == {"READ"}


@pytest.mark.parametrize(
    ("rows", "most", "truncated"), [(3, 4, None), (4, 4, None), (5, 4, "rows"), (500, 4, "rows")]
)
def test_an_answer_ends_at_its_most_rows_and_says_so(
    store: Neo4jStore, rows: int, most: int, truncated: str | None
) -> None:
    limits = FreeQueryLimits(seconds=30, rows=most, bytes=1 << 20)
    answer = store.free_query("UNWIND range(1, $n) AS x RETURN x", {"n": rows}, limits)
    assert [row["x"] for row in answer.rows] == list(range(1, min(rows, most) + 1))
    assert answer.truncated == truncated


def test_an_answer_ends_at_its_most_bytes_and_says_so(store: Neo4jStore) -> None:
    row = '{"x": "환환환환환환환환환환"}'
    size = len(row.encode())
    text = "UNWIND range(1, 9) AS n RETURN '환환환환환환환환환환' AS x"
    for most, count, truncated in ((size * 9, 9, None), (size * 9 - 1, 8, "bytes"), (size - 1, 0, "bytes")):
        answer = store.free_query(text, {}, FreeQueryLimits(seconds=30, rows=100, bytes=most))
        assert (len(answer.rows), answer.truncated) == (count, truncated)


def test_a_query_that_takes_too_long_is_stopped_and_told_by_its_setting(store: Neo4jStore) -> None:
    text = "UNWIND range(1, 1000000) AS x UNWIND range(1, 1000000) AS y RETURN sum(x * y % 7)"
    with pytest.raises(StatementError, match=r"longer than 0\.5 seconds.*cypher_timeout_seconds") as stopped:
        store.free_query(text, {}, FreeQueryLimits(seconds=0.5, rows=10, bytes=1000))
    assert not stopped.value.retryable


def test_a_mistake_is_told_in_the_servers_words_with_its_place(store: Neo4jStore) -> None:
    with pytest.raises(InvalidInputError, match=r"x.*line 1, column 18 of the statement"):
        ask(store, "MATCH (n) RETURN x")
    with pytest.raises(InvalidInputError, match=r"line 2, column 8 of the statement"):
        ask(store, "MATCH (n)\nRETURN x")


def test_a_fault_while_running_tells_no_stored_text(store: Neo4jStore, tenant: str) -> None:
    with pytest.raises(StatementError) as failed:
        ask(store, "MATCH (n:Memory {tenant: $t}) RETURN date(n.text)", t=tenant)
    assert "환불" not in str(failed.value)


def test_parameters_must_be_those_of_the_statement(store: Neo4jStore) -> None:
    with pytest.raises(InvalidInputError, match=r"give a value for \$a, \$b"):
        ask(store, "RETURN $a + $b + $c", c=1)
    with pytest.raises(InvalidInputError, match=r"no parameter \$d"):
        ask(store, "RETURN 1", d=1)


def test_a_server_that_is_down_is_told_by_its_address() -> None:
    store = Neo4jStore("bolt://127.0.0.1:1")
    with pytest.raises(StoreUnavailableError, match=re.escape("bolt://127.0.0.1:1")):
        ask(store, "RETURN 1")
    store.close()
