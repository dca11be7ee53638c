"""What every part of the store contract starts from: a store, and a tenant nobody else uses.

A subclass overrides `open_store`; the rest follows.
"""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest

from graphmem.errors import StoreUnavailableError
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Saved, Vector
from graphmem.ports.embedder import EmbedderSpec
from graphmem.ports.graph_store import GraphStore, TenantGraph
from graphmem.testing import builders

OpenStore = Callable[[EmbedderSpec | None], GraphStore]
"""Opens the test's store once more, for an embedder; whoever gives it closes what it opened."""


class StoreFixtures:
    """Fixtures of the contract."""

    @pytest.fixture
    def open_store(self) -> OpenStore:
        """To be overridden: each call opens the same store."""
        raise NotImplementedError("a store's contract test overrides the fixture open_store")

    @pytest.fixture
    def spec(self) -> EmbedderSpec:
        """The embedder of the store, at least 4 dimensions; may be overridden."""
        return EmbedderSpec("contract", 4)

    @pytest.fixture
    def new_tenant(self) -> Callable[[], str]:
        """Gives names that no other test uses."""
        return lambda: f"t-{uuid4().hex}"

    @pytest.fixture
    def store(self, open_store: OpenStore, spec: EmbedderSpec) -> GraphStore:
        """The store, with a schema."""
        store = open_store(spec)
        try:
            store.migrate()
        except StoreUnavailableError as fault:  # say which store, not the first statement that needed it
            pytest.fail(f"the store under test cannot be reached: {fault}")
        return store

    @pytest.fixture
    def graph(self, store: GraphStore, new_tenant: Callable[[], str]) -> TenantGraph:
        """An empty tenant of its own."""
        return store.tenant(new_tenant())

    @pytest.fixture
    def vector(self, spec: EmbedderSpec) -> Callable[..., Vector]:
        """Makes a vector of the store's length out of its first components."""
        return lambda *components: builders.vector(spec.dimension, *components)


def save(graph: TenantGraph, *records: NodeRecord | EdgeRecord) -> Saved:
    """Save nodes, then edges, in one transaction."""
    with graph.transaction() as tx:
        saved = tx.save_nodes([record for record in records if isinstance(record, NodeRecord)])
        tx.save_edges([record for record in records if isinstance(record, EdgeRecord)])
    return saved


def stored(graph: TenantGraph, label: str, node_id: str) -> NodeRecord:
    """The node, with its vector."""
    ref = NodeRef(label, node_id)
    return graph.get([ref], vectors=True)[ref]


def page_ids(graph: TenantGraph, label: str, *, order: str = "id", limit: int = 2) -> list[str]:
    """Ids of all nodes of a label, read page by page."""
    ids: list[str] = []
    page = graph.scan(label, order=order, limit=limit)
    ids += [node.id for node in page.records]
    while page.next is not None:
        page = graph.scan(label, order=order, limit=limit, after=page.next)
        ids += [node.id for node in page.records]
    return ids
