"""One tenant's graph on the server: each read is one or a few statements, each write one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from graphmem.errors import SchemaError, StatementError
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
from graphmem.graph.schema import NODE_TYPES, SEARCHABLE
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
from graphmem.ports.embedder import check_embedder
from graphmem.queries import Query
from graphmem.stores.neo4j import lexical, reading, saving, statements
from graphmem.stores.neo4j.conditions import Conditions
from graphmem.stores.neo4j.connection import Row
from graphmem.stores.neo4j.database import Database
from graphmem.stores.neo4j.lexical import Frequencies
from graphmem.stores.neo4j.nearest import Nearest, Sizes, VectorQuery, asks_index, nearest
from graphmem.stores.neo4j.reading import columns
from graphmem.stores.neo4j.scanning import scan
from graphmem.stores.neo4j.state import StoreState
from graphmem.stores.neo4j.statements import filled
from graphmem.stores.neo4j.transaction import Neo4jTransaction
from graphmem.stores.neo4j.values import read_node
from graphmem.stores.neo4j.writing import chunks

_ERASED_AT_ONCE = 2000


class Neo4jTenant:
    """Implements `graphmem.ports.graph_store.TenantGraph`."""

    def __init__(self, tenant: str, database: Database) -> None:
        self._tenant = tenant
        self._database = database
        self._frequencies = Frequencies()
        self._sizes = Sizes()

    @property
    def tenant(self) -> str:  # noqa: D102 (the port says it)
        return self._tenant

    @contextmanager
    def transaction(self) -> Iterator[Neo4jTransaction]:  # noqa: D102 (the port says it)
        with self._database.writing(self._tenant) as context:
            yield Neo4jTransaction(context)

    def get(self, refs: Iterable[NodeRef], *, vectors: bool = False) -> dict[NodeRef, NodeRecord]:  # noqa: D102 (the port says it)
        wanted = list(refs)
        return reading.get_nodes(self._run, wanted, slot=self._slot() if vectors else None)

    def count(self, label: str, where: Filter | None = None) -> int:  # noqa: D102 (the port says it)
        node_type(label)
        check_filter(label, where)
        conditions = Conditions().add(where)
        if conditions.impossible:
            return 0
        rows = self._run(statements.COUNT, conditions.parameters, label=label, filter=conditions.text)
        return int(rows[0][0])

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
        slot = self._slot() if vectors else None
        return scan(self._run, label, where, order=ordered, after=after, limit=limit, slot=slot)

    def edges(  # noqa: D102 (the port says it)
        self, refs: Iterable[NodeRef], types: Iterable[str] | None = None, direction: Direction = "out"
    ) -> list[EdgeRecord]:
        return reading.get_edges(self._run, refs, check_types(types), direction)

    def expand(  # noqa: D102 (the port says it)
        self,
        refs: Iterable[NodeRef],
        types: Iterable[str] | None = None,
        direction: Direction = "both",
        *,
        depth: int = 1,
        limit: int = 1000,
    ) -> Subgraph:
        names = check_types(types)
        check_limit(limit)
        return reading.expand(self._run, refs, names, direction, depth=depth, limit=limit)

    def nearest(  # noqa: D102 (the port says it)
        self, label: str, vector: Vector, where: Filter | None = None, *, limit: int = 10
    ) -> list[Hit]:
        check_embedded(label)
        check_filter(label, where, searching=True)
        check_limit(limit)
        query = np.asarray(vector, dtype=np.float32)
        seen = self._database.state()
        try:
            found = self._nearest(seen, label, query, where, limit)
        except (StatementError, SchemaError):
            # a re-embedding may have put other vectors in their place meanwhile, or an index is being built
            found = None
        if found is not None and self._is_current(found, seen, where):
            return found.hits
        return self._nearest(self._database.state(fresh=True), label, query, where, limit, exact=True).hits

    def _is_current(self, found: Nearest, seen: StoreState, where: Filter | None) -> bool:
        """Whether the vectors searched are still the store's; an index that went is an error instead."""
        if asks_index(self._database.connection.server, where):
            return True
        now = found.state or self._database.state(fresh=True)
        return now == seen

    def _nearest(
        self,
        state: StoreState,
        label: str,
        vector: Vector,
        where: Filter | None,
        limit: int,
        *,
        exact: bool = False,
    ) -> Nearest:
        if state.shown_embedder is None:
            return Nearest([], state)
        check_embedder(state.shown_embedder, self._database.embedder)
        check_dimension(vector, state.shown_embedder.dimension)
        asked = VectorQuery(label, state.slot, vector, where, limit, exact)
        return nearest(self._run, self._database.connection.server, asked, self._sizes)

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
        if not filters:
            return []
        return lexical.search(self._run, self._tenant, self._frequencies, tokens, filters, limit=limit)

    def version(self) -> int:  # noqa: D102 (the port says it)
        rows = self._run(statements.VERSION, {})
        return int(rows[0][0]) if rows else 0

    def erase(self, user_id: str | None = None) -> dict[str, int]:  # noqa: D102 (the port says it)
        return self._erase_all() if user_id is None else self._erase_user(user_id)

    def _erase_all(self) -> dict[str, int]:
        removed: dict[str, int] = {}
        for label in NODE_TYPES:
            count = _ERASED_AT_ONCE
            while count == _ERASED_AT_ONCE:
                # one transaction each: the server keeps a transaction's changes in memory
                with self._database.writing(self._tenant, create=False, embedding=False) as context:
                    ((count,),) = context.run(statements.ERASE_TENANT, {"limit": _ERASED_AT_ONCE}, label=label)
                    context.changed |= count > 0
                if count:
                    removed[label] = removed.get(label, 0) + count
        with self._database.writing(self._tenant, create=False, embedding=False) as context:
            names = [f"{kind}_{label}" for label in SEARCHABLE for kind in ("documents", "words")]
            context.run(statements.FORGET_COUNTS, {"names": names})
            context.changed = True
        return removed

    def _erase_user(self, user_id: str) -> dict[str, int]:
        removed: dict[str, int] = {}
        for label in NODE_TYPES:
            ((ids,),) = self._run(statements.IDS_OF_USER, {"user": user_id}, label=label)
            for chunk in chunks(ids, _ERASED_AT_ONCE):
                with self._database.writing(self._tenant, create=False, embedding=False) as context:
                    _, gone = saving.remove_nodes(context, [NodeRef(label, node_id) for node_id in chunk])
                for name, count in gone.items():
                    removed[name] = removed.get(name, 0) + count
        return removed

    def missing_vectors(  # noqa: D102 (the port says it)
        self, label: str, *, after: str | None = None, limit: int = 200
    ) -> list[NodeRecord]:
        check_embedded(label)
        check_limit(limit)
        state = self._database.state(fresh=True)
        slot = state.next_slot if state.reembedding else state.slot
        parameters = {"after": after or "", "limit": limit, **columns(label, None)}
        rows = self._run(statements.MISSING_VECTORS, parameters, label=label, vector=slot)
        return [read_node(label, row) for row in rows]

    def save_vectors(self, label: str, rows: Sequence[tuple[str, Vector]]) -> None:  # noqa: D102 (the port says it)
        check_embedded(label)
        with self._database.writing(self._tenant, create=False, embedding=False) as context:
            state = context.state
            spec = state.reembedding or state.embedder
            if spec is None:
                raise SchemaError("the store knows no embedder; run `graphmem schema reembed --embedder E`")
            codec = self._database.codec(spec)
            slot = state.next_slot if state.reembedding else state.slot
            sent = sorted(dict(rows).items())
            for chunk in chunks(((node_id, codec.encode(vector)) for node_id, vector in sent), 500):
                ((found,),) = context.run(statements.SAVE_VECTORS, {"slot": slot, "rows": chunk}, label=label)
                context.changed |= found > 0
                context.has_vectors |= found > 0 and state.reembedding is None

    def _slot(self) -> str:
        return self._database.state(fresh=True).slot

    def _run(self, statement: Query, parameters: Mapping[str, Any], **stand_ins: str) -> list[Row]:
        self._database.check_readable()
        text = filled(statement, **stand_ins)
        return self._database.connection.read(statement.name, text, {"tenant": self._tenant, **parameters})
