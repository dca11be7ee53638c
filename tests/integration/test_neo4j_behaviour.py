"""The store on a real server beyond the contract: servers that are down, drivers, databases, warnings, writers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta

import neo4j
import numpy as np
import pytest

from graphmem.embedders.hashing import HashingEmbedder
from graphmem.errors import ConflictError, InvalidInputError, SchemaError, StoreUnavailableError
from graphmem.graph.records import And, Equals, In, NodeRef, Range, Vector
from graphmem.graph.schema import NODE_TYPES, SCHEMA_VERSION
from graphmem.stores.neo4j.store import Neo4jStore
from graphmem.stores.neo4j.tenant import Neo4jTenant
from graphmem.testing.builders import concept, edge, memory, node, tree
from neo4j_servers import Neo4jServer
from tcp_gate import Gate

SPEC = HashingEmbedder.spec
WITHIN = 10.0
"""Seconds after which a server that is down must be an error."""


@pytest.fixture
def store(neo4j_server: Neo4jServer) -> Iterator[Neo4jStore]:
    opened = Neo4jStore(neo4j_server.uri, auth=neo4j_server.auth, embedder=SPEC)
    yield opened
    opened.close()


@pytest.fixture
def graph(store: Neo4jStore, tenant: str) -> Neo4jTenant:
    return store.tenant(tenant)


def save(graph: Neo4jTenant, *ids: str, **properties: object) -> None:
    with graph.transaction() as tx:
        tx.save_nodes([memory(node_id, **properties) for node_id in ids])  # type: ignore[arg-type]  # names of the schema


def unit(*components: float) -> Vector:
    vector = np.zeros(SPEC.dimension, dtype=np.float32)
    vector[: len(components)] = components
    return vector / np.linalg.norm(vector)


def fails_soon(work: Callable[[], object]) -> str:
    """The message of the error, which comes in time and names no secret."""
    begun = time.monotonic()
    with pytest.raises(StoreUnavailableError) as caught:
        work()
    assert time.monotonic() - begun < WITHIN
    return str(caught.value)


# --- servers that cannot be reached ---------------------------------------------------------------------------


def test_a_server_that_is_down_from_the_start_is_an_error_that_names_it() -> None:
    store = Neo4jStore("bolt://127.0.0.1:1", auth=("neo4j", "the-password"))
    graph = store.tenant("t")
    for work in (graph.version, lambda: save(graph, "m"), store.info):
        said = fails_soon(work)
        assert "bolt://127.0.0.1:1" in said
        assert "the-password" not in said
    store.close()


def test_a_host_that_does_not_exist_is_an_error_that_names_it() -> None:
    store = Neo4jStore("neo4j://nowhere.invalid:7687", auth=("neo4j", "the-password"))
    assert "neo4j://nowhere.invalid:7687" in fails_soon(lambda: store.tenant("t").count("Memory"))
    store.close()


def test_the_address_in_messages_has_no_user_and_password() -> None:
    store = Neo4jStore("bolt://ada:the-password@127.0.0.1:1")
    said = fails_soon(store.info)
    assert "bolt://127.0.0.1:1" in said
    assert "the-password" not in said
    store.close()


def test_a_scheme_that_is_none_of_the_drivers_is_an_error() -> None:
    with pytest.raises(InvalidInputError, match="http://127"):
        Neo4jStore("http://ada:the-password@127.0.0.1:7474")


def test_a_server_that_goes_down_is_an_error_and_comes_back(
    neo4j_server: Neo4jServer, store: Neo4jStore, tenant: str
) -> None:
    with Gate(neo4j_server.uri) as gate:
        through = Neo4jStore(gate.uri, auth=neo4j_server.auth, embedder=SPEC)
        graph = through.tenant(tenant)
        save(graph, "m1")
        gate.close()
        for work in (graph.version, lambda: save(graph, "m2")):
            assert gate.uri in fails_soon(work)
        gate.open()
        assert graph.count("Memory") == 1
        save(graph, "m2")
        through.close()
    assert store.tenant(tenant).count("Memory") == 2


def test_a_read_survives_a_connection_that_broke(neo4j_server: Neo4jServer, tenant: str) -> None:
    with Gate(neo4j_server.uri) as gate:
        through = Neo4jStore(gate.uri, auth=neo4j_server.auth, embedder=SPEC)
        save(through.tenant(tenant), "m1")
        gate.close()
        gate.open()
        assert through.tenant(tenant).count("Memory") == 1
        through.close()


def test_a_write_whose_connection_breaks_leaves_nothing(
    neo4j_server: Neo4jServer, store: Neo4jStore, tenant: str
) -> None:
    def break_off(gate: Gate) -> None:
        through = Neo4jStore(gate.uri, auth=neo4j_server.auth, embedder=SPEC)
        with closing(through), through.tenant(tenant).transaction() as tx:
            tx.save_trees([tree("e1")])
            gate.close()
            tx.save_trees([tree("e2")])

    with Gate(neo4j_server.uri) as gate:
        assert gate.uri in fails_soon(lambda: break_off(gate))
    save(store.tenant(tenant), "m1")
    assert [store.tenant(tenant).count(label) for label in ("Episode", "Step", "Memory")] == [0, 0, 1]


def test_a_wrong_password_says_what_to_set_and_not_what_was_given(neo4j_server: Neo4jServer) -> None:
    store = Neo4jStore(neo4j_server.uri, auth=("neo4j", "not-the-password"))
    said = fails_soon(lambda: store.tenant("t").count("Memory"))
    assert neo4j_server.uri in said
    assert "NEO4J_PASSWORD" in said
    assert "not-the-password" not in said
    store.close()


def test_a_database_that_does_not_exist_is_named_as_missing(neo4j_server: Neo4jServer) -> None:
    store = Neo4jStore(neo4j_server.uri, auth=neo4j_server.auth, database="nosuchdatabase")
    assert "database" in fails_soon(lambda: store.tenant("t").count("Memory"))
    assert "database" in fails_soon(lambda: save(store.tenant("t"), "m"))
    store.close()


# --- drivers and databases ------------------------------------------------------------------------------------


def test_a_driver_of_the_caller_stays_open(neo4j_server: Neo4jServer, tenant: str) -> None:
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=neo4j_server.auth) as driver:
        store = Neo4jStore(None, driver=driver, embedder=SPEC)
        save(store.tenant(tenant), "m1")
        store.close()
        store.close()
        driver.verify_connectivity()
        assert Neo4jStore(None, driver=driver).tenant(tenant).count("Memory") == 1


def test_the_database_can_be_named(neo4j_server: Neo4jServer, tenant: str) -> None:
    store = Neo4jStore(neo4j_server.uri, auth=neo4j_server.auth, database="neo4j", embedder=SPEC)
    save(store.tenant(tenant), "m1")
    assert store.tenant(tenant).count("Memory") == 1
    store.close()


def test_no_call_makes_the_server_warn(neo4j_server: Neo4jServer, tenant: str) -> None:
    # Python turns the driver's warnings into errors here, deprecations included
    severity = neo4j.NotificationMinimumSeverity.INFORMATION
    with neo4j.GraphDatabase.driver(
        neo4j_server.uri, auth=neo4j_server.auth, warn_notification_severity=severity
    ) as driver:
        every_operation(Neo4jStore(None, driver=driver, embedder=SPEC), tenant)


def every_operation(store: Neo4jStore, tenant: str) -> None:
    graph = store.tenant(tenant)
    with graph.transaction() as tx:
        tx.save_nodes([memory("m1", "refund", vector=unit(1)), concept("c1"), node("Message", "s1")])
        tx.save_trees([tree("e1", vector=unit(1))])
        tx.save_trees([tree("e1", content_hash="other", vector=unit(1))], replace=True)
        about = edge("ABOUT", NodeRef("Memory", "m1"), NodeRef("Concept", "c1"))
        tx.save_edges([about])
        tx.set_properties("Memory", [("m1", {"why": "x"})])
        tx.get([NodeRef("Memory", "m1")])
        tx.edges([NodeRef("Memory", "m1")], direction="both")
        tx.remove_edges([about])
        tx.remove_nodes([NodeRef("Message", "s1")])
    for label in NODE_TYPES:
        graph.scan(label, order="-created_at")
        graph.scan(label, Equals("user_id", "ada"), vectors=True)
        graph.count(label)
    where = And((In("kind", ("fact",)), Range("at", high=datetime(2027, 1, 1, tzinfo=UTC))))
    graph.nearest("Memory", unit(1), where)
    graph.nearest("Memory", unit(1), Equals("id", "m1"))
    graph.search(["Memory", "Episode"], ["refund"], {"Memory": where})
    graph.expand([NodeRef("Episode", "e1")], depth=2)
    graph.missing_vectors("Memory")
    graph.save_vectors("Memory", [("m1", unit(0, 1))])
    graph.version()
    graph.erase("ada")
    graph.erase()
    store.tenants()
    store.info()
    store.check()
    store.migrate()


# --- values ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "moment",
    [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        datetime(2026, 3, 1, 9, 30, 15, 123_456, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    ],
)
def test_times_come_back_to_the_microsecond_and_are_found(graph: Neo4jTenant, moment: datetime) -> None:
    save(graph, "m1", at=moment)
    found = graph.get([NodeRef("Memory", "m1")])[NodeRef("Memory", "m1")]
    assert found.properties["at"] == moment
    assert graph.count("Memory", Equals("at", moment)) == 1
    assert graph.count("Memory", Range("at", moment, moment)) == 1


def test_times_are_stored_as_the_databases_own(graph: Neo4jTenant, neo4j_server: Neo4jServer) -> None:
    east = datetime(2026, 3, 1, 18, tzinfo=UTC) + timedelta(microseconds=1)
    save(graph, "m1", at=east)
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=neo4j_server.auth) as driver:
        text = "MATCH (m:Memory {tenant: $tenant}) RETURN m.at AS at"
        (record,) = driver.execute_query(text, tenant=graph.tenant).records
    assert record["at"].to_native() == east
    assert record["at"].utcoffset() == timedelta(0)


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1])
def test_an_integer_beyond_64_bits_is_refused(graph: Neo4jTenant, number: int) -> None:
    record = concept("c1")
    with pytest.raises(InvalidInputError, match="64 bits"), graph.transaction() as tx:
        tx.save_nodes([type(record)("Concept", "c1", {**record.properties, "abstraction_level": number})])
    assert graph.count("Concept") == 0


def test_text_that_is_not_unicode_is_refused(graph: Neo4jTenant) -> None:
    with pytest.raises(InvalidInputError):
        save(graph, "m1", why="\ud800")


def test_lucenes_operators_are_words_like_any_other(graph: Neo4jTenant) -> None:
    hostile = [
        '"',
        "\\",
        "a AND b",
        "+x",
        "-x",
        "tenant:other",
        "*",
        "w?",
        "~2",
        "/x/",
        "(",
        "]",
        "^9",
        "OR",
        "환불",
    ]
    with graph.transaction() as tx:
        tx.save_nodes([memory(f"m{n}", search_text=word) for n, word in enumerate(hostile)])
    for number, word in enumerate(hostile):
        hits = graph.search(["Memory"], word.split())
        assert f"m{number}" in [hit.record.id for hit in hits], word
        assert len(hits) <= 2, word


def test_texts_beyond_the_basic_plane_are_paged_by_code_point(graph: Neo4jTenant) -> None:
    ids = ["z", "가", "\ufb01", "\uffee", "\U0001f600", "\U0002f800", "a\uffee", "a\U0001f600"]
    with graph.transaction() as tx:
        tx.save_nodes([memory(node_id, subject_key="s", kind="fact") for node_id in ids])
    for where in (None, Equals("subject_key", "s"), Equals("kind", "fact")):
        for order in ("id", "-id"):
            found: list[str] = []
            page = graph.scan("Memory", where, order=order, limit=1)
            while page.next is not None:
                found += [record.id for record in page.records]
                page = graph.scan("Memory", where, order=order, limit=1, after=page.next)
            found += [record.id for record in page.records]
            assert found == sorted(ids, reverse=order == "-id")
    assert graph.count("Memory", Range("id", "\ufb01", "\uffee")) == 2
    assert graph.count("Memory", Range("id", "\uffef")) == 2


# --- writers --------------------------------------------------------------------------------------------------


def test_writers_lose_no_update(graph: Neo4jTenant) -> None:
    save(graph, "m1", why="0")

    def add_one(_: int) -> None:
        with graph.transaction() as tx:
            found = tx.get([NodeRef("Memory", "m1")])[NodeRef("Memory", "m1")]
            tx.set_properties("Memory", [("m1", {"why": str(int(str(found.properties["why"])) + 1)})])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add_one, range(40)))
    found = graph.get([NodeRef("Memory", "m1")])[NodeRef("Memory", "m1")]
    assert found.properties["why"] == "40"


def test_two_stores_write_the_same_trees_once(neo4j_server: Neo4jServer, tenant: str) -> None:
    stores = [Neo4jStore(neo4j_server.uri, auth=neo4j_server.auth, embedder=SPEC) for _ in range(2)]
    trees = [tree(f"e{number}") for number in range(40)]

    def write(store: Neo4jStore) -> int:
        added = 0
        for begin in range(0, len(trees), 10):
            with store.tenant(tenant).transaction() as tx:
                added += len(tx.save_trees(trees[begin : begin + 10]).added)
        return added

    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(write, stores)) == len(trees)
    graph = stores[0].tenant(tenant)
    assert graph.count("Episode") == len(trees)
    assert graph.count("Step") == sum(len([n for n in one.nodes if n.label == "Step"]) for one in trees)
    for store in stores:
        store.close()


def test_an_edge_to_nothing_rolls_the_transaction_back(graph: Neo4jTenant) -> None:
    def link() -> None:
        with graph.transaction() as tx:
            tx.save_nodes([memory("m1")])
            tx.save_edges([edge("ABOUT", NodeRef("Memory", "m1"), NodeRef("Concept", "c1"))])

    with pytest.raises(ConflictError, match="'c1'"):
        link()
    assert graph.count("Memory") == 0


# --- whole servers --------------------------------------------------------------------------------------------


@pytest.mark.serial
def test_a_database_with_other_data_is_left_as_it_is(empty_neo4j_server: Neo4jServer) -> None:
    server = empty_neo4j_server
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth) as driver:
        driver.execute_query("CREATE (:Episode {title: 'of a series'})-[:NEXT]->(:Episode {title: 'another'})")
        store = Neo4jStore(None, driver=driver, embedder=SPEC)
        with pytest.raises(StoreUnavailableError, match="schema migrate"):
            store.tenant("t").count("Episode")
        assert driver.execute_query("SHOW CONSTRAINTS").records == []
        with store.tenant("t").transaction() as tx:
            tx.save_trees([tree("e1")])
        assert store.tenant("t").count("Episode") == 1
        assert store.tenants() == ("t",)
        assert store.tenant("t").erase()["Episode"] == 1
        (record,) = driver.execute_query("MATCH (:Episode)-[n:NEXT]->(:Episode) RETURN count(n) AS n").records
        assert record["n"] == 1


@pytest.mark.serial
def test_two_programs_may_make_the_schema_at_once(empty_neo4j_server: Neo4jServer) -> None:
    server = empty_neo4j_server
    stores = [Neo4jStore(server.uri, auth=server.auth, embedder=SPEC) for _ in range(3)]

    def write(number: int) -> None:
        save(stores[number].tenant("t"), f"m{number}")

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(write, range(3)))
    assert stores[0].tenant("t").count("Memory") == 3
    assert [line for line in stores[0].check() if not line.ok] == []
    for store in stores:
        store.close()


@pytest.mark.serial
def test_a_schema_that_is_newer_is_refused(empty_neo4j_server: Neo4jServer) -> None:
    server = empty_neo4j_server
    store = Neo4jStore(server.uri, auth=server.auth)
    store.migrate()
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth) as driver:
        driver.execute_query("MATCH (s:GraphmemStore) SET s.schema_version = 99")
    for work in (lambda: store.tenant("t").count("Memory"), lambda: save(store.tenant("t"), "m"), store.migrate):
        with pytest.raises(Exception, match="newer than this program"):
            work()
    store.close()


@pytest.mark.serial
def test_a_store_of_schema_1_is_migrated_and_takes_claims(empty_neo4j_server: Neo4jServer) -> None:
    with neo4j.GraphDatabase.driver(empty_neo4j_server.uri, auth=empty_neo4j_server.auth) as driver:
        store = Neo4jStore(None, driver=driver, embedder=SPEC)
        graph = store.tenant("t")
        save(graph, "m0")
        _make_schema_1(driver)
        older = Neo4jStore(None, driver=driver, embedder=SPEC)
        with pytest.raises(SchemaError, match="schema migrate"):
            save(older.tenant("t"), "m1")
        assert older.migrate() == (1, SCHEMA_VERSION)
        graph = older.tenant("t")
        claim = node("Claim", "c1", relation="is_a", promoted=False)
        with graph.transaction() as tx:
            tx.save_nodes([claim])
        assert graph.count("Claim", Equals("promoted", value=False)) == 1
        assert graph.count("Memory") == 1
        names = {record["name"] for record in driver.execute_query("SHOW CONSTRAINTS YIELD name").records}
        assert {"graphmem_Claim_id", "graphmem_Alias_id", "graphmem_Merge_id"} <= names
        assert older.migrate() == (SCHEMA_VERSION, SCHEMA_VERSION)


def _make_schema_1(driver: neo4j.Driver) -> None:
    """Take away what the second migration made."""
    for name in ("graphmem_Claim_id", "graphmem_Alias_id", "graphmem_Merge_id"):
        driver.execute_query(f"DROP CONSTRAINT {name}")
    driver.execute_query("DROP INDEX graphmem_Alias_key")
    driver.execute_query("MATCH (migration:GraphmemMigration) WHERE migration.version > 1 DELETE migration")
    driver.execute_query("MATCH (store:GraphmemStore) SET store.schema_version = 1")
