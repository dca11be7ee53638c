"""Contract: search by vector, and vectors that are given later."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from graphmem.errors import InvalidInputError, SchemaError
from graphmem.graph.records import And, Equals, Missing, NodeRecord, NodeRef, Vector
from graphmem.ports.embedder import EmbedderSpec
from graphmem.ports.graph_store import TenantGraph
from graphmem.testing.builders import concept, memory, refs, tree
from graphmem.testing.store.fixtures import OpenStore, StoreFixtures, save, stored


def _nearest(graph: TenantGraph, vector: Vector, *, limit: int = 10) -> list[str]:
    return [hit.record.id for hit in graph.nearest("Memory", vector, limit=limit)]


class VectorContract(StoreFixtures):
    """`nearest`, `missing_vectors` and `save_vectors` without a running re-embedding."""

    def test_the_nearest_come_first_with_their_cosine(
        self, graph: TenantGraph, vector: Callable[..., Vector]
    ) -> None:
        save(
            graph,
            memory("same", "text", vector=vector(2, 0)),
            memory("half", vector=vector(1, 1)),
            memory("square", vector=vector(0, 3)),
            memory("opposite", vector=vector(-1, 0)),
            memory("none"),
            concept("same", vector=vector(1, 0)),
        )
        hits = graph.nearest("Memory", vector(1, 0))
        assert [hit.record.id for hit in hits] == ["same", "half", "square", "opposite"]
        assert [hit.score for hit in hits] == pytest.approx([1, np.sqrt(0.5), 0, -1], abs=1e-5)
        assert hits[0].record.properties["text"] == "text"

    def test_vectors_of_another_embedder_of_the_same_length_are_not_compared(
        self, graph: TenantGraph, open_store: OpenStore, spec: EmbedderSpec, vector: Callable[..., Vector]
    ) -> None:
        save(graph, memory("m1", "환불", vector=vector(1)))
        other = open_store(EmbedderSpec("other", spec.dimension)).tenant(graph.tenant)
        with pytest.raises(SchemaError, match="schema reembed --embedder other"):
            other.nearest("Memory", vector(1))
        assert [hit.record.id for hit in other.search(["Memory"], ["환불"])] == ["m1"]

    def test_ties_go_by_id_and_the_limit_cuts_after_them(
        self, graph: TenantGraph, vector: Callable[..., Vector]
    ) -> None:
        names = [f"m{index:02}" for index in range(30)]
        save(graph, *(memory(name, vector=vector(3, 1, 2)) for name in reversed(names)))
        assert _nearest(graph, vector(1, 2, 3)) == names[:10]
        assert _nearest(graph, vector(1, 2, 3), limit=3) == names[:3]
        assert _nearest(graph, vector(1, 2, 3), limit=100) == names

    def test_the_filter_of_nearest_holds_before_its_limit(
        self, graph: TenantGraph, vector: Callable[..., Vector]
    ) -> None:
        save(
            graph, *(memory(f"m{index:03}", vector=vector(1, index / 1000), user_id="ada") for index in range(60))
        )
        save(graph, memory("far", vector=vector(0, 1), user_id="bob"), memory("nobody", vector=vector(-1)))
        assert [
            hit.record.id for hit in graph.nearest("Memory", vector(1), Equals("user_id", "bob"), limit=1)
        ] == ["far"]
        where = And((Missing("user_id"), Equals("kind", "fact")))
        assert [hit.record.id for hit in graph.nearest("Memory", vector(1), where, limit=5)] == ["nobody"]
        assert len(graph.nearest("Memory", vector(1), Equals("user_id", "ada"), limit=60)) == 60
        assert graph.nearest("Memory", vector(1), Equals("user_id", "nobody")) == []

    def test_a_filter_that_few_far_nodes_match_still_fills_the_limit(
        self, graph: TenantGraph, vector: Callable[..., Vector]
    ) -> None:
        common = {**tree("e", steps=0, outcome="success", domain="support", user_id="ada").root.properties}
        rare = {"outcome": "failure", "domain": "배송", "user_id": "bora"}
        near = [NodeRecord("Episode", f"e{place:03}", common, vector(1, place / 9000)) for place in range(600)]
        far = [
            NodeRecord("Episode", f"{name}-{place}", {**common, name: value}, vector(-1, 3 - place))
            for name, value in rare.items()
            for place in (0, 1)
        ]
        save(graph, *near, *far)
        for name, value in rare.items():
            where = And((Equals("state", "closed"), Equals(name, value)))
            found = [hit.record.id for hit in graph.nearest("Episode", vector(1), where, limit=2)]
            assert found == [f"{name}-0", f"{name}-1"]
        nothing = And((Equals("outcome", "failure"), Equals("domain", "배송")))
        assert graph.nearest("Episode", vector(1), nothing, limit=2) == []
        usual = And((Equals("outcome", "success"), Equals("domain", "support"), Equals("user_id", "ada")))
        assert [hit.record.id for hit in graph.nearest("Episode", vector(1), usual, limit=2)] == ["e000", "e001"]

    def test_it_agrees_with_a_plain_computation(self, graph: TenantGraph, vector: Callable[..., Vector]) -> None:
        chance = np.random.default_rng(7)
        given = {f"m{index:03}": vector(*chance.normal(size=4)) for index in range(120)}
        save(graph, *(memory(name, vector=one) for name, one in given.items()))
        for _ in range(5):
            query = vector(*chance.normal(size=4))
            cosines = {
                name: float(one @ query) / float(np.linalg.norm(one) * np.linalg.norm(query))
                for name, one in given.items()
            }
            wanted = sorted(cosines, key=lambda name: (-cosines[name], name))[:10]
            assert _nearest(graph, query) == wanted

    def test_it_follows_every_write(self, graph: TenantGraph, vector: Callable[..., Vector]) -> None:
        save(graph, memory("m1", vector=vector(1)), memory("m2", vector=vector(0, 1)))
        assert _nearest(graph, vector(1), limit=1) == ["m1"]
        save(graph, memory("m1", content_hash="hash-2", vector=vector(0, 0, 1)), memory("m3", vector=vector(1)))
        assert _nearest(graph, vector(1), limit=1) == ["m3"]
        with graph.transaction() as tx:
            tx.remove_nodes(refs("Memory", "m3"))
        assert sorted(_nearest(graph, vector(1))) == ["m1", "m2"]

    def test_a_transaction_that_fails_leaves_no_vector(
        self, graph: TenantGraph, vector: Callable[..., Vector]
    ) -> None:
        def fail() -> None:
            with graph.transaction() as tx:
                tx.save_nodes([memory("m1", vector=vector(1))])
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()
        assert _nearest(graph, vector(1)) == []

    def test_a_query_of_another_length_is_refused(self, graph: TenantGraph, vector: Callable[..., Vector]) -> None:
        save(graph, memory("m1", vector=vector(1)))
        for wrong in (vector(1)[:-1], np.append(vector(1), np.float32(0)), np.zeros(0, np.float32)):
            with pytest.raises(SchemaError):
                graph.nearest("Memory", wrong)

    def test_nearest_refuses_a_label_without_vectors_and_a_bad_limit(
        self, graph: TenantGraph, vector: Callable[..., Vector]
    ) -> None:
        with pytest.raises(InvalidInputError):
            graph.nearest("Tool", vector(1))
        with pytest.raises(InvalidInputError):
            graph.nearest("Memory", vector(1), limit=0)
        with pytest.raises(InvalidInputError):
            graph.nearest("Memory", vector(1), Equals("text", "x"))

    def test_nodes_without_a_vector_are_listed_and_filled_in(
        self, graph: TenantGraph, vector: Callable[..., Vector]
    ) -> None:
        save(graph, *(memory(name, f"text of {name}") for name in "cab"), memory("d", vector=vector(1)))
        assert [record.id for record in graph.missing_vectors("Memory", limit=2)] == ["a", "b"]
        assert [record.id for record in graph.missing_vectors("Memory", after="b")] == ["c"]
        assert graph.missing_vectors("Memory")[0].properties["text"] == "text of a"
        graph.save_vectors("Memory", [("a", vector(0, 1)), ("nowhere", vector(1)), ("d", vector(0, 1))])
        assert [record.id for record in graph.missing_vectors("Memory")] == ["b", "c"]
        assert _nearest(graph, vector(0, 1)) == ["a", "d"]
        assert graph.count("Memory") == 4

    def test_trees_carry_the_vector_of_their_root(self, graph: TenantGraph, vector: Callable[..., Vector]) -> None:
        with graph.transaction() as tx:
            tx.save_trees([tree("e1", vector=vector(1)), tree("e2", vector=vector(0, 1)), tree("e3")])
        hits = graph.nearest("Episode", vector(0, 1))
        assert [hit.record.ref for hit in hits] == [NodeRef("Episode", "e2"), NodeRef("Episode", "e1")]
        assert stored(graph, "Episode", "e3").vector is None
