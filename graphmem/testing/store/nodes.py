"""Contract: single nodes are saved, kept, replaced, described and removed."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

from graphmem.errors import ConflictError, InvalidInputError, SchemaError
from graphmem.graph.records import PLACEHOLDER, NodeRecord, NodeRef, Vector
from graphmem.ports.graph_store import TenantGraph
from graphmem.testing.builders import concept, edge, memory, node, refs, tree
from graphmem.testing.clock import START
from graphmem.testing.store.fixtures import StoreFixtures, save, stored


class NodeContract(StoreFixtures):
    """Saving, reading back and removing nodes."""

    def test_a_saved_node_comes_back_with_all_its_values(
        self, graph: TenantGraph, vector: Callable[..., Vector]
    ) -> None:
        episode = node(
            "Episode",
            "run-17",
            goal="배송비를 환불해 주세요 🫨",
            state="closed",
            started_at=datetime(1, 1, 1, tzinfo=UTC),
            ended_at=datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
            duration_ms=2**62,
            satisfaction=0.25,
            time_unknown=False,
            lessons=["하나", "two", ""],
            extra='{"a":[1,{"b":"\\""}]}',
            user_id="ada",
            vector=vector(0.5, -1.0),
        )
        save(graph, episode)
        found = stored(graph, "Episode", "run-17")
        assert dict(found.properties) == dict(episode.properties)
        assert found.vector is not None
        assert np.array_equal(found.vector, vector(0.5, -1.0))
        assert found.vector.dtype == np.float32

    def test_composed_and_decomposed_text_stay_as_given(self, graph: TenantGraph) -> None:
        texts = ["각", "\u1100\u1161\u11a8", "İ ß ﬁ", "tab\tand\nline", '"\\{}$`;--']
        save(graph, *(memory(f"m{index}", text) for index, text in enumerate(texts)))
        assert [stored(graph, "Memory", f"m{i}").properties["text"] for i in range(len(texts))] == texts

    def test_a_time_with_an_offset_comes_back_in_utc(self, graph: TenantGraph) -> None:
        seoul = datetime(2026, 3, 1, 18, 0, tzinfo=timezone(timedelta(hours=9)))
        save(graph, memory("m1", at=seoul))
        at = stored(graph, "Memory", "m1").properties["at"]
        assert at == seoul
        assert isinstance(at, datetime)
        assert at.utcoffset() == timedelta(0)

    def test_get_answers_in_the_order_asked_for_and_leaves_out_what_is_absent(self, graph: TenantGraph) -> None:
        save(graph, concept("b"), concept("a"), memory("a"))
        asked = [NodeRef("Memory", "a"), *refs("Concept", "b", "nowhere", "a", "b")]
        assert list(graph.get(asked)) == [asked[0], *refs("Concept", "b", "a")]

    def test_get_carries_vectors_only_when_asked(self, graph: TenantGraph, vector: Callable[..., Vector]) -> None:
        save(graph, memory("m1", vector=vector(1)), memory("m2"))
        assert all(record.vector is None for record in graph.get(refs("Memory", "m1", "m2")).values())
        assert stored(graph, "Memory", "m1").vector is not None
        assert stored(graph, "Memory", "m2").vector is None

    def test_an_absent_node_is_added_and_the_same_again_is_unchanged(self, graph: TenantGraph) -> None:
        assert save(graph, memory("m1"), concept("c1")).added == (*refs("Memory", "m1"), *refs("Concept", "c1"))
        again = save(graph, memory("m1", text="not looked at: the hash is the same"))
        assert (again.added, again.changed, again.unchanged) == ((), (), tuple(refs("Memory", "m1")))
        assert "text" not in stored(graph, "Memory", "m1").properties

    def test_other_content_replaces_properties_and_keeps_created_at_and_an_unnamed_vector(
        self, graph: TenantGraph, vector: Callable[..., Vector]
    ) -> None:
        save(graph, memory("m1", "old", why="because", vector=vector(1)))
        newer = memory("m1", "new", content_hash="hash-2", created_at=START + timedelta(days=1))
        assert save(graph, newer).changed == tuple(refs("Memory", "m1"))
        found = stored(graph, "Memory", "m1")
        assert dict(found.properties) == {**newer.properties, "created_at": START}
        assert found.vector is not None
        assert np.array_equal(found.vector, vector(1))

    def test_a_given_vector_replaces_the_stored_one(
        self, graph: TenantGraph, vector: Callable[..., Vector]
    ) -> None:
        save(graph, memory("m1", vector=vector(1)))
        save(graph, memory("m1", content_hash="hash-2", vector=vector(0, 1)))
        assert [hit.score for hit in graph.nearest("Memory", vector(0, 1))] == [pytest.approx(1, abs=1e-5)]

    def test_without_replace_other_content_is_reported_and_not_written(self, graph: TenantGraph) -> None:
        save(graph, memory("m1", "old"))
        with graph.transaction() as tx:
            saved = tx.save_nodes([memory("m1", "new", content_hash="hash-2")], replace=False)
        assert saved.changed == tuple(refs("Memory", "m1"))
        assert stored(graph, "Memory", "m1").properties["text"] == "old"

    def test_a_placeholder_is_filled_in_as_if_new_and_keeps_its_edges(self, graph: TenantGraph) -> None:
        save(graph, concept("c1", content_hash=PLACEHOLDER), memory("m1"))
        save(graph, edge("ABOUT", NodeRef("Memory", "m1"), NodeRef("Concept", "c1")))
        described = concept("c1", definition="what it is", created_at=START + timedelta(days=1))
        assert save(graph, described).added == tuple(refs("Concept", "c1"))
        assert dict(stored(graph, "Concept", "c1").properties) == dict(described.properties)
        assert len(graph.edges(refs("Concept", "c1"), direction="in")) == 1

    @pytest.mark.parametrize("first", [PLACEHOLDER, "hash-1"])
    def test_a_placeholder_never_replaces_a_node(self, graph: TenantGraph, first: str) -> None:
        save(graph, concept("c1", content_hash=first, definition="what it is"))
        assert save(graph, concept("c1", content_hash=PLACEHOLDER)).unchanged == tuple(refs("Concept", "c1"))
        assert stored(graph, "Concept", "c1").properties["definition"] == "what it is"

    def test_a_node_without_content_hash_counts_as_a_placeholder(self, graph: TenantGraph) -> None:
        step = NodeRecord("Step", "e/0", {"episode": "e", "index": 0, "key": "k", "action": "k"})
        save(graph, step)
        assert save(graph, step).unchanged == (step.ref,)
        assert dict(stored(graph, "Step", "e/0").properties) == dict(step.properties)

    def test_lists_in_the_answer_follow_the_order_given(self, graph: TenantGraph) -> None:
        save(graph, concept("same"), concept("other"))
        saved = save(
            graph,
            *(concept("z"), concept("other", content_hash="hash-2"), concept("same"), concept("a")),
        )
        assert saved.added == tuple(refs("Concept", "z", "a"))
        assert (saved.changed, saved.unchanged) == (
            tuple(refs("Concept", "other")),
            tuple(refs("Concept", "same")),
        )

    def test_expected_content_is_compared_before_writing(self, graph: TenantGraph) -> None:
        save(graph, concept("c1"))
        ref = NodeRef("Concept", "c1")
        with graph.transaction() as tx:
            tx.save_nodes([concept("c1", content_hash="hash-2")], expected={ref: "hash-1"})
        with pytest.raises(ConflictError), graph.transaction() as tx:
            tx.save_nodes([concept("c2"), concept("c1", content_hash="hash-3")], expected={ref: "hash-1"})
        assert stored(graph, "Concept", "c1").content_hash == "hash-2"
        assert graph.count("Concept") == 1

    def test_an_expected_node_that_is_absent_is_a_conflict(self, graph: TenantGraph) -> None:
        with pytest.raises(ConflictError), graph.transaction() as tx:
            tx.save_nodes([concept("c1")], expected={NodeRef("Concept", "c1"): "hash-1"})

    def test_set_properties_sets_and_removes_without_touching_the_hash(self, graph: TenantGraph) -> None:
        save(graph, memory("m1", "kept", why="removed"), memory("m2"))
        with graph.transaction() as tx:
            changes = {"superseded_at": START, "why": None}
            assert (
                tx.set_properties("Memory", [("m1", changes), ("m2", {"why": "set"}), ("nowhere", changes)]) == 2
            )
        found = stored(graph, "Memory", "m1")
        assert found.properties["superseded_at"] == START
        assert "why" not in found.properties
        assert (found.content_hash, found.properties["text"]) == ("hash-1", "kept")
        assert stored(graph, "Memory", "m2").properties["why"] == "set"

    def test_set_properties_refuses_what_the_schema_lacks(self, graph: TenantGraph) -> None:
        save(graph, memory("m1"))
        with pytest.raises(InvalidInputError), graph.transaction() as tx:
            tx.set_properties("Memory", [("m1", {"nonsense": 1})])
        with pytest.raises(InvalidInputError), graph.transaction() as tx:
            tx.set_properties("Memory", [("m1", {"superseded_at": "yesterday"})])

    def test_removing_a_node_takes_its_edges_and_counts_what_existed(self, graph: TenantGraph) -> None:
        save(graph, memory("m1", "gone soon"), memory("m2"), concept("c1"))
        save(graph, edge("ABOUT", NodeRef("Memory", "m1"), NodeRef("Concept", "c1")))
        with graph.transaction() as tx:
            assert tx.remove_nodes(refs("Memory", "m1", "nowhere", "m1")) == 1
        assert graph.edges(refs("Concept", "c1"), direction="in") == []
        assert graph.search(["Memory"], ["gone"]) == []
        assert graph.count("Memory") == 1

    def test_removing_a_root_removes_what_it_owns(self, graph: TenantGraph) -> None:
        save(graph, concept("c1"))
        with graph.transaction() as tx:
            trees = [tree("e1", findings=["f"], concepts=refs("Concept", "c1")), tree("e2")]
            tx.save_trees(trees)
        with graph.transaction() as tx:
            assert tx.remove_nodes(refs("Episode", "e1")) == 1
        counts = {label: graph.count(label) for label in ("Episode", "Step", "Finding", "Concept")}
        assert counts == {"Episode": 1, "Step": 2, "Finding": 0, "Concept": 1}

    def test_a_removed_node_can_be_added_again(self, graph: TenantGraph, vector: Callable[..., Vector]) -> None:
        save(graph, memory("m1", "first", vector=vector(1)))
        with graph.transaction() as tx:
            tx.remove_nodes(refs("Memory", "m1"))
        assert save(graph, memory("m1", "second")).added == tuple(refs("Memory", "m1"))
        assert stored(graph, "Memory", "m1").vector is None
        assert graph.nearest("Memory", vector(1)) == []

    @pytest.mark.parametrize(
        "record",
        [
            NodeRecord("Nonsense", "x", {}),
            NodeRecord("Memory", "", {}),
            NodeRecord("Memory", "x", {"nonsense": "y"}),
            NodeRecord("Memory", "x", {"text": 3}),
            NodeRecord("Memory", "x", {"at": "2026-03-01"}),
            NodeRecord("Tool", "x", {}, np.zeros(4, np.float32)),
        ],
        ids=["label", "id", "property", "text", "time", "vector"],
    )
    def test_a_record_that_the_schema_does_not_allow_is_refused(
        self, graph: TenantGraph, record: NodeRecord
    ) -> None:
        with pytest.raises(InvalidInputError), graph.transaction() as tx:
            tx.save_nodes([memory("before"), record])

    def test_a_vector_of_another_length_is_refused(
        self, graph: TenantGraph, vector: Callable[..., Vector]
    ) -> None:
        with pytest.raises(SchemaError), graph.transaction() as tx:
            tx.save_nodes([memory("m1", vector=vector(1)[:-1])])
        assert graph.count("Memory") == 0
