"""Contract: edges are unique, read from either end, and walked breadth first."""

from __future__ import annotations

import pytest

from graphmem.errors import ConflictError, InvalidInputError
from graphmem.graph.records import EdgeRecord, NodeRef
from graphmem.ports.graph_store import TenantGraph
from graphmem.testing.builders import concept, edge, memory, refs
from graphmem.testing.clock import START
from graphmem.testing.store.fixtures import StoreFixtures, save

A, B, C, D = refs("Concept", "a", "b", "c", "d")


class EdgeContract(StoreFixtures):
    """`save_edges`, `remove_edges`, `edges` and `expand`."""

    def test_an_edge_comes_back_with_its_values(self, graph: TenantGraph) -> None:
        given = edge(
            "IS_A", A, B, confidence=0.5, count=3, evidence_ids=["e1", "e2"], source="given", extra='{"출처":1}'
        )
        save(graph, concept("a"), concept("b"), given)
        assert graph.edges([A]) == [given]

    def test_edges_are_read_by_direction_and_type(self, graph: TenantGraph) -> None:
        out, into, other = edge("IS_A", A, B), edge("IS_A", C, A), edge("CAUSES", A, C)
        save(graph, concept("a"), concept("b"), concept("c"), out, into, other)
        assert graph.edges([A]) == [other, out]
        assert graph.edges([A], direction="in") == [into]
        assert graph.edges([A], direction="both") == [other, out, into]
        assert graph.edges([A], ["IS_A"], "both") == [out, into]
        assert graph.edges([A], [], "both") == []
        assert graph.edges([]) == graph.edges(refs("Concept", "nowhere")) == []

    def test_an_edge_between_two_asked_nodes_comes_once(self, graph: TenantGraph) -> None:
        save(graph, concept("a"), concept("b"), edge("IS_A", A, B), edge("SIMILAR_TO", A, A))
        found = graph.edges([A, B, A], direction="both")
        assert [(one.type, one.source, one.target) for one in found] == [("IS_A", A, B), ("SIMILAR_TO", A, A)]

    def test_saving_counts_what_was_absent_or_different(self, graph: TenantGraph) -> None:
        save(graph, concept("a"), concept("b"), concept("c"))
        with graph.transaction() as tx:
            assert tx.save_edges([edge("IS_A", A, B), edge("IS_A", A, C), edge("IS_A", B, A)]) == 3
        with graph.transaction() as tx:
            assert tx.save_edges([edge("IS_A", A, B), edge("IS_A", A, C, weight=0.5), edge("CAUSES", A, B)]) == 2

    def test_properties_of_a_stored_edge_are_replaced(self, graph: TenantGraph) -> None:
        save(graph, concept("a"), concept("b"), edge("IS_A", A, B, weight=0.5))
        with graph.transaction() as tx:
            tx.save_edges([EdgeRecord("IS_A", A, B, {"count": 2})])
        assert [dict(one.properties) for one in graph.edges([A])] == [{"count": 2}]

    def test_an_end_that_does_not_exist_is_a_conflict(self, graph: TenantGraph) -> None:
        save(graph, concept("a"))
        for given in (edge("IS_A", A, B), edge("IS_A", B, A)):
            with pytest.raises(ConflictError), graph.transaction() as tx:
                tx.save_edges([given])
        assert graph.edges([A], direction="both") == []

    def test_an_end_that_a_new_node_lacks_is_a_conflict(self, graph: TenantGraph) -> None:
        for given in (edge("IS_A", A, B), edge("IS_A", B, A)):
            with pytest.raises(ConflictError, match="'b'"):
                save(graph, concept("a"), concept("c"), edge("IS_A", A, C), given)
        assert graph.get([A, C]) == {}

    def test_edges_of_a_new_node_stay_unique(self, graph: TenantGraph) -> None:
        save(graph, concept("b"))
        with graph.transaction() as tx:
            tx.save_nodes([concept("a"), concept("c")])
            assert tx.save_edges([edge("IS_A", A, B, weight=0.5), edge("IS_A", A, C), edge("IS_A", B, A)]) == 3
            assert tx.save_edges([edge("IS_A", A, B), edge("CAUSES", A, B), edge("IS_A", A, C)]) == 2
            assert tx.remove_edges([edge("IS_A", A, C)]) == 1
            assert tx.save_edges([edge("IS_A", A, C)]) == 1
        assert graph.edges([A]) == [edge("CAUSES", A, B), edge("IS_A", A, B), edge("IS_A", A, C)]
        assert graph.edges([A], direction="in") == [edge("IS_A", B, A)]

    def test_a_node_that_went_and_came_back_begins_without_edges(self, graph: TenantGraph) -> None:
        save(graph, concept("a"), concept("b"), edge("IS_A", A, B), edge("CAUSES", A, B))
        with graph.transaction() as tx:
            tx.remove_nodes([A])
            tx.save_nodes([concept("a")])
            tx.save_edges([edge("IS_A", A, B)])
        assert graph.edges([A]) == [edge("IS_A", A, B)]

    @pytest.mark.parametrize(
        "given",
        [
            EdgeRecord("NONSENSE", A, B),
            EdgeRecord("HAS_STEP", A, B),
            EdgeRecord("IS_A", A, B, {"nonsense": 1}),
        ],
        ids=["type", "ends", "property"],
    )
    def test_an_edge_that_the_schema_does_not_allow_is_refused(
        self, graph: TenantGraph, given: EdgeRecord
    ) -> None:
        save(graph, concept("a"), concept("b"))
        with pytest.raises(InvalidInputError), graph.transaction() as tx:
            tx.save_edges([given])
        with pytest.raises(InvalidInputError):
            graph.edges([A], ["NONSENSE"])

    def test_removing_counts_what_existed(self, graph: TenantGraph) -> None:
        save(graph, concept("a"), concept("b"), edge("IS_A", A, B), edge("CAUSES", A, B))
        gone = [EdgeRecord("IS_A", A, B), EdgeRecord("IS_A", B, A), EdgeRecord("IS_A", A, D)]
        with graph.transaction() as tx:
            assert tx.remove_edges(gone) == 1
        assert [one.type for one in graph.edges([A])] == ["CAUSES"]

    def test_a_transaction_reads_its_own_writes(self, graph: TenantGraph) -> None:
        with graph.transaction() as tx:
            tx.save_nodes([concept("a"), concept("b")])
            tx.save_edges([edge("IS_A", A, B)])
            assert list(tx.get([B, C, A])) == [B, A]
            assert [one.target for one in tx.edges([A], ["IS_A"])] == [B]
            assert graph.get([A]) == {}

    def test_expand_goes_breadth_first_to_a_depth(self, graph: TenantGraph) -> None:
        chain = [edge("IS_A", A, B), edge("IS_A", B, C), edge("IS_A", C, D), edge("CAUSES", A, C)]
        save(graph, *(concept(name) for name in "abcd"), *chain)
        near = graph.expand([A], ["IS_A"], "out", depth=2)
        assert [found.ref for found in near.nodes] == [A, B, C]
        assert list(near.edges) == chain[:2]
        assert not near.truncated
        assert [found.ref for found in graph.expand([D], direction="in", depth=2).nodes] == [D, C, A, B]
        assert [found.ref for found in graph.expand([B], depth=1).nodes] == [B, A, C]

    def test_expand_orders_by_distance_then_label_and_id(self, graph: TenantGraph) -> None:
        save(graph, concept("b"), concept("a"), memory("z"), memory("y"))
        m = refs("Memory", "z", "y")
        save(graph, edge("ABOUT", m[0], B), edge("ABOUT", m[0], A), edge("SUPERSEDES", m[0], m[1]))
        found = graph.expand([m[0], m[0], *refs("Memory", "nowhere")])
        assert [node.ref for node in found.nodes] == [m[0], A, B, m[1]]
        assert found.nodes[1].properties["created_at"] == START

    def test_expand_to_depth_0_is_the_start(self, graph: TenantGraph) -> None:
        save(graph, concept("a"), concept("b"), edge("IS_A", A, B))
        alone = graph.expand([A], depth=0)
        assert ([node.ref for node in alone.nodes], alone.edges, alone.truncated) == ([A], (), False)

    def test_expand_ends_at_the_limit_and_says_so(self, graph: TenantGraph) -> None:
        names = [f"n{index}" for index in range(5)]
        save(graph, concept("a"), *map(concept, names))
        save(graph, *(edge("IS_A", A, NodeRef("Concept", name)) for name in names))
        cut = graph.expand([A], depth=3, limit=3)
        assert [node.id for node in cut.nodes] == ["a", "n0", "n1"]
        assert [one.target.id for one in cut.edges] == ["n0", "n1"]
        assert cut.truncated
        assert not graph.expand([A], depth=3, limit=6).truncated

    def test_a_cycle_ends(self, graph: TenantGraph) -> None:
        ring = [edge("IS_A", A, B), edge("IS_A", B, C), edge("IS_A", C, A)]
        save(graph, concept("a"), concept("b"), concept("c"), *ring)
        found = graph.expand([A], direction="out", depth=50)
        assert len(found.nodes) == len(found.edges) == 3
