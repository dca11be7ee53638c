"""The narrow waist: what a store must do for one tenant. Features call nothing else.

Whoever implements it passes `graphmem.testing.StoreContract`. Common rules:

* There is no operation on data without a tenant, and none answers from another one.
* Records, filters and orders are checked by graph/validation.py: `InvalidInputError` before any work.
* A store that cannot be reached raises `StoreUnavailableError`, a schema that does not fit
  `SchemaError`, a statement that fails inside the store `StatementError`.
* A read of a store or database that was never written to raises `StoreMissingError` (a
  `StoreUnavailableError`); reading never creates a store or a schema.
* Order is by code point of the text, so both stores page alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

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
from graphmem.ports.embedder import EmbedderSpec


@dataclass(frozen=True, slots=True)
class StoreInfo:
    """What a store is and in which state, without secrets."""

    kind: str
    """sqlite or neo4j."""
    address: str
    """Path or URI, without user and password."""
    version: str
    """Version of the engine."""
    edition: str
    """community, enterprise, or "" where there is no such thing."""
    schema_version: int
    """0 when there is no schema yet."""
    embedder: EmbedderSpec | None
    """The embedder whose vectors it holds; None when it holds none yet."""
    reembedding: EmbedderSpec | None
    """The embedder that a running `schema reembed` is moving to."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One line of a store's health check."""

    check: str
    """What was looked at: connection, tls, version, edition, privileges, indexes, dimension, headroom, orphans."""
    ok: bool
    detail: str
    """What was found and, when not ok, what to do."""


class Transaction(Protocol):
    """Writes of one tenant that become visible together, or not at all."""

    def get(self, refs: Iterable[NodeRef]) -> dict[NodeRef, NodeRecord]:
        """As `TenantGraph.get`, seeing this transaction's own writes."""
        ...

    def edges(
        self, refs: Iterable[NodeRef], types: Iterable[str] | None = None, direction: Direction = "out"
    ) -> list[EdgeRecord]:
        """As `TenantGraph.edges`, seeing this transaction's own writes."""
        ...

    def save_trees(self, trees: Sequence[Tree], *, replace: bool = False) -> Saved:
        """Write roots with all they own; refs in the answer are the roots'.

        A root that is absent (or a placeholder) is created with its nodes and edges. One stored with
        the same content_hash is left as it is. One with another hash is reported as changed and, with
        replace, gets the new properties and vector (created_at stays), its owned nodes and its
        `TREE_EDGES` are removed with all their edges, and the new ones are written.

        Args:
            trees: Trees with distinct roots.
            replace: Whether changed content replaces what is stored.

        Raises:
            ConflictError: The target of an edge does not exist.
        """
        ...

    def save_nodes(
        self,
        records: Sequence[NodeRecord],
        *,
        expected: Mapping[NodeRef, str] | None = None,
        replace: bool = True,
    ) -> Saved:
        """Write single nodes, idempotent by (label, id).

        An absent node or a placeholder is written (added). The same content_hash is left alone
        (unchanged), also when it is `PLACEHOLDER` on both sides. Another hash is changed: with replace
        its properties and vector become the given ones (a vector that is not given is kept, and
        created_at stays), else nothing is written. A placeholder never replaces a described node: that
        is unchanged.

        Args:
            records: Nodes with distinct refs.
            expected: content_hash that each of these nodes must have now.
            replace: Whether changed content replaces what is stored.

        Raises:
            ConflictError: A node is not as `expected` says, or is absent.
        """
        ...

    def save_edges(self, records: Sequence[EdgeRecord]) -> int:
        """Write edges, unique by (type, source, target); properties of a stored edge are replaced.

        Returns:
            How many edges were absent or had other properties.

        Raises:
            ConflictError: An end does not exist.
        """
        ...

    def set_properties(self, label: str, rows: Sequence[tuple[str, Mapping[str, object]]]) -> int:
        """Set some properties of nodes (id, {name: value or None to remove}), content_hash untouched.

        For bookkeeping that is not content: superseded_at, consolidated_hash, counts.

        Returns:
            How many of the nodes exist.
        """
        ...

    def remove_nodes(self, refs: Iterable[NodeRef]) -> int:
        """Remove nodes with what they own and all their edges.

        Returns:
            How many of the named nodes existed.
        """
        ...

    def remove_edges(self, records: Iterable[EdgeRecord]) -> int:
        """Remove edges by (type, source, target).

        Returns:
            How many existed.
        """
        ...


