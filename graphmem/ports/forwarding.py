"""Graphs and transactions that pass everything on: what stands between a store and its callers changes one thing.

Left out: what is changed on the way, see aliased_graph.py and noted_graph.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from graphmem.graph.records import (
    Cursor,
    Direction,
    EdgeRecord,
    Filter,
    Hit,
    NodeRecord,
    NodeRef,
    Page,
    Saved,
    Subgraph,
    Tree,
    Vector,
)
from graphmem.ports.graph_store import TenantGraph, Transaction


class ForwardingTransaction:
    """Implements `Transaction` by another one."""

    def __init__(self, inner: Transaction) -> None:
        self._inner = inner

    def get(self, refs: Iterable[NodeRef]) -> dict[NodeRef, NodeRecord]:  # noqa: D102 (the port says it)
        return self._inner.get(refs)

    def edges(  # noqa: D102 (the port says it)
        self, refs: Iterable[NodeRef], types: Iterable[str] | None = None, direction: Direction = "out"
    ) -> list[EdgeRecord]:
        return self._inner.edges(refs, types, direction)

    def save_trees(self, trees: Sequence[Tree], *, replace: bool = False) -> Saved:  # noqa: D102 (the port says it)
        return self._inner.save_trees(trees, replace=replace)

    def save_nodes(  # noqa: D102 (the port says it)
        self,
        records: Sequence[NodeRecord],
        *,
        expected: Mapping[NodeRef, str] | None = None,
        replace: bool = True,
    ) -> Saved:
        return self._inner.save_nodes(records, expected=expected, replace=replace)

    def save_edges(self, records: Sequence[EdgeRecord]) -> int:  # noqa: D102 (the port says it)
        return self._inner.save_edges(records)

    def set_properties(  # noqa: D102 (the port says it)
        self, label: str, rows: Sequence[tuple[str, Mapping[str, object]]]
    ) -> int:
        return self._inner.set_properties(label, rows)

    def remove_nodes(self, refs: Iterable[NodeRef]) -> int:  # noqa: D102 (the port says it)
        return self._inner.remove_nodes(refs)

    def remove_edges(self, records: Iterable[EdgeRecord]) -> int:  # noqa: D102 (the port says it)
        return self._inner.remove_edges(records)


class ForwardingGraph:
    """Implements `TenantGraph` by another one."""

    def __init__(self, inner: TenantGraph) -> None:
        self.inner = inner
        """What answers."""

    @property
    def tenant(self) -> str:  # noqa: D102 (the port says it)
        return self.inner.tenant

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:  # noqa: D102 (the port says it)
        with self.inner.transaction() as transaction:
            yield transaction

    def get(  # noqa: D102 (the port says it)
        self, refs: Iterable[NodeRef], *, vectors: bool = False
    ) -> dict[NodeRef, NodeRecord]:
        return self.inner.get(refs, vectors=vectors)

    def count(self, label: str, where: Filter | None = None) -> int:  # noqa: D102 (the port says it)
        return self.inner.count(label, where)

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
        return self.inner.scan(label, where, order=order, after=after, limit=limit, vectors=vectors)

    def edges(  # noqa: D102 (the port says it)
        self, refs: Iterable[NodeRef], types: Iterable[str] | None = None, direction: Direction = "out"
    ) -> list[EdgeRecord]:
        return self.inner.edges(refs, types, direction)

    def expand(  # noqa: D102 (the port says it)
        self,
        refs: Iterable[NodeRef],
        types: Iterable[str] | None = None,
        direction: Direction = "both",
        *,
        depth: int = 1,
        limit: int = 1000,
    ) -> Subgraph:
        return self.inner.expand(refs, types, direction, depth=depth, limit=limit)

    def nearest(  # noqa: D102 (the port says it)
        self, label: str, vector: Vector, where: Filter | None = None, *, limit: int = 10
    ) -> list[Hit]:
        return self.inner.nearest(label, vector, where, limit=limit)

    def search(  # noqa: D102 (the port says it)
        self,
        labels: Iterable[str],
        tokens: Sequence[str],
        where: Mapping[str, Filter] | None = None,
        *,
        limit: int = 10,
    ) -> list[Hit]:
        return self.inner.search(labels, tokens, where, limit=limit)

    def version(self) -> int:  # noqa: D102 (the port says it)
        return self.inner.version()

    def erase(self, user_id: str | None = None) -> dict[str, int]:  # noqa: D102 (the port says it)
        return self.inner.erase(user_id)

    def missing_vectors(  # noqa: D102 (the port says it)
        self, label: str, *, after: str | None = None, limit: int = 200
    ) -> list[NodeRecord]:
        return self.inner.missing_vectors(label, after=after, limit=limit)

    def save_vectors(self, label: str, rows: Sequence[tuple[str, Vector]]) -> None:  # noqa: D102 (the port says it)
        self.inner.save_vectors(label, rows)
