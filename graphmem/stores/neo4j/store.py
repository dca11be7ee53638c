"""The store on a Neo4j server: connects, hands out tenants, looks after the schema and the indexes."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any

from graphmem.graph.schema import NODE_TYPES
from graphmem.models.ids import check_id
from graphmem.ports.clock import Clock, system_clock
from graphmem.ports.embedder import EmbedderSpec
from graphmem.ports.free_query import FreeAnswer, FreeQueryLimits
from graphmem.ports.graph_store import CheckResult, StoreInfo
from graphmem.queries import Query
from graphmem.stores.neo4j import health, reembedding, statements
from graphmem.stores.neo4j.connection import Connection
from graphmem.stores.neo4j.database import Database
from graphmem.stores.neo4j.free_query import run_free_query
from graphmem.stores.neo4j.migrations import migrate, read_state, rebuild_indexes
from graphmem.stores.neo4j.statements import filled
from graphmem.stores.neo4j.tenant import Neo4jTenant

if TYPE_CHECKING:
    from neo4j import Driver


class Neo4jStore:
    """Implements `graphmem.ports.graph_store.GraphStore` on one database of a Neo4j server.

    Args:
        uri: neo4j://, bolt://, or one of their +s and +ssc forms; None beside a driver. Nothing is connected
            before it is needed.
        auth: User and password; None for a server without authentication.
        database: Name of the database; None takes the user's home database.
        driver: A driver of the caller's; it stays open, and its own settings hold.
        embedder: Whose vectors are written and asked for; None writes and reads without vectors.
        clock: Tells when migrations ran.

    Raises:
        InvalidInputError: The URI is not one that the driver knows.
    """

    def __init__(
        self,
        uri: str | None,
        *,
        auth: tuple[str, str] | None = None,
        database: str | None = None,
        driver: Driver | None = None,
        embedder: EmbedderSpec | None = None,
        clock: Clock = system_clock,
    ) -> None:
        self._connection = Connection(uri, auth=auth, database=database, driver=driver)
        self._database = Database(self._connection, embedder, clock)
        self._tenants: dict[str, Neo4jTenant] = {}
        self._guard = Lock()

    def tenant(self, tenant: str) -> Neo4jTenant:  # noqa: D102 (the port says it)
        check_id(tenant, "tenant")
        with self._guard:
            # one object a tenant, since it remembers the tenant's word counts
            if tenant not in self._tenants:
                self._tenants[tenant] = Neo4jTenant(tenant, self._database)
            return self._tenants[tenant]

    def tenants(self) -> tuple[str, ...]:  # noqa: D102 (the port says it)
        self._database.check_readable()
        found: set[str] = set()
        for label in NODE_TYPES:
            statement = statements.TENANTS
            rows = self._connection.read(statement.name, filled(statement, label=label), {})
            found.update(tenant for (tenant,) in rows)
        return tuple(sorted(found))

    def info(self) -> StoreInfo:  # noqa: D102 (the port says it)
        state = read_state(self._connection)
        server = self._connection.server
        return StoreInfo(
            kind="neo4j",
            address=self._connection.address,
            version=server.version,
            edition=server.edition,
            schema_version=state.schema_version if state else 0,
            embedder=state.shown_embedder if state else None,
            reembedding=state.reembedding if state else None,
        )

    def check(self) -> list[CheckResult]:  # noqa: D102 (the port says it)
        return health.check(self._database)

    def migrate(self) -> tuple[int, int]:  # noqa: D102 (the port says it)
        return migrate(self._connection, self._database.clock)

    def reindex(self) -> None:  # noqa: D102 (the port says it)
        rebuild_indexes(self._connection, self._database.state(fresh=True))

    def begin_reembedding(self, embedder: EmbedderSpec) -> None:  # noqa: D102 (the port says it)
        reembedding.begin(self._connection, self._database.state(fresh=True), embedder)

    def finish_reembedding(self) -> None:  # noqa: D102 (the port says it)
        reembedding.finish(self._connection, self._database.state(fresh=True))

    def run_query(self, query: Query, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The rows of a reading statement as it stands in its file, by column.

        Args:
            query: A query of analysts; it names its tenant as a parameter.
            parameters: All that it declares.

        Raises:
            StoreUnavailableError: The server cannot be reached, or nothing was ever written here.
            StatementError: The statement failed.
        """
        self._database.check_readable()
        rows = self._connection.read(query.name, query.text, parameters)
        return [dict(zip(query.returns, row, strict=True)) for row in rows]

    def free_query(  # noqa: D102 (RunsFreeQueries says it)
        self, text: str, parameters: Mapping[str, Any], limits: FreeQueryLimits
    ) -> FreeAnswer:
        return run_free_query(self._database, text, parameters, limits)

    def close(self) -> None:  # noqa: D102 (the port says it)
        self._connection.close()
