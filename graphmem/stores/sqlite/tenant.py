"""One tenant's graph in the file: each call is one snapshot, or one write transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from graphmem.graph.records import (
    Cursor,
    Direction,
    EdgeRecord,
    Filter,
    Hit,
    NodeRecord,
    NodeRef,
    Page,
    Subgraph,
    Vector,
)
from graphmem.graph.validation import (
    check_dimension,
    check_embedded,
    check_filter,
    check_limit,
    check_order,
    check_searchable,
    check_types,
    node_type,
)
from graphmem.ports.embedder import EmbedderSpec, check_embedder
from graphmem.stores.sqlite import edges, lexical, reembedding
from graphmem.stores.sqlite.connections import Connections
from graphmem.stores.sqlite.erasing import erase_all, erase_user, scrub
from graphmem.stores.sqlite.filters import condition, table
from graphmem.stores.sqlite.lexical import Frequencies
from graphmem.stores.sqlite.matrix import Matrices, VectorSet
from graphmem.stores.sqlite.nearest import Scope, nearest
from graphmem.stores.sqlite.nodes import read_nodes
from graphmem.stores.sqlite.scan import scan
from graphmem.stores.sqlite.session import Session
from graphmem.stores.sqlite.state import TenantRow, WriteState, begin_writes, end_writes, find_keys, find_tenant
from graphmem.stores.sqlite.transaction import SqliteTransaction
from graphmem.stores.sqlite.vectors import read_spec, write_spec

_FRESH_SNAPSHOTS = 20
"""Times a search begins anew when another thread has followed the file further than its own snapshot."""


class SqliteTenant:
    """Implements `graphmem.ports.graph_store.TenantGraph`."""

    def __init__(self, tenant: str, connections: Connections, embedder: EmbedderSpec | None) -> None:
        self._tenant = tenant
        self._connections = connections
        self._embedder = embedder
        self._frequencies = Frequencies()
        self._matrices = Matrices()

    @property
    def tenant(self) -> str:  # noqa: D102 (the port says it)
        return self._tenant

    @contextmanager
    def transaction(self) -> Iterator[SqliteTransaction]:  # noqa: D102 (the port says it)
        with self._writing() as state:
            stored = read_spec(state.session, "embedder")
            check_embedder(stored, self._embedder)
            state.dimension = self._embedder.dimension if self._embedder else None
            yield SqliteTransaction(state)
            if state.has_vectors and stored is None:
                write_spec(state.session, "embedder", self._embedder)

    def get(self, refs: Iterable[NodeRef], *, vectors: bool = False) -> dict[NodeRef, NodeRecord]:  # noqa: D102 (the port says it)
        wanted = list(dict.fromkeys(refs))
        with self._reading() as (session, row):
            if row is None:
                return {}
            keys = find_keys(session, row.key, wanted)
            records = read_nodes(session, list(keys.values()), generation=generation(session) if vectors else None)
            return {ref: records[keys[ref]] for ref in wanted if ref in keys}

    def count(self, label: str, where: Filter | None = None) -> int:  # noqa: D102 (the port says it)
        node_type(label)
        check_filter(label, where)
        with self._reading() as (session, row):
            if row is None:
                return 0
            code = session.codes.labels[label]
            if where is None:
                sql = "SELECT nodes FROM holding WHERE tenant = ? AND label = ?"
                found = session.row("count.held", sql, (row.key, code))
            else:
                sql, values = condition(where)
                sql = f"SELECT count(*) FROM {table(label, where)} WHERE tenant = ? AND label = {code} AND ({sql})"
                found = session.row("count", sql, (row.key, *values))
            return int(found[0]) if found else 0

    def scan(  # noqa: D102 (the port says it)
        self,
        label: str,
        where: Filter | None = None,
        *,
        order: str = "id",
        after: Cursor | None = None,
        limit: int = 100,
        vectors: bool = False,
    ) -> Page:
        node_type(label)
        check_filter(label, where)
        ordered = check_order(label, order)
        check_limit(limit)
        with self._reading() as (session, row):
            if row is None:
                return Page((), None)
            carried = generation(session) if vectors else None
            return scan(
                session, row.key, label, where, order=ordered, after=after, limit=limit, generation=carried
            )

    def edges(  # noqa: D102 (the port says it)
        self, refs: Iterable[NodeRef], types: Iterable[str] | None = None, direction: Direction = "out"
    ) -> list[EdgeRecord]:
        names, wanted = check_types(types), list(refs)
        with self._reading() as (session, row):
            keys = {} if row is None else find_keys(session, row.key, wanted)
            return edges.read_edges(session, list(keys.values()), names, direction)

    def expand(  # noqa: D102 (the port says it)
        self,
        refs: Iterable[NodeRef],
        types: Iterable[str] | None = None,
        direction: Direction = "both",
        *,
        depth: int = 1,
        limit: int = 1000,
    ) -> Subgraph:
        names, wanted = check_types(types), list(refs)
        check_limit(limit)
        with self._reading() as (session, row):
            keys = {} if row is None else find_keys(session, row.key, wanted)
            return edges.expand(session, list(keys.values()), names, direction, depth=depth, limit=limit)

    def nearest(  # noqa: D102 (the port says it)
        self, label: str, vector: Vector, where: Filter | None = None, *, limit: int = 10
    ) -> list[Hit]:
        check_embedded(label)
        check_filter(label, where, searching=True)
        check_limit(limit)
        query = np.asarray(vector, dtype=np.float32)
        for attempt in range(_FRESH_SNAPSHOTS):
            with self._reading() as (session, row):
                spec = read_spec(session, "embedder")
                if row is None or spec is None:
                    return []
                check_embedder(spec, self._embedder)
                check_dimension(query, spec.dimension)
                vectors = self._vectors(session, row, label, spec)
                if vectors.version > row.version and attempt < _FRESH_SNAPSHOTS - 1:
                    continue
                scope = Scope(row.key, session.codes.labels[label])
                return nearest(session, vectors, query, scope=scope, where=where, limit=limit)
        return []

    def search(  # noqa: D102 (the port says it)
        self,
        labels: Iterable[str],
        tokens: Sequence[str],
        where: Mapping[str, Filter] | None = None,
        *,
        limit: int = 10,
    ) -> list[Hit]:
        filters = {label: (where or {}).get(label) for label in labels}
        for label, part in filters.items():
            check_searchable(label)
            check_filter(label, part, searching=True)
        check_limit(limit)
        with self._reading() as (session, row):
            if row is None or not filters:
                return []
            return lexical.search(session, row, self._frequencies, tokens, filters, limit=limit)

    def version(self) -> int:  # noqa: D102 (the port says it)
        with self._reading() as (session, row):
            if row is not None and row.version:
                return row.version
            # an erased tenant has no row any more: the file's last erasure is newer than all it wrote
            found = session.row("tenant.erased", "SELECT value FROM counter WHERE name = 'erased'")
            return int(found[0]) if found else 0

    def erase(self, user_id: str | None = None) -> dict[str, int]:  # noqa: D102 (the port says it)
        with self._writing(create=False) as state:
            erased = erase_all(state) if user_id is None else erase_user(state, user_id)
        scrub(self._connections)
        return erased

    def missing_vectors(  # noqa: D102 (the port says it)
        self, label: str, *, after: str | None = None, limit: int = 200
    ) -> list[NodeRecord]:
        check_embedded(label)
        check_limit(limit)
        with self._reading() as (session, row):
            if row is None:
                return []
            return reembedding.missing_vectors(session, row.key, label, after=after, limit=limit)

    def save_vectors(self, label: str, rows: Sequence[tuple[str, Vector]]) -> None:  # noqa: D102 (the port says it)
        check_embedded(label)
        with self._writing(create=False) as state:
            reembedding.save_vectors(state, label, rows, self._embedder)

    @contextmanager
    def _reading(self) -> Iterator[tuple[Session, TenantRow | None]]:
        with self._connections.reading() as session:
            yield session, find_tenant(session, self._tenant)

    @contextmanager
    def _writing(self, *, create: bool = True) -> Iterator[WriteState]:
        with self._connections.writing(create=create) as session:
            state = begin_writes(session, self._tenant)
            yield state
            end_writes(state)

    def _vectors(self, session: Session, row: TenantRow, label: str, spec: EmbedderSpec) -> VectorSet:
        code = session.codes.labels[label]
        return self._matrices.read(session, row, code, generation(session), spec.dimension)


def generation(session: Session) -> int:
    """Number of the set of vectors in use."""
    row = session.row("counters.generation", "SELECT value FROM counter WHERE name = 'generation'")
    return int(row[0]) if row else 1
