"""Contract: the life of a whole store, from nothing to another embedder's vectors.

Each test begins with an empty store that nobody else uses, so on a shared server these run alone.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graphmem.errors import ConflictError, InvalidInputError, SchemaError, StoreUnavailableError
from graphmem.graph.schema import EMBEDDED, SCHEMA_VERSION
from graphmem.ports.embedder import EmbedderSpec
from graphmem.ports.graph_store import GraphStore, TenantGraph
from graphmem.testing.builders import concept, edge, memory, refs, tree, vector
from graphmem.testing.store.fixtures import OpenStore, StoreFixtures, save

OLD = EmbedderSpec("old-model", 4)
NEW = EmbedderSpec("new-model", 6)


def _fill(graph: TenantGraph) -> None:
    save(
        graph,
        memory("m1", "refund", vector=vector(4, 1)),
        memory("m2", "order", vector=vector(4, 0, 1)),
        memory("m3", "환불"),
        concept("c1"),
    )


def _embed(graph: TenantGraph, label: str, *, limit: int = 200) -> list[str]:
    """Give vectors of the new embedder to nodes that have none; their ids."""
    ids = [record.id for record in graph.missing_vectors(label, limit=limit)]
    graph.save_vectors(label, [(name, vector(6, 0, 0, 1, len(ids) - place)) for place, name in enumerate(ids)])
    return ids


def _nearest(graph: TenantGraph, *components: float, dimension: int = 4) -> list[str]:
    return [hit.record.id for hit in graph.nearest("Memory", vector(dimension, *components))]


class StoreSchemaContract(StoreFixtures):
    """Creation, migration, embedders, re-embedding, health."""

    @pytest.fixture
    def empty(self, open_store: OpenStore) -> GraphStore:
        """A store to which nothing was ever written."""
        return open_store(OLD)

    @pytest.fixture
    def tenant(self, empty: GraphStore, new_tenant: Callable[[], str]) -> TenantGraph:
        """A tenant of the empty store."""
        return empty.tenant(new_tenant())

    def test_reading_an_empty_store_says_so_and_makes_nothing(
        self, empty: GraphStore, tenant: TenantGraph
    ) -> None:
        reads: list[Callable[[], object]] = [
            lambda: tenant.get(refs("Memory", "m")),
            lambda: tenant.count("Memory"),
            lambda: tenant.scan("Memory"),
            lambda: tenant.edges(refs("Memory", "m")),
            lambda: tenant.expand(refs("Memory", "m")),
            lambda: tenant.nearest("Memory", vector(4, 1)),
            lambda: tenant.search(["Memory"], ["refund"]),
            lambda: tenant.missing_vectors("Memory"),
            tenant.version,
            tenant.erase,
            empty.tenants,
            empty.reindex,
        ]
        for read in reads * 2:
            with pytest.raises(StoreUnavailableError):
                read()

    def test_the_checks_of_arguments_come_first(self, tenant: TenantGraph) -> None:
        with pytest.raises(InvalidInputError):
            tenant.scan("Nonsense")

    def test_the_first_write_makes_the_schema(self, empty: GraphStore, tenant: TenantGraph) -> None:
        save(tenant, concept("c1"))
        info = empty.info()
        assert info.schema_version == SCHEMA_VERSION
        assert (info.embedder, info.reembedding) == (None, None)
        assert tenant.count("Concept") == 1
        assert empty.tenants() == (tenant.tenant,)

    def test_migrating_makes_the_schema_and_can_be_run_again(self, empty: GraphStore, tenant: TenantGraph) -> None:
        assert empty.migrate() == (0, SCHEMA_VERSION)
        assert empty.migrate() == (SCHEMA_VERSION, SCHEMA_VERSION)
        assert empty.tenants() == ()
        assert (tenant.count("Memory"), tenant.version(), tenant.erase()) == (0, 0, {})
        assert tenant.nearest("Memory", vector(4, 1)) == tenant.search(["Memory"], ["x"]) == []

    def test_another_embedder_may_read_but_not_write(
        self, empty: GraphStore, tenant: TenantGraph, open_store: OpenStore
    ) -> None:
        _fill(tenant)
        assert empty.info().embedder == OLD
        other = open_store(NEW).tenant(tenant.tenant)
        assert other.count("Memory") == 3
        assert [hit.record.id for hit in other.search(["Memory"], ["refund"])] == ["m1"]
        with pytest.raises(SchemaError, match="new-model"):
            save(other, memory("m4"))
        with pytest.raises(SchemaError):
            other.nearest("Memory", vector(6, 1))
        same_length = open_store(EmbedderSpec("other-model", 4)).tenant(tenant.tenant)
        with pytest.raises(SchemaError, match="schema reembed --embedder other-model"):
            save(same_length, memory("m4"))
        assert tenant.count("Memory") == 3

    def test_without_an_embedder_everything_but_vectors_can_be_written(
        self, tenant: TenantGraph, open_store: OpenStore
    ) -> None:
        bare = open_store(None).tenant(tenant.tenant)
        save(
            bare,
            memory("m1", "refund"),
            concept("c1"),
            edge("ABOUT", *refs("Memory", "m1"), *refs("Concept", "c1")),
        )
        assert [hit.record.id for hit in bare.search(["Memory"], ["refund"])] == ["m1"]
        assert bare.nearest("Memory", vector(4, 1)) == []
        _fill(tenant)
        save(bare, memory("m2", "changed", content_hash="hash-2"), memory("m9", "added"))
        assert _nearest(tenant, 0, 1)[0] == "m2"
        assert _nearest(bare, 0, 1)[0] == "m2"
        with pytest.raises(SchemaError):
            save(bare, memory("m5", vector=vector(4, 1)))

    def test_vectors_can_be_added_to_a_store_made_without(
        self, empty: GraphStore, tenant: TenantGraph, open_store: OpenStore
    ) -> None:
        save(open_store(None).tenant(tenant.tenant), memory("m1"), memory("m2"))
        assert empty.info().embedder is None
        assert [record.id for record in tenant.missing_vectors("Memory")] == ["m1", "m2"]
        tenant.save_vectors("Memory", [("m2", vector(4, 1))])
        assert empty.info().embedder == OLD
        assert [record.id for record in tenant.missing_vectors("Memory")] == ["m1"]
        assert _nearest(tenant, 1) == ["m2"]

    def test_a_re_embedding_fills_beside_the_old_vectors_and_switches_at_once(
        self, empty: GraphStore, tenant: TenantGraph, open_store: OpenStore
    ) -> None:
        _fill(tenant)
        with tenant.transaction() as tx:
            tx.save_trees([tree("e1", vector=vector(4, 1))])
        empty.begin_reembedding(NEW)
        assert (empty.info().embedder, empty.info().reembedding) == (OLD, NEW)
        assert _embed(tenant, "Memory", limit=2) == ["m1", "m2"]
        assert _nearest(tenant, 1) == ["m1", "m2"]
        # another program goes on where this one stopped
        other = open_store(NEW)
        other.begin_reembedding(NEW)
        with pytest.raises(ConflictError):
            other.finish_reembedding()
        resumed = other.tenant(tenant.tenant)
        assert [_embed(resumed, label) for label in ("Memory", "Concept", "Episode")] == [["m3"], ["c1"], ["e1"]]
        assert all(resumed.missing_vectors(label) == [] for label in EMBEDDED)
        other.finish_reembedding()
        assert (empty.info().embedder, empty.info().reembedding) == (NEW, None)
        assert _nearest(resumed, 0, 0, 1, 2, dimension=6) == ["m1", "m2", "m3"]
        assert [hit.record.id for hit in resumed.nearest("Episode", vector(6, 1))] == ["e1"]
        with pytest.raises(SchemaError):
            tenant.nearest("Memory", vector(4, 1))
        with pytest.raises(SchemaError):
            save(tenant, memory("m9"))
        assert save(resumed, memory("m9", vector=vector(6, 1))).added == tuple(refs("Memory", "m9"))

    def test_what_changes_during_a_re_embedding_is_embedded_again(
        self, empty: GraphStore, tenant: TenantGraph, open_store: OpenStore
    ) -> None:
        _fill(tenant)
        empty.begin_reembedding(NEW)
        assert _embed(tenant, "Memory") == ["m1", "m2", "m3"]
        save(tenant, memory("m1", "changed", content_hash="hash-2", vector=vector(4, 0, 0, 1)))
        save(tenant, memory("m4", "added", vector=vector(4, 0, 0, 0, 1)))
        with tenant.transaction() as tx:
            tx.remove_nodes(refs("Memory", "m3"))
            tx.set_properties("Memory", [("m2", {"why": "bookkeeping"})])
        assert _nearest(tenant, 0, 0, 1)[0] == "m1"
        assert _embed(tenant, "Memory") == ["m1", "m4"]
        assert _embed(tenant, "Concept") == ["c1"]
        empty.finish_reembedding()
        switched = open_store(NEW).tenant(tenant.tenant)
        assert sorted(_nearest(switched, 1, dimension=6)) == ["m1", "m2", "m4"]

    def test_a_re_embedding_counts_every_tenant(
        self, empty: GraphStore, tenant: TenantGraph, new_tenant: Callable[[], str], open_store: OpenStore
    ) -> None:
        other = empty.tenant(new_tenant())
        _fill(tenant)
        save(other, memory("m1", vector=vector(4, 1)))
        empty.begin_reembedding(NEW)
        _embed(tenant, "Memory")
        _embed(tenant, "Concept")
        with pytest.raises(ConflictError):
            empty.finish_reembedding()
        assert _embed(other, "Memory") == ["m1"]
        empty.finish_reembedding()
        assert _nearest(open_store(NEW).tenant(other.tenant), 1, dimension=6) == ["m1"]

    def test_two_re_embeddings_cannot_run_at_once(self, empty: GraphStore, tenant: TenantGraph) -> None:
        _fill(tenant)
        empty.begin_reembedding(NEW)
        empty.begin_reembedding(NEW)
        with pytest.raises(SchemaError, match="new-model"):
            empty.begin_reembedding(EmbedderSpec("third-model", 8))

    def test_a_vector_of_another_length_is_refused_by_a_re_embedding(
        self, empty: GraphStore, tenant: TenantGraph
    ) -> None:
        _fill(tenant)
        empty.begin_reembedding(NEW)
        with pytest.raises(SchemaError):
            tenant.save_vectors("Memory", [("m1", vector(4, 1))])
        assert len(tenant.missing_vectors("Memory")) == 3

    def test_reindexing_changes_no_answer(self, empty: GraphStore, tenant: TenantGraph) -> None:
        _fill(tenant)
        before = (
            tenant.search(["Memory", "Concept"], ["refund", "환불", "order"]),
            tenant.nearest("Memory", vector(4, 1)),
            tenant.count("Memory"),
        )
        empty.reindex()
        after = (
            tenant.search(["Memory", "Concept"], ["refund", "환불", "order"]),
            tenant.nearest("Memory", vector(4, 1)),
            tenant.count("Memory"),
        )
        assert [[(h.record.ref, h.score) for h in hits] for hits in after[:2]] == [
            [(h.record.ref, h.score) for h in hits] for hits in before[:2]
        ]
        assert after[2] == before[2]
        save(tenant, memory("m4", "refund again"))
        assert {hit.record.id for hit in tenant.search(["Memory"], ["refund"])} == {"m1", "m4"}

    def test_the_health_of_a_sound_store_is_good_line_by_line(
        self, empty: GraphStore, tenant: TenantGraph
    ) -> None:
        _fill(tenant)
        with tenant.transaction() as tx:
            tx.save_trees([tree("e1", vector=vector(4, 1))])
        lines = empty.check()
        assert {"connection", "version", "indexes", "dimension", "orphans"} <= {line.check for line in lines}
        assert [line for line in lines if not line.ok] == []

    def test_health_names_an_unfinished_re_embedding_and_an_orphan(
        self, empty: GraphStore, tenant: TenantGraph
    ) -> None:
        _fill(tenant)
        given = tree("e1", steps=1, vector=vector(4, 1))
        with tenant.transaction() as tx:
            tx.save_trees([given])
            tx.remove_edges(given.edges)
        empty.begin_reembedding(NEW)
        bad = {line.check: line.detail for line in empty.check() if not line.ok}
        assert set(bad) == {"dimension", "orphans"}
        assert "schema reembed --embedder new-model" in bad["dimension"]

    def test_the_health_of_an_empty_store_is_told_without_an_error(self, empty: GraphStore) -> None:
        assert any(not line.ok for line in empty.check())

    def test_info_tells_the_address_without_secrets(self, empty: GraphStore, tenant: TenantGraph) -> None:
        _fill(tenant)
        info = empty.info()
        assert info.kind in {"sqlite", "neo4j"}
        assert info.version
        assert "@" not in info.address
