"""The health check of the server and of the store on it: what was looked at, what was found, what to do."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from graphmem.errors import GraphMemError, StatementError, StoreError
from graphmem.graph.schema import EMBEDDED, SCHEMA_VERSION, SEARCHABLE
from graphmem.ports.graph_store import CheckResult
from graphmem.queries import Query
from graphmem.stores.neo4j import statements
from graphmem.stores.neo4j.connection import Row
from graphmem.stores.neo4j.database import Database
from graphmem.stores.neo4j.lexical import index_name
from graphmem.stores.neo4j.migrations import read_state
from graphmem.stores.neo4j.state import StoreState

_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
_FULL = 0.9
"""Share of the heap above which the server has no room for a large write."""
_MOST_ORPHANS = 1000

Look = Callable[[Database, StoreState], tuple[bool, str]]


def check(database: Database) -> list[CheckResult]:
    """Look at everything that may be wrong; never raises for what it can report."""
    connection = database.connection
    try:
        server = connection.server
        state = read_state(connection)
    except StoreError as fault:
        return [CheckResult("connection", ok=False, detail=str(fault))]
    results = [
        CheckResult("connection", ok=True, detail=f"{connection.address} answers"),
        _tls(database),
        CheckResult(
            "version",
            ok=server.supported,
            detail=f"Neo4j {server.version}" + ("" if server.supported else "; use 5.26 or 2026.x"),
        ),
        CheckResult("edition", ok=True, detail=server.edition),
        _schema(state),
        _privileges(database),
        _looked("headroom", _headroom, database, state or StoreState(0, None, False, "", None)),
    ]
    if state is not None and state.schema_version == SCHEMA_VERSION:
        looks: list[tuple[str, Look]] = [("indexes", _indexes), ("dimension", _dimension), ("orphans", _orphans)]
        results.extend(_looked(name, look, database, state) for name, look in looks)
    return results


def _looked(name: str, look: Look, database: Database, state: StoreState) -> CheckResult:
    try:
        ok, detail = look(database, state)
    except GraphMemError as fault:
        return CheckResult(name, ok=False, detail=str(fault))
    return CheckResult(name, ok=ok, detail=detail)


def _rows(database: Database, statement: Query, **parameters: object) -> list[Row]:
    return database.connection.read(statement.name, statement.text, parameters)


def _tls(database: Database) -> CheckResult:
    if database.connection.uri is None:
        encrypted = database.connection.driver.encrypted
        return CheckResult("tls", ok=True, detail=f"the given driver is {'' if encrypted else 'not '}encrypted")
    parts = urlsplit(database.connection.uri)
    if parts.scheme.endswith("+s"):
        return CheckResult("tls", ok=True, detail="encrypted, certificate checked")
    if parts.scheme.endswith("+ssc"):
        return CheckResult("tls", ok=True, detail="encrypted, certificate not checked; +s checks it")
    local = parts.hostname in _LOCAL
    detail = "not encrypted" + ("; the server is on this machine" if local else "; use a +s scheme over a network")
    return CheckResult("tls", ok=local, detail=detail)


def _schema(state: StoreState | None) -> CheckResult:
    found = state.schema_version if state else 0
    if found == SCHEMA_VERSION:
        return CheckResult("schema", ok=True, detail=f"schema {found}")
    remedy = "the first write makes it" if found == 0 else "run `graphmem schema migrate`"
    if found > SCHEMA_VERSION:
        remedy = "update graphmem"
    return CheckResult("schema", ok=False, detail=f"schema {found}, this program has {SCHEMA_VERSION}; {remedy}")


def _privileges(database: Database) -> CheckResult:
    """Begin a write of no tenant, and roll it back."""
    try:
        with database.connection.writing() as writer:
            writer.run(statements.BEGIN.name, statements.BEGIN.text, {"tenant": ""})
    except StoreError as fault:
        return CheckResult("privileges", ok=False, detail=str(fault))
    return CheckResult("privileges", ok=True, detail="the user may read and write")


def _headroom(database: Database, state: StoreState) -> tuple[bool, str]:
    del state
    try:
        ((used, most),) = _rows(database, statements.HEAP)
    except StatementError:
        return True, "the server does not tell how much memory it has"
    ok = used < _FULL * most
    detail = f"the server uses {used >> 20:,} of {most >> 20:,} MiB of its heap"
    return ok, detail if ok else f"{detail}; raise server.memory.heap.max_size"


def _indexes(database: Database, state: StoreState) -> tuple[bool, str]:
    found = {name: online for name, _, online, _ in _rows(database, statements.INDEXES)}
    wanted = [index_name(label) for label in SEARCHABLE]
    wanted += [f"graphmem_{label}_id" for label in (*SEARCHABLE, "Step", "Finding", "Tool")]
    if state.embedder is not None:
        wanted += [f"graphmem_{label}_{state.slot}" for label in EMBEDDED]
    missing = sorted(name for name in wanted if name not in found)
    if missing:
        return False, f"missing: {', '.join(missing)}; run `graphmem schema reindex`"
    failed = sorted(name for name, online in found.items() if online != "ONLINE")
    if failed:
        return False, f"not online: {', '.join(failed)}; wait, or run `graphmem schema reindex`"
    return True, f"{len(found)} indexes are online"


def _dimension(database: Database, state: StoreState) -> tuple[bool, str]:
    spec, given = state.shown_embedder, database.embedder
    if state.reembedding is not None:
        name = state.reembedding.name
        return False, (
            f"a re-embedding to {name} is not finished; run `graphmem schema reembed --embedder {name}`"
        )
    if spec is None:
        return True, "no vectors yet"
    if given is not None and given != spec:
        return False, (
            f"vectors are of {spec.name}, not of {given.name};"
            f" run `graphmem schema reembed --embedder {given.name}`"
        )
    for name, _, _, options in _rows(database, statements.INDEXES):
        length = options.get("indexConfig", {}).get("vector.dimensions")
        if length is not None and name.endswith(f"_{state.slot}") and length != spec.dimension:
            return (
                False,
                f"{name} has {length} dimensions, the embedder {spec.dimension}; run `graphmem schema reindex`",
            )
    return True, f"vectors of {spec.name}, {spec.dimension} dimensions"


def _orphans(database: Database, state: StoreState) -> tuple[bool, str]:
    del state
    ((nodes, edges),) = _rows(database, statements.ORPHANS, limit=_MOST_ORPHANS)
    if nodes or edges:
        return False, (
            f"{nodes} nodes without an owner and {edges} edges between tenants (counted to {_MOST_ORPHANS});"
            " import the episodes again with --update"
        )
    return True, "no node without its owner, no edge between tenants"
