"""Contract: pages by keyset, filters and counts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import numpy as np
import pytest

from graphmem.errors import InvalidInputError
from graphmem.graph.records import And, Equals, Filter, In, Missing, NodeRecord, Range, Scalar, Vector
from graphmem.ports.graph_store import TenantGraph
from graphmem.testing.builders import concept, memory, node, refs, tree
from graphmem.testing.clock import START
from graphmem.testing.store.fixtures import StoreFixtures, page_ids, save


def _ids(graph: TenantGraph, label: str, where: Filter | None = None) -> list[str]:
    return [record.id for record in graph.scan(label, where).records]


class PagingContract(StoreFixtures):
    """`scan` and `count`."""

    def test_an_empty_tenant_has_empty_pages(self, graph: TenantGraph) -> None:
        page = graph.scan("Memory")
        assert (page.records, page.next, graph.count("Memory")) == ((), None, 0)

    def test_pages_follow_each_other_and_the_last_one_says_so(self, graph: TenantGraph) -> None:
        save(graph, *(memory(f"m{index}") for index in range(5)))
        first = graph.scan("Memory", limit=2)
        assert ([node.id for node in first.records], first.next) == (["m0", "m1"], ("m1", "m1"))
        second = graph.scan("Memory", limit=2, after=first.next)
        third = graph.scan("Memory", limit=2, after=second.next)
        assert ([node.id for node in third.records], third.next) == (["m4"], None)
        assert graph.scan("Memory", limit=5).next is None

    def test_ids_are_ordered_by_code_point(self, graph: TenantGraph) -> None:
        names = ["Z", "a", "é", "z", "나", "가", "𝒳", "ﬁ", "10", "9", "A-1", "a_1", "각"]
        save(graph, *map(concept, names))
        assert page_ids(graph, "Concept") == sorted(names)
        assert page_ids(graph, "Concept", order="-id", limit=5) == sorted(names, reverse=True)

    def test_text_is_ordered_by_code_point_in_both_directions(self, graph: TenantGraph) -> None:
        keys = ["b", "B", "가", "a", "ア", "𝒳", "ﬁ"]
        save(graph, *(concept(f"c{index}", key=key) for index, key in enumerate(keys)))
        rising = [f"c{keys.index(key)}" for key in sorted(keys)]
        assert page_ids(graph, "Concept", order="key") == rising
        assert page_ids(graph, "Concept", order="-key") == rising[::-1]

    def test_ties_go_by_rising_id_and_missing_values_come_last_in_both_directions(
        self, graph: TenantGraph
    ) -> None:
        later = START + timedelta(microseconds=1)
        save(
            graph,
            *(memory("b", at=START), memory("a", at=START), memory("d", at=later), memory("c", at=later)),
            *(memory("y"), memory("x"), memory("z")),
        )
        for limit in (1, 2, 3, 7, 100):
            assert page_ids(graph, "Memory", order="at", limit=limit) == list("abcdxyz")
            assert page_ids(graph, "Memory", order="-at", limit=limit) == list("cdabxyz")

    def test_times_are_ordered_over_all_years(self, graph: TenantGraph) -> None:
        times = [START.replace(year=year) for year in (1, 999, 1969, 1970, 2026, 9999)]
        save(graph, *(memory(f"m{index}", at=at) for index, at in enumerate(times)))
        assert page_ids(graph, "Memory", order="at") == [f"m{index}" for index in range(6)]

    def test_numbers_and_flags_are_ordered_as_such(self, graph: TenantGraph) -> None:
        steps = [
            NodeRecord("Step", f"e/{index}", {"index": index, "effective": index % 2 == 0, "episode": "e"})
            for index in (10, 9, 2)
        ]
        save(graph, *steps)
        assert page_ids(graph, "Step", order="index") == ["e/2", "e/9", "e/10"]
        assert page_ids(graph, "Step", order="effective") == ["e/9", "e/10", "e/2"]

    def test_pages_are_stable_while_others_write(self, graph: TenantGraph) -> None:
        save(graph, *(memory(f"m{index}", at=START + timedelta(hours=index)) for index in (0, 2, 4, 6)))
        first = graph.scan("Memory", order="at", limit=2)
        with graph.transaction() as tx:
            tx.save_nodes(
                [memory("m1", at=START + timedelta(hours=1)), memory("m5", at=START + timedelta(hours=5))]
            )
            tx.remove_nodes(refs("Memory", "m2"))
        second = graph.scan("Memory", order="at", limit=10, after=first.next)
        assert [record.id for record in second.records] == ["m4", "m5", "m6"]

    def test_a_page_carries_vectors_only_when_asked(
        self, graph: TenantGraph, vector: Callable[..., Vector]
    ) -> None:
        save(graph, memory("m1", vector=vector(1)), memory("m2"))
        assert [record.vector is None for record in graph.scan("Memory").records] == [True, True]
        carried = graph.scan("Memory", vectors=True).records
        assert carried[0].vector is not None
        assert np.array_equal(carried[0].vector, vector(1))
        assert carried[1].vector is None

    @pytest.mark.parametrize("limit", [0, -1, 10_001])
    def test_a_limit_out_of_bounds_is_refused(self, graph: TenantGraph, limit: int) -> None:
        with pytest.raises(InvalidInputError):
            graph.scan("Memory", limit=limit)

    @pytest.mark.parametrize("order", ["text", "nonsense", "--id", "", "id DESC"])
    def test_an_order_by_what_is_not_filterable_is_refused(self, graph: TenantGraph, order: str) -> None:
        with pytest.raises(InvalidInputError):
            graph.scan("Memory", order=order)

    @pytest.mark.parametrize(
        ("where", "expected"),
        [
            (Equals("kind", "fact"), ["m1", "m3"]),
            (Equals("kind", "Fact"), []),
            (Equals("id", "m2"), ["m2"]),
            (In("kind", ("lesson", "fact", "nothing")), ["m1", "m2", "m3"]),
            (In("id", ("m3", "m1")), ["m1", "m3"]),
            (In("kind", ()), []),
            (In("at", (START,)), ["m1"]),
            (Range("at", low=START + timedelta(seconds=1)), ["m2", "m3"]),
            (Range("at", high=START), ["m1"]),
            (Range("at", START, START + timedelta(hours=1)), ["m1", "m2"]),
            (Range("kind", "g", "m"), ["m2"]),
            (Range("id", "m2", "m3"), ["m2", "m3"]),
            (Missing("user_id"), ["m1", "m4"]),
            (Missing("kind"), ["m4"]),
            (And(()), ["m1", "m2", "m3", "m4"]),
            (And((Equals("kind", "fact"), Missing("user_id"))), ["m1"]),
            (And((And((Missing("kind"),)), And((And(()), Equals("id", "m4"))))), ["m4"]),
        ],
        ids=str,
    )
    def test_filters_choose(self, graph: TenantGraph, where: Filter, expected: list[str]) -> None:
        hours = [START + timedelta(hours=hour) for hour in range(3)]
        save(
            graph,
            memory("m1", at=hours[0]),
            memory("m2", kind="lesson", at=hours[1], user_id="ada"),
            memory("m3", at=hours[2], user_id="가나"),
            node("Memory", "m4"),
        )
        assert _ids(graph, "Memory", where) == expected
        assert graph.count("Memory", where) == len(expected)

    @pytest.mark.parametrize(
        ("name", "value"),
        [("index", 2), ("effective", False), ("episode", "e1"), ("key", "action 1"), ("created_at", START)],
    )
    def test_every_type_of_value_can_be_filtered(self, graph: TenantGraph, name: str, value: Scalar) -> None:
        wanted = NodeRecord(
            "Step",
            "wanted",
            {"index": 2, "effective": False, "episode": "e1", "key": "action 1", "created_at": START},
        )
        other = NodeRecord(
            "Step",
            "other",
            {
                "index": 3,
                "effective": True,
                "episode": "e2",
                "key": "action",
                "created_at": START + timedelta(seconds=1),
            },
        )
        save(graph, wanted, other)
        assert _ids(graph, "Step", Equals(name, value)) == ["wanted"]
        assert _ids(graph, "Step", In(name, (value,))) == ["wanted"]

    def test_a_filter_and_an_order_page_together(self, graph: TenantGraph) -> None:
        save(
            graph,
            *(
                memory(f"m{i}", kind="fact" if i % 2 else "lesson", at=START + timedelta(hours=i))
                for i in range(6)
            ),
        )
        where = Equals("kind", "fact")
        first = graph.scan("Memory", where, order="-at", limit=2)
        second = graph.scan("Memory", where, order="-at", limit=2, after=first.next)
        assert [node.id for node in (*first.records, *second.records)] == ["m5", "m3", "m1"]
        assert second.next is None

    @pytest.mark.parametrize(
        "value", ["' OR 1=1 --", '"}) MATCH (n) DETACH DELETE n //', "%", "$x", "\\", "가'나"]
    )
    def test_values_are_data(self, graph: TenantGraph, value: str) -> None:
        save(graph, concept("c1", key=value), concept("c2"))
        assert _ids(graph, "Concept", Equals("key", value)) == ["c1"]
        assert _ids(graph, "Concept", In("key", (value,))) == ["c1"]

    @pytest.mark.parametrize(
        "where",
        [
            Equals("text", "x"),
            Equals("nonsense", 1),
            Equals("at", "yesterday"),
            And((Missing("why"),)),
            In("kind", (3,)),
            Range("at", high=START.replace(tzinfo=None)),
        ],
        ids=str,
    )
    def test_a_filter_that_the_schema_does_not_allow_is_refused(self, graph: TenantGraph, where: Filter) -> None:
        for call in (graph.scan, graph.count):
            with pytest.raises(InvalidInputError):
                call("Memory", where)

    def test_an_unknown_label_is_refused(self, graph: TenantGraph) -> None:
        for call in (graph.scan, graph.count):
            with pytest.raises(InvalidInputError):
                call("Nonsense")

    def test_counts_follow_writes(self, graph: TenantGraph) -> None:
        with graph.transaction() as tx:
            tx.save_trees([tree("e1", steps=3), tree("e2", steps=0)])
        assert [graph.count(label) for label in ("Episode", "Step", "Memory")] == [2, 3, 0]
        with graph.transaction() as tx:
            tx.save_trees([tree("e1", steps=1, content_hash="hash-2")], replace=True)
        assert graph.count("Step") == 1