class TenantGraph(Protocol):
    """One tenant's part of a store. Safe to use from several threads."""

    @property
    def tenant(self) -> str:
        """The tenant's name."""
        ...

    def transaction(self) -> AbstractContextManager[Transaction]:
        """Begin; commits when left normally, rolls back on any exception.

        The first write to an empty store creates the schema.

        Raises:
            SchemaError: The store's schema is older or newer, or holds another embedder's vectors.
            ConflictError: Another writer held the store for too long.
        """
        ...

    def get(self, refs: Iterable[NodeRef], *, vectors: bool = False) -> dict[NodeRef, NodeRecord]:
        """The nodes that exist, by ref, in the order asked for."""
        ...

    def count(self, label: str, where: Filter | None = None) -> int:
        """How many nodes of a label match."""
        ...

    def scan(
        self,
        label: str,
        where: Filter | None = None,
        *,
        order: str = "id",
        after: Cursor | None = None,
        limit: int = 100,
        vectors: bool = False,
    ) -> Page:
        """A page of nodes by keyset: stable while others write.

        Args:
            label: Label to scan.
            where: Filter, or None for all.
            order: `id` or a filterable property, `-` before it for falling order. Ties go by id,
                rising. Nodes without the property come last in both directions.
            after: `next` of the page before; None for the first one.
            limit: 1 to 10,000 nodes.
            vectors: Whether records carry their vectors.
        """
        ...

    def edges(
        self, refs: Iterable[NodeRef], types: Iterable[str] | None = None, direction: Direction = "out"
    ) -> list[EdgeRecord]:
        """Edges at these nodes, by (type, source, target), each once."""
        ...

    def expand(
        self,
        refs: Iterable[NodeRef],
        types: Iterable[str] | None = None,
        direction: Direction = "both",
        *,
        depth: int = 1,
        limit: int = 1000,
    ) -> Subgraph:
        """What is reached from these nodes in at most `depth` steps, breadth first, at most `limit` nodes."""
        ...

    def nearest(self, label: str, vector: Vector, where: Filter | None = None, *, limit: int = 10) -> list[Hit]:
        """Nodes of a label by cosine to a vector, best first, ties by id; the filter holds before the limit.

        Raises:
            SchemaError: The store holds vectors of another embedder than the one it was opened for, or the
                vector's length is not that of its embedder.
        """
        ...

    def search(
        self,
        labels: Iterable[str],
        tokens: Sequence[str],
        where: Mapping[str, Filter] | None = None,
        *,
        limit: int = 10,
    ) -> list[Hit]:
        """Nodes that hold any of the tokens, by BM25 over the tenant alone, best first, ties by (label, id).

        Args:
            labels: Searchable labels; all of them are ranked together.
            tokens: From graph/tokens.py; the 64 most selective count. None of them: no hits.
            where: A filter for a label, where it has one.
            limit: 1 to 10,000.
        """
        ...

    def version(self) -> int:
        """A number that grows with every committed write of this tenant, by any process."""
        ...

    def erase(self, user_id: str | None = None) -> dict[str, int]:
        """Remove everything of the tenant, or the nodes that carry this user, with all edges and index entries.

        Returns:
            Removed nodes by label; labels without any are left out.
        """
        ...

    def missing_vectors(self, label: str, *, after: str | None = None, limit: int = 200) -> list[NodeRecord]:
        """Nodes without a vector of the embedder that a running re-embedding moves to, by id.

        Without a running re-embedding: nodes without a vector at all.
        """
        ...

    def save_vectors(self, label: str, rows: Sequence[tuple[str, Vector]]) -> None:
        """Set the vectors of nodes by id, for the re-embedding that runs, else for the store's embedder.

        One transaction of its own; ids that do not exist are passed over.
        """
        ...


class GraphStore(Protocol):
    """A database that holds the graphs of tenants. Safe to use from several threads."""

    def tenant(self, tenant: str) -> TenantGraph:
        """The graph of one tenant.

        Raises:
            InvalidInputError: The name is not an id.
        """
        ...

    def tenants(self) -> tuple[str, ...]:
        """Names of all tenants that hold nodes, sorted; for operators (copy, doctor)."""
        ...

    def info(self) -> StoreInfo:
        """What the store is and in which state."""
        ...

    def check(self) -> list[CheckResult]:
        """Look at everything that may be wrong with it; never raises for what it can report."""
        ...

    def migrate(self) -> tuple[int, int]:
        """Bring the schema to this program's version; re-runnable.

        Returns:
            Version before and after.

        Raises:
            SchemaError: The schema is newer than this program.
        """
        ...

    def reindex(self) -> None:
        """Build the indexes anew from the nodes."""
        ...

    def begin_reembedding(self, embedder: EmbedderSpec) -> None:
        """Prepare a second set of vectors beside the one in use; going on with the same one is fine.

        Raises:
            SchemaError: Another re-embedding is running.
        """
        ...

    def finish_reembedding(self) -> None:
        """Switch to the new vectors at once and drop the old ones.

        Raises:
            ConflictError: Embedded nodes without a new vector are left; go on embedding, then call again.
        """
        ...

    def close(self) -> None:
        """Let go of connections; a driver that the caller gave stays open. Closing twice is fine."""
        ...
