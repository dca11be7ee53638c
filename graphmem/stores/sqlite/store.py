"""The embedded store: opens the file, hands out tenants, looks after the schema and the indexes."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from threading import Lock

from graphmem.errors import InvalidInputError
from graphmem.models.ids import check_id
from graphmem.ports.clock import Clock, system_clock
from graphmem.ports.embedder import EmbedderSpec
from graphmem.ports.graph_store import CheckResult, StoreInfo
from graphmem.stores.sqlite import health, reembedding
from graphmem.stores.sqlite.connections import Connections
from graphmem.stores.sqlite.indexing import reindex
from graphmem.stores.sqlite.migrations import schema_version
from graphmem.stores.sqlite.tenant import SqliteTenant
from graphmem.stores.sqlite.vectors import read_spec

BUSY_TIMEOUT = 10.0
"""Seconds a writer waits for another one: longer than any transaction of this program."""

TENANTS_IN_MEMORY = 32
"""Tenants whose vectors stay in memory for the next search; others are read again."""


class SqliteStore:
    """Implements `graphmem.ports.graph_store.GraphStore` on one file.

    Args:
        path: The file. Made by the first write, never by a read.
        embedder: Whose vectors are written and asked for; None writes and reads without vectors.
        clock: Tells when migrations ran.
        create: Whether a write may make the file.
        busy_timeout: Seconds to wait for another writer.

    Raises:
        InvalidInputError: The path is not that of a file.
        StoreUnavailableError: Python's SQLite is too old.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        embedder: EmbedderSpec | None = None,
        clock: Clock = system_clock,
        create: bool = True,
        busy_timeout: float = BUSY_TIMEOUT,
    ) -> None:
        if str(path) in {"", ":memory:"} or "\0" in str(path):
            raise InvalidInputError("a store is a file: give its path")
        self._path = Path(path).absolute()
        self._embedder = embedder
        self._connections = Connections(self._path, clock=clock, create=create, busy_timeout=busy_timeout)
        self._tenants: dict[str, SqliteTenant] = {}
        self._guard = Lock()

    def tenant(self, tenant: str) -> SqliteTenant:  # noqa: D102 (the port says it)
        check_id(tenant, "tenant")
        with self._guard:
            # one object a tenant, since it holds the tenant's vectors in memory; the one used last stands last
            graph = self._tenants.pop(tenant, None) or SqliteTenant(tenant, self._connections, self._embedder)
            self._tenants[tenant] = graph
            while len(self._tenants) > TENANTS_IN_MEMORY:
                del self._tenants[next(iter(self._tenants))]
            return graph

    def tenants(self) -> tuple[str, ...]:  # noqa: D102 (the port says it)
        with self._connections.reading() as session:
            rows = session.rows(
                "tenants",
                "SELECT name FROM tenant WHERE EXISTS (SELECT 1 FROM node WHERE node.tenant = tenant.key)"
                " ORDER BY name",
            )
        return tuple(name for (name,) in rows)

    def info(self) -> StoreInfo:  # noqa: D102 (the port says it)
        with self._connections.reading(checked=False) as session:
            version = schema_version(session)
            known = version > 0 and bool(
                session.row("info.meta", "SELECT 1 FROM sqlite_master WHERE name = 'meta'")
            )
            return StoreInfo(
                kind="sqlite",
                address=str(self._path),
                version=sqlite3.sqlite_version,
                edition="",
                schema_version=version,
                embedder=read_spec(session, "embedder") if known else None,
                reembedding=read_spec(session, "reembedding") if known else None,
            )

    def check(self) -> list[CheckResult]:  # noqa: D102 (the port says it)
        return health.check(self._connections, self._embedder)

    def migrate(self) -> tuple[int, int]:  # noqa: D102 (the port says it)
        before = self.info().schema_version if self._path.exists() else 0
        with self._connections.writing(migrating=True) as session:
            return before, schema_version(session)

    def reindex(self) -> None:  # noqa: D102 (the port says it)
        with self._connections.writing(create=False) as session:
            reindex(session)

    def begin_reembedding(self, embedder: EmbedderSpec) -> None:  # noqa: D102 (the port says it)
        with self._connections.writing(create=False) as session:
            reembedding.begin(session, embedder)

    def finish_reembedding(self) -> None:  # noqa: D102 (the port says it)
        with self._connections.writing(create=False) as session:
            reembedding.finish(session)

    def close(self) -> None:  # noqa: D102 (the port says it)
        self._connections.close()
