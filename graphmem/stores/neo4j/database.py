"""One database with graphmem's state on it: what is there is checked before reads and inside writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from graphmem.errors import ConflictError, StoreMissingError
from graphmem.ports.clock import Clock
from graphmem.ports.embedder import EmbedderSpec, check_embedder
from graphmem.stores.neo4j import statements
from graphmem.stores.neo4j.connection import Connection, WriteTransaction
from graphmem.stores.neo4j.migrations import adopt_embedder, migrate, read_state, retried
from graphmem.stores.neo4j.state import StoreState, check_schema, to_state
from graphmem.stores.neo4j.values import VectorCodec
from graphmem.stores.neo4j.writing import WriteContext

_ATTEMPTS = 5
"""Begins of one write: one may find no schema, one no vector indexes, one a new tenant."""


class Database:
    """The connection, the embedder of this program, and the state of the store."""

    def __init__(self, connection: Connection, embedder: EmbedderSpec | None, clock: Clock) -> None:
        self.connection = connection
        self.embedder = embedder
        self.clock = clock
        self._state: StoreState | None = None

    def state(self, *, fresh: bool = False) -> StoreState:
        """The state of the store; the one seen last, unless it must be fresh or held no vectors yet.

        Raises:
            StoreMissingError: Nothing was ever written here.
            SchemaError: The schema is older or newer than this program's.
        """
        if fresh or self._state is None or not self._state.has_vectors:
            state = read_state(self.connection)
            if state is None or state.schema_version == 0:
                raise StoreMissingError(
                    f"there is no graphmem store at {self.connection.address}; the first write makes one, or"
                    " `graphmem schema migrate`"
                )
            check_schema(state)
            self._state = state
        return self._state

    def check_readable(self) -> None:
        """Refuse to read where there is no store of this schema; looked at until it is there."""
        if self._state is None:
            self.state()

    def codec(self, spec: EmbedderSpec | None) -> VectorCodec:
        """How vectors of an embedder are written to this server."""
        return VectorCodec(spec.dimension if spec else None, packed=self.connection.server.packs_vectors)

    @contextmanager
    def writing(self, tenant: str, *, create: bool = True, embedding: bool = True) -> Iterator[WriteContext]:
        """A write transaction of a tenant; commits when left normally and something changed.

        Args:
            tenant: Whose lock is taken.
            create: Whether an empty database gets its schema.
            embedding: Whether the store's embedder must be this program's.
        """
        codec = self.codec(self.embedder)
        for _ in range(_ATTEMPTS):
            with self.connection.writing() as writer:
                rows = writer.run(statements.BEGIN.name, statements.BEGIN.text, {"tenant": tenant})
                state = to_state(rows[0][0]) if rows else None
                if state is not None:
                    check_schema(state)
                    if embedding:
                        check_embedder(state.shown_embedder, self.embedder)
                    if rows[0][1] is not None and not self._must_adopt(state):
                        self._state = state
                        context = WriteContext(tenant, state, codec, writer)
                        yield context
                        self._finish(context)
                        return
            self._prepare(state, tenant, create=create)
        raise ConflictError(f"another program keeps changing the schema at {self.connection.address}; try again")

    def _must_adopt(self, state: StoreState) -> bool:
        return self.embedder is not None and not state.has_vectors and state.embedder != self.embedder

    def _prepare(self, state: StoreState | None, tenant: str, *, create: bool) -> None:
        """Make what a write found missing, outside of it: the schema, the vector indexes, the tenant's lock."""
        if state is None:
            if not create:
                self.state(fresh=True)
            migrate(self.connection, self.clock)
        elif self._must_adopt(state) and self.embedder is not None:
            adopt_embedder(self.connection, state, self.embedder)
        else:
            statement = statements.NEW_TENANT
            retried(lambda: self.connection.change(statement.name, statement.text, {"tenant": tenant}))

    def _finish(self, context: WriteContext) -> None:
        if not context.changed:
            return
        writer = context.writer
        if context.has_vectors and not context.state.has_vectors:
            self._hold_vectors(writer)
        counts = sorted(context.counts.items())
        finished = context.send(statements.FINISH, {"counts": counts})
        context.settle()
        finished.rows()
        writer.commit()

    def _hold_vectors(self, writer: WriteTransaction) -> None:
        assert self.embedder is not None  # noqa: S101 (vectors are refused without one)
        statement = statements.HOLD_VECTORS
        parameters = {"name": self.embedder.name, "dimension": self.embedder.dimension}
        if not writer.run(statement.name, statement.text, parameters):
            raise ConflictError("another program has given the store another embedder; open the store again")
