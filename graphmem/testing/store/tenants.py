"""Contract: nothing crosses from one tenant to another; erasing takes everything of one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graphmem.errors import ConflictError, InvalidInputError
from graphmem.graph.records import EdgeRecord, NodeRef, Vector
from graphmem.graph.schema import NODE_TYPES
from graphmem.ports.graph_store import GraphStore, TenantGraph
from graphmem.testing.builders import concept, edge, memory, refs, tree
from graphmem.testing.store.fixtures import StoreFixtures, save

HOSTILE_NAMES = [
    "a'--",
    'a"b',
    "a`b",
    "t1l4",
    "tenant:*",
    "$tenant",
    "a\\",
    "(a)",
    "a%b_c",
    "가나다",
    "*",
    "OR",
    "-",
    "~1",
]


def _fill(graph: TenantGraph, vector: Vector) -> None:
    save(graph, concept("c"), concept("d"), memory("m", "secret refund", user_id="ada", vector=vector))
    with graph.transaction() as tx:
        tx.save_trees([tree("e", findings=["f"], concepts=refs("Concept", "c"), user_id="ada", vector=vector)])
        tx.save_edges([edge("ABOUT", NodeRef("Memory", "m"), NodeRef("Concept", "c"))])


def _answers(graph: TenantGraph, vector: Vector) -> list[object]:
    everything = [NodeRef(label, name) for label in NODE_TYPES for name in ("c", "d", "e", "m", "e/0", "e/f")]
    return [
        {ref: dict(found.properties) for ref, found in graph.get(everything, vectors=True).items()},
        {label: graph.count(label) for label in NODE_TYPES},
        [graph.scan(label).records for label in NODE_TYPES],
        graph.edges(everything, direction="both"),
        graph.expand(everything, depth=3),
        graph.nearest("Memory", vector),
        graph.nearest("Episode", vector),
        graph.search(["Memory", "Episode", "Concept"], ["secret", "refund", "goal"]),
        graph.missing_vectors("Concept"),
    ]


class TenantContract(StoreFixtures):
    """The wall between tenants, and `erase`."""

    @pytest.mark.parametrize("suffix", HOSTILE_NAMES)
    def test_a_tenant_sees_nothing_of_another(
        self,
        store: GraphStore,
        new_tenant: Callable[[], str],
        vector: Callable[..., Vector],
        suffix: str,
    ) -> None:
        name = new_tenant()
        one, other = store.tenant(name), store.tenant(name + suffix)
        _fill(one, vector(1))
        empty = _answers(store.tenant(new_tenant()), vector(1))
        assert _answers(other, vector(1)) == empty

    def test_writes_of_another_tenant_change_no_answer(
        self, store: GraphStore, graph: TenantGraph, new_tenant: Callable[[], str], vector: Callable[..., Vector]
    ) -> None:
        _fill(graph, vector(1))
        before, version = _answers(graph, vector(1)), graph.version()
        other = store.tenant(new_tenant())
        save(other, *(memory(f"x{index}", "secret refund goal refund", vector=vector(1)) for index in range(50)))
        _fill(other, vector(1))
        with other.transaction() as tx:
            tx.set_properties("Memory", [("m", {"why": "changed"})])
            tx.remove_nodes(refs("Episode", "e"))
        other.erase()
        assert _answers(graph, vector(1)) == before
        assert graph.version() == version

    def test_an_edge_cannot_end_in_another_tenant(
        self, store: GraphStore, graph: TenantGraph, new_tenant: Callable[[], str]
    ) -> None:
        other = store.tenant(new_tenant())
        save(graph, concept("a"))
        save(other, concept("b"))
        with pytest.raises(ConflictError), graph.transaction() as tx:
            tx.save_edges([EdgeRecord("IS_A", NodeRef("Concept", "a"), NodeRef("Concept", "b"))])

    def test_the_same_ids_live_in_each_tenant(
        self, store: GraphStore, graph: TenantGraph, new_tenant: Callable[[], str]
    ) -> None:
        other = store.tenant(new_tenant())
        save(graph, memory("m", "refund one"))
        assert save(other, memory("m", "refund two")).added == tuple(refs("Memory", "m"))
        assert [hit.record.properties["text"] for hit in graph.search(["Memory"], ["refund"])] == ["refund one"]

    def test_words_cannot_pose_as_another_tenant(
        self, store: GraphStore, graph: TenantGraph, new_tenant: Callable[[], str]
    ) -> None:
        other = store.tenant(new_tenant())
        save(graph, memory("m", "refund"))
        disguises = f"{graph.tenant} \u2060t1l8 \u2060t2l8 t1l8 tenant:{graph.tenant} refund"
        save(other, memory("x", search_text=disguises), memory("y", search_text=f'"{graph.tenant}" refund'))
        assert [hit.record.id for hit in graph.search(["Memory"], ["refund", graph.tenant, "\u2060t1l8"])] == ["m"]
        assert graph.search(["Memory"], [other.tenant]) == []

    @pytest.mark.parametrize("name", ["", "a b", "a/b", "..", "a\u202eb", "x" * 129, "{a}", "a\n", "e\u0301"])
    def test_a_name_that_is_no_id_is_refused(self, store: GraphStore, name: str) -> None:
        with pytest.raises(InvalidInputError):
            store.tenant(name)

    def test_tenants_that_hold_nodes_are_listed(self, store: GraphStore, new_tenant: Callable[[], str]) -> None:
        names = sorted(new_tenant() + suffix for suffix in ("가", "b", "A"))
        for name in reversed(names):
            save(store.tenant(name), concept("c"))
        empty = new_tenant()
        assert [name for name in store.tenants() if name in {*names, empty}] == names
        assert list(store.tenants()) == sorted(store.tenants())
        store.tenant(names[0]).erase()
        assert names[0] not in store.tenants()

    def test_erasing_a_tenant_takes_everything_and_says_how_much(
        self, store: GraphStore, graph: TenantGraph, new_tenant: Callable[[], str], vector: Callable[..., Vector]
    ) -> None:
        other = store.tenant(new_tenant())
        _fill(graph, vector(1))
        _fill(other, vector(1))
        kept = _answers(other, vector(1))
        assert graph.erase() == {"Concept": 2, "Episode": 1, "Finding": 1, "Memory": 1, "Step": 2}
        assert _answers(graph, vector(1)) == _answers(store.tenant(new_tenant()), vector(1))
        assert _answers(other, vector(1)) == kept
        assert graph.erase() == {}
        _fill(graph, vector(1))
        assert graph.count("Step") == 2
        assert [hit.record.id for hit in graph.nearest("Memory", vector(1))] == ["m"]

    def test_erasing_a_user_leaves_what_others_have(
        self, graph: TenantGraph, vector: Callable[..., Vector]
    ) -> None:
        _fill(graph, vector(1))
        save(graph, memory("b", "secret of another", user_id="bob", vector=vector(1)), memory("n", "of nobody"))
        assert graph.erase("ada") == {"Episode": 1, "Finding": 1, "Memory": 1, "Step": 2}
        assert [record.id for record in graph.scan("Memory").records] == ["b", "n"]
        assert graph.count("Concept") == 2
        assert graph.edges(refs("Concept", "c", "d"), direction="both") == []
        assert [hit.record.id for hit in graph.search(["Memory"], ["secret"])] == ["b"]
        assert [hit.record.id for hit in graph.nearest("Memory", vector(1))] == ["b"]
        assert graph.erase("ada") == graph.erase("nobody' OR 1=1 --") == {}
