"""The health check of the file: each line says what was looked at, what was found, what to do."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable

from graphmem.errors import StoreError
from graphmem.graph.schema import NODE_TYPES, SCHEMA_VERSION
from graphmem.ports.embedder import EmbedderSpec
from graphmem.ports.graph_store import CheckResult
from graphmem.stores.sqlite.connections import Connections
from graphmem.stores.sqlite.migrations import schema_version
from graphmem.stores.sqlite.saving import OWNING_EDGES
from graphmem.stores.sqlite.session import Session
from graphmem.stores.sqlite.vectors import read_spec

_HEADROOM = 2
"""Free space asked for, in sizes of the file: what copying it or re-embedding takes."""


def check(connections: Connections, embedder: EmbedderSpec | None) -> list[CheckResult]:
    """Look at everything that may be wrong with the file."""
    results = [_version()]
    try:
        with connections.reading(checked=False) as session:
            found = schema_version(session)
    except StoreError as fault:
        return [CheckResult("connection", ok=False, detail=str(fault)), *results]
    results.insert(0, CheckResult("connection", ok=True, detail=f"{connections.path} can be opened"))
    results.append(_schema(found))
    results.append(_privileges(connections))
    results.append(_headroom(connections))
    if found == SCHEMA_VERSION:
        looks: list[tuple[str, Callable[[Session], tuple[bool, str]]]] = [
            ("indexes", _indexes),
            ("dimension", lambda session: _dimension(session, embedder)),
            ("orphans", _orphans),
        ]
        results.extend(_looked(connections, name, look) for name, look in looks)
    return results


def _looked(connections: Connections, name: str, look: Callable[[Session], tuple[bool, str]]) -> CheckResult:
    try:
        with connections.reading() as session:
            ok, detail = look(session)
    except StoreError as fault:
        return CheckResult(name, ok=False, detail=str(fault))
    return CheckResult(name, ok=ok, detail=detail)


def _version() -> CheckResult:
    return CheckResult("version", ok=True, detail=f"SQLite {sqlite3.sqlite_version}")


def _schema(found: int) -> CheckResult:
    if found == SCHEMA_VERSION:
        return CheckResult("schema", ok=True, detail=f"schema {found}")
    remedy = "the first write makes it" if found == 0 else "run `graphmem schema migrate`"
    if found > SCHEMA_VERSION:
        remedy = "update graphmem"
    return CheckResult("schema", ok=False, detail=f"schema {found}, this program has {SCHEMA_VERSION}; {remedy}")


def _privileges(connections: Connections) -> CheckResult:
    path = connections.path
    ok = os.access(path, os.R_OK | os.W_OK) and os.access(path.parent, os.W_OK)
    detail = "file and folder can be written"
    return CheckResult(
        "privileges", ok=ok, detail=detail if ok else f"{path} or its folder cannot be written; change its rights"
    )


def _headroom(connections: Connections) -> CheckResult:
    size = connections.path.stat().st_size
    free = shutil.disk_usage(connections.path.parent).free
    ok = free >= _HEADROOM * size
    detail = f"the file has {size:,} bytes, its disk {free:,} free"
    return CheckResult("headroom", ok=ok, detail=detail if ok else f"{detail}; free some space")


def _indexes(session: Session) -> tuple[bool, str]:
    (found,) = session.rows("check.quick", "PRAGMA quick_check(1)")[0]
    if found != "ok":
        return False, "the file is damaged; restore it from a backup"
    counted = session.row("check.nodes", "SELECT count(*) FROM node")
    held = session.row("check.held", "SELECT coalesce(sum(nodes), 0) FROM holding")
    if counted != held:
        return False, "the counts differ from the nodes; run `graphmem schema reindex`"
    return True, "tables and indexes are sound"


def _dimension(session: Session, embedder: EmbedderSpec | None) -> tuple[bool, str]:
    spec, running = read_spec(session, "embedder"), read_spec(session, "reembedding")
    if running is not None:
        return False, f"a re-embedding to {running.name} is not finished; {_reembed(running)}"
    if spec is None:
        return True, "no vectors yet"
    if embedder is not None and embedder != spec:
        return False, f"vectors are of {spec.name}, not of {embedder.name}; {_reembed(embedder)}"
    row = session.row(
        "check.dimension", "SELECT count(*) FROM vector WHERE length(vector) <> ?", (4 * spec.dimension,)
    )
    if row is not None and row[0]:
        return False, f"{row[0]} vectors have another length; {_reembed(spec)}"
    return True, f"vectors of {spec.name}, {spec.dimension} dimensions"


def _reembed(embedder: EmbedderSpec) -> str:
    return f"run `graphmem schema reembed --embedder {embedder.name}`"


def _orphans(session: Session) -> tuple[bool, str]:
    owned = ", ".join(str(session.codes.labels[name]) for name, kind in NODE_TYPES.items() if kind.owner)
    types = ", ".join(str(session.codes.types[name]) for name in OWNING_EDGES)
    nodes = session.row(
        "check.orphans",
        f"SELECT count(*) FROM node WHERE label IN ({owned}) AND NOT EXISTS"
        f" (SELECT 1 FROM edge WHERE target = node.key AND type IN ({types}))",
    )
    edges = session.row(
        "check.edges",
        "SELECT count(*) FROM edge WHERE NOT EXISTS (SELECT 1 FROM node WHERE key = source)"
        " OR NOT EXISTS (SELECT 1 FROM node WHERE key = target)",
    )
    count = (nodes[0] if nodes else 0) + (edges[0] if edges else 0)
    if count:
        return (
            False,
            f"{count} nodes without an owner or edges without an end; import the episodes again with --update",
        )
    return True, "no node without its owner, no edge without its ends"
