"""Contract: a root is written with all it owns, once, and replaced only when asked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from graphmem.errors import ConflictError, InvalidInputError
from graphmem.graph.records import PLACEHOLDER, EdgeRecord, NodeRef, Tree, Vector
from graphmem.ports.graph_store import TenantGraph
from graphmem.testing.builders import concept, edge, memory, node, refs, tree
from graphmem.testing.clock import START
from graphmem.testing.store.fixtures import StoreFixtures, save, stored


class TreeContract(StoreFixtures):
    """`save_trees`."""

    def test_a_tree_is_written_whole(self, graph: TenantGraph) -> None:
        save(graph, concept("c1"))
        given = tree("e1", steps=3, findings=["timeout", "풀 고갈"], concepts=refs("Concept", "c1"))
        with graph.transaction() as tx:
            saved = tx.save_trees([given])
        assert saved.added == (given.root.ref,)
        owned = graph.get([given.root.ref, *(owned.ref for owned in given.nodes)])
        assert {ref: dict(found.properties) for ref, found in owned.items()} == {
            record.ref: dict(record.properties) for record in (given.root, *given.nodes)
        }
        written = graph.edges(owned, direction="out")
        assert {(one.type, one.source, one.target) for one in written} == {
            (one.type, one.source, one.target) for one in given.edges
        }
        assert all(dict(one.properties) == {"created_at": START} for one in written)

    def test_many_trees_at_once_answer_in_their_order(self, graph: TenantGraph) -> None:
        with graph.transaction() as tx:
            tx.save_trees([tree("e2"), tree("e1")])
        with graph.transaction() as tx:
            saved = tx.save_trees([tree("e4"), tree("e1"), tree("e2", content_hash="hash-2"), tree("e3")])
        assert saved.added == tuple(refs("Episode", "e4", "e3"))
        assert (saved.unchanged, saved.changed) == (tuple(refs("Episode", "e1")), tuple(refs("Episode", "e2")))
        assert graph.count("Step") == 8

    def test_the_same_tree_again_leaves_everything_as_it_is(self, graph: TenantGraph) -> None:
        for _ in range(2):
            with graph.transaction() as tx:
                saved = tx.save_trees([tree("e1")])
        assert (saved.added, saved.unchanged) == ((), tuple(refs("Episode", "e1")))
        assert (graph.count("Step"), len(graph.edges(refs("Episode", "e1")))) == (2, 2)

    def test_a_tree_without_steps_is_a_root_alone(self, graph: TenantGraph) -> None:
        with graph.transaction() as tx:
            tx.save_trees([tree("e1", steps=0)])
        assert (graph.count("Episode"), graph.count("Step")) == (1, 0)

    def test_changed_content_is_reported_and_not_written_unless_asked(self, graph: TenantGraph) -> None:
        with graph.transaction() as tx:
            tx.save_trees([tree("e1", steps=2)])
        with graph.transaction() as tx:
            saved = tx.save_trees([tree("e1", steps=1, content_hash="hash-2")])
        assert saved.changed == tuple(refs("Episode", "e1"))
        assert (graph.count("Step"), stored(graph, "Episode", "e1").content_hash) == (2, "hash-1")

    def test_replacing_removes_what_is_gone_and_keeps_what_others_made(
        self, graph: TenantGraph, vector: Callable[..., Vector]
    ) -> None:
        save(graph, concept("c1"), concept("c2"), memory("m1"))
        with graph.transaction() as tx:
            first = tree("e1", steps=3, findings=["old"], concepts=refs("Concept", "c1"), vector=vector(1))
            tx.save_trees([first, tree("e2")])
            tx.save_edges(
                [
                    edge("DERIVED_FROM", NodeRef("Memory", "m1"), NodeRef("Episode", "e1")),
                    edge("FOLLOWED_BY", NodeRef("Episode", "e1"), NodeRef("Episode", "e2")),
                    edge("INSTANCE_OF", NodeRef("Step", "e1/0"), NodeRef("Concept", "c1")),
                ]
            )
        later = START + timedelta(days=1)
        second = tree(
            "e1",
            steps=1,
            findings=["new"],
            concepts=refs("Concept", "c2"),
            content_hash="hash-2",
            goal="another goal",
            created_at=later,
            vector=vector(0, 1),
        )
        with graph.transaction() as tx:
            saved = tx.save_trees([second], replace=True)
        assert saved.changed == tuple(refs("Episode", "e1"))
        root = stored(graph, "Episode", "e1")
        assert (root.properties["goal"], root.properties["created_at"]) == ("another goal", START)
        assert graph.nearest("Episode", vector(0, 1))[0].score == pytest.approx(1, abs=1e-5)
        assert list(graph.get(refs("Step", "e1/0", "e1/1", "e1/2"))) == refs("Step", "e1/0")
        assert list(graph.get(refs("Finding", "e1/old", "e1/new"))) == refs("Finding", "e1/new")
        types = [one.type for one in graph.edges(refs("Episode", "e1"), direction="both")]
        assert types == ["DERIVED_FROM", "FOLLOWED_BY", "HAS_FINDING", "HAS_STEP", "MENTIONS"]
        assert graph.edges(refs("Concept", "c1"), direction="in") == []
        assert graph.count("Step") == 3

    def test_a_replaced_tree_is_found_by_its_new_words_only(self, graph: TenantGraph) -> None:
        with graph.transaction() as tx:
            tx.save_trees([tree("e1", goal="refund")])
        with graph.transaction() as tx:
            tx.save_trees([tree("e1", goal="반품", content_hash="hash-2")], replace=True)
        assert graph.search(["Episode"], ["refund"]) == []
        assert [hit.record.id for hit in graph.search(["Episode"], ["반품"])] == ["e1"]

    def test_a_placeholder_root_is_filled_in(self, graph: TenantGraph) -> None:
        save(graph, node("Episode", "e1", content_hash=PLACEHOLDER), node("Episode", "e0"))
        save(graph, edge("FOLLOWED_BY", NodeRef("Episode", "e0"), NodeRef("Episode", "e1")))
        later = START + timedelta(days=1)
        with graph.transaction() as tx:
            saved = tx.save_trees([tree("e1", created_at=later)])
        assert saved.added == tuple(refs("Episode", "e1"))
        assert stored(graph, "Episode", "e1").properties["created_at"] == later
        assert graph.count("Step") == 2
        assert len(graph.edges(refs("Episode", "e1"), direction="in")) == 1

    def test_an_edge_to_a_node_that_does_not_exist_is_a_conflict(self, graph: TenantGraph) -> None:
        with pytest.raises(ConflictError), graph.transaction() as tx:
            tx.save_trees([tree("e0"), tree("e1", concepts=refs("Concept", "nowhere"))])
        assert (graph.count("Episode"), graph.count("Step")) == (0, 0)

    def test_steps_appended_one_by_one_go_with_the_root(self, graph: TenantGraph) -> None:
        whole = tree("e1", steps=3)
        with graph.transaction() as tx:
            tx.save_trees([tree("e1", steps=1)])
        for index in (1, 2):
            with graph.transaction() as tx:
                tx.save_nodes([whole.nodes[index]])
                tx.save_edges([one for one in whole.edges if one.target == whole.nodes[index].ref])
        assert graph.count("Step") == 3
        with graph.transaction() as tx:
            tx.save_trees([tree("e1", steps=2, content_hash="closed")], replace=True)
        assert list(graph.get(refs("Step", "e1/0", "e1/1", "e1/2"))) == refs("Step", "e1/0", "e1/1")
        with graph.transaction() as tx:
            tx.remove_nodes(refs("Episode", "e1"))
        assert graph.count("Step") == 0

    def test_what_is_not_the_roots_own_is_refused(self, graph: TenantGraph) -> None:
        foreign = Tree(
            tree("e1").root, (), (EdgeRecord("HAS_STEP", NodeRef("Episode", "e2"), NodeRef("Step", "x")),)
        )
        shared = Tree(tree("e1").root, (concept("c1"),))
        for given in (foreign, shared):
            with pytest.raises(InvalidInputError), graph.transaction() as tx:
                tx.save_trees([given])

    def test_a_transaction_may_save_what_the_tree_ends_at(self, graph: TenantGraph) -> None:
        with graph.transaction() as tx:
            tx.save_nodes([concept("c1", content_hash=PLACEHOLDER)])
            tx.save_trees([tree("e1", concepts=refs("Concept", "c1"))])
        assert len(graph.edges(refs("Episode", "e1"), ["MENTIONS"])) == 1
