"""Contract: random operations give the answers of the reference model, whatever their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from graphmem.errors import ConflictError
from graphmem.graph.records import (
    PLACEHOLDER,
    And,
    EdgeRecord,
    Equals,
    Filter,
    In,
    Missing,
    NodeRecord,
    NodeRef,
    Range,
    Saved,
    Vector,
)
from graphmem.ports.graph_store import GraphStore, TenantGraph
from graphmem.testing import builders
from graphmem.testing.builders import concept, edge, memory, tree
from graphmem.testing.clock import START
from graphmem.testing.reference import ReferenceGraph
from graphmem.testing.store.fixtures import StoreFixtures

LABELS = ("Concept", "Memory", "Episode", "Step", "Finding")
WORDS = ("refund", "order", "환불", "배송", "교환", "a1")
TIMES = tuple(START + timedelta(hours=hour) for hour in range(3))
DIRECTIONS: tuple[Any, ...] = ("out", "in", "both")
COMPONENTS = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 1.0, 0.0), (0.0, 0.0, 2.0), (-1.0, 0.0, 0.0))
QUERY = (0.9, 0.4, 0.2)
"""Its cosines to `COMPONENTS` all differ, so no rounding decides an order."""


@dataclass(frozen=True)
class Operation:
    """A call on a transaction, by name; both sides get the same arguments."""

    name: str
    arguments: tuple[Any, ...]
    options: tuple[tuple[str, Any], ...] = ()

    def on(self, target: Any) -> Any:
        """Make the call."""
        return getattr(target, self.name)(*self.arguments, **dict(self.options))


_ids = st.sampled_from(["0", "나"])
_hashes = st.sampled_from([PLACEHOLDER, "hash-1", "hash-2"])
_texts = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
_users = st.sampled_from([None, "ada", "가람"])
_concept_refs = _ids.map(lambda name: NodeRef("Concept", f"c{name}"))
_memory_refs = _ids.map(lambda name: NodeRef("Memory", f"m{name}"))
_episode_refs = _ids.map(lambda name: NodeRef("Episode", f"e{name}"))
_step_refs = st.builds(lambda name, step: NodeRef("Step", f"e{name}/{step}"), _ids, st.integers(0, 2))
_any_ref = st.one_of(_concept_refs, _memory_refs, _episode_refs, _step_refs)


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


@st.composite
def _nodes(draw: st.DrawFn, dimension: int) -> NodeRecord:
    content_hash = draw(_hashes)
    vector: Vector | None = None
    if content_hash != PLACEHOLDER:
        vector = draw(st.none() | _vectors(dimension))
    values = _given(user_id=draw(_users), created_at=draw(st.sampled_from(TIMES)))
    if draw(st.booleans()):
        ref, level = draw(_concept_refs), draw(st.none() | st.integers(-1, 2))
        values |= _given(abstraction_level=level)
        return concept(ref.id, draw(_texts), content_hash=content_hash, vector=vector, **values)
    values |= _given(at=draw(st.none() | st.sampled_from(TIMES)), kind=draw(st.sampled_from(["fact", "lesson"])))
    return memory(draw(_memory_refs).id, draw(_texts), content_hash=content_hash, vector=vector, **values)


def _vectors(dimension: int) -> st.SearchStrategy[Vector]:
    return st.sampled_from(COMPONENTS).map(lambda components: builders.vector(dimension, *components))


def _distinct(records: Sequence[NodeRecord]) -> list[NodeRecord]:
    return list({record.ref: record for record in records}.values())


@st.composite
def _trees(draw: st.DrawFn, dimension: int) -> Any:
    return tree(
        draw(_episode_refs).id,
        steps=draw(st.integers(0, 2)),
        findings=draw(st.sampled_from([(), ("timeout",), ("timeout", "풀")])),
        concepts=draw(st.just([]) | st.lists(_concept_refs, max_size=1)),
        content_hash=draw(st.sampled_from(["hash-1", "hash-2"])),
        created_at=draw(st.sampled_from(TIMES)),
        vector=draw(st.none() | _vectors(dimension)),
        **_given(goal=draw(_texts), user_id=draw(_users)),
    )


@st.composite
def _edges(draw: st.DrawFn) -> EdgeRecord:
    type_, source, target = draw(
        st.one_of(
            st.tuples(st.sampled_from(["IS_A", "SIMILAR_TO"]), _concept_refs, _concept_refs),
            st.tuples(st.just("ABOUT"), st.one_of(_memory_refs, _step_refs), _concept_refs),
            st.tuples(st.just("SUPERSEDES"), _memory_refs, _memory_refs),
            st.tuples(st.just("DERIVED_FROM"), _memory_refs, _episode_refs),
            st.tuples(st.just("FOLLOWED_BY"), _episode_refs, _episode_refs),
        )
    )
    return edge(type_, source, target, **_given(weight=draw(st.sampled_from([None, 0.5, 1.0]))))


@st.composite
def _changes(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    values = st.fixed_dictionaries(
        {},
        optional={
            "superseded_at": st.none() | st.sampled_from(TIMES),
            "why": st.none() | st.sampled_from(["because", "왜냐하면"]),
            "kind": st.sampled_from(["fact", "lesson"]),
        },
    )
    return draw(_memory_refs).id, draw(values)


def _sequences(dimension: int) -> st.SearchStrategy[list[Operation]]:
    """Operations in a row: half of the time of all kinds, else such as change a few trees over and over."""
    nodes = st.lists(_nodes(dimension), min_size=1, max_size=4).map(_distinct)
    trees = st.lists(_trees(dimension), min_size=1, max_size=2, unique_by=lambda one: one.root.id)
    replacing = st.booleans().map(lambda replace: (("replace", replace),))
    expecting = st.dictionaries(_concept_refs | _memory_refs, _hashes, max_size=1).map(
        lambda expected: (("expected", expected),)
    )
    saving_nodes = st.builds(lambda n, o: Operation("save_nodes", (n,), o), nodes, replacing | expecting)
    saving_trees = st.builds(lambda t, o: Operation("save_trees", (t,), o), trees, replacing)
    saving_edges = st.lists(_edges(), min_size=1, max_size=3).map(lambda e: Operation("save_edges", (e,)))
    others = st.one_of(
        st.lists(_changes(), min_size=1, max_size=2).map(lambda c: Operation("set_properties", ("Memory", c))),
        st.lists(_any_ref, min_size=1, max_size=2).map(lambda r: Operation("remove_nodes", (r,))),
        st.lists(_edges(), min_size=1, max_size=2).map(lambda e: Operation("remove_edges", (e,))),
        _users.map(lambda user: Operation("erase", (user,))),
    )
    # what trees and edges may end at
    shared = Operation("save_nodes", ([concept("c0"), concept("c나"), memory("m0"), memory("m나")],))
    mixed = st.lists(saving_nodes | saving_trees | saving_edges | others, min_size=3, max_size=10)
    woody = st.lists(saving_trees | saving_trees | saving_edges, min_size=4, max_size=10)
    return mixed | woody.map(lambda operations: [shared, *operations])


_FILTERS: dict[str, tuple[Filter | None, ...]] = {
    "Memory": (
        None,
        Equals("kind", "fact"),
        In("user_id", ("가람", "nobody")),
        Missing("superseded_at"),
        And((Range("at", low=TIMES[1]), Missing("user_id"))),
    ),
    "Concept": (None, Range("abstraction_level", 0, 1), Missing("abstraction_level"), Equals("id", "c나")),
    "Episode": (None, Equals("user_id", "ada")),
    "Step": (None, In("episode", ("e0", "e나")), Range("index", low=1)),
    "Finding": (None, Equals("key", "풀")),
}
_ORDERS = {"Memory": ("id", "-at", "kind"), "Concept": ("-id", "abstraction_level"), "Step": ("-index",)}


class OperationContract(StoreFixtures):
    """A store and the reference model, side by side."""

    examples = 30
    """How many sequences are tried; a store that answers slowly may lower it."""

    @pytest.fixture
    def run_examples(self, store: GraphStore, new_tenant: Callable[[], str], spec: Any) -> Callable[[int], None]:
        """Runs the comparison so many times, each on a tenant of its own."""

        def run(examples: int) -> None:
            steps = _sequences(spec.dimension)

            @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck), database=None)
            @given(steps)
            def compare(operations: list[Operation]) -> None:
                _compare(store.tenant(new_tenant()), operations, spec.dimension)

            compare()

        return run

    def test_random_operations_give_the_answers_of_the_reference(
        self, run_examples: Callable[[int], None]
    ) -> None:
        run_examples(self.examples)


def _compare(graph: TenantGraph, operations: list[Operation], dimension: int) -> None:
    reference = ReferenceGraph()
    for operation in operations:
        note(repr(operation))
        following = reference.copy()
        wanted = _outcome(lambda operation=operation, following=following: operation.on(following))  # type: ignore[misc]  # defaults bind the loop's values
        found = _outcome(lambda operation=operation: _run(graph, operation))  # type: ignore[misc]  # as above
        assert found == wanted
        if wanted is not ConflictError:
            reference = following
    _compare_answers(graph, reference, dimension)


def _outcome(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except ConflictError:
        return ConflictError


def _run(graph: TenantGraph, operation: Operation) -> Any:
    if operation.name == "erase":
        return operation.on(graph)
    with graph.transaction() as tx:
        result: Saved | int = operation.on(tx)
    return result


def _plain(record: NodeRecord) -> tuple[Any, ...]:
    vector = None if record.vector is None else record.vector.tolist()
    return record.label, record.id, dict(record.properties), vector


def _compare_answers(graph: TenantGraph, reference: ReferenceGraph, dimension: int) -> None:
    everything = list(reference.nodes)
    found = graph.get(everything, vectors=True)
    assert {ref: _plain(node) for ref, node in found.items()} == {
        ref: _plain(node) for ref, node in reference.nodes.items()
    }
    for label in LABELS:
        _compare_pages(graph, reference, label)
    for direction in DIRECTIONS:
        assert graph.edges(everything, None, direction) == reference.edges(everything, None, direction)
        starts = everything[:2]
        for depth, limit in ((1, 1000), (3, 1000), (2, 3)):
            one = graph.expand(starts, None, direction, depth=depth, limit=limit)
            other = reference.expand(starts, None, direction, depth=depth, limit=limit)
            assert [_plain(node) for node in one.nodes] == [_plain(node) for node in other.nodes]
            assert (one.edges, one.truncated) == (other.edges, other.truncated)
    for labels, tokens in ((["Memory"], ["refund", "환불"]), (["Memory", "Concept", "Episode"], list(WORDS))):
        where = {label: _FILTERS[label][1] for label in labels[:1]}
        for chosen in ({}, where):
            _same_hits(graph.search(labels, tokens, chosen), reference.search(labels, tokens, chosen))  # type: ignore[arg-type]  # the first filter is one
    query = builders.vector(dimension, *QUERY)
    for label in ("Memory", "Concept", "Episode"):
        for part in _FILTERS[label]:
            _same_hits(graph.nearest(label, query, part, limit=2), reference.nearest(label, query, part, limit=2))


def _compare_pages(graph: TenantGraph, reference: ReferenceGraph, label: str) -> None:
    for where in _FILTERS[label]:
        assert graph.count(label, where) == reference.count(label, where)
        for order in _ORDERS.get(label, ("id",)):
            after = None
            while True:
                one = graph.scan(label, where, order=order, after=after, limit=2, vectors=True)
                other = reference.scan(label, where, order=order, after=after, limit=2, vectors=True)
                assert [_plain(node) for node in one.records] == [_plain(node) for node in other.records]
                assert one.next == other.next
                if other.next is None:
                    break
                after = other.next


def _same_hits(found: Sequence[Any], wanted: Sequence[Any]) -> None:
    assert [_plain(hit.record) for hit in found] == [_plain(hit.record) for hit in wanted]
    assert [hit.score for hit in found] == pytest.approx([hit.score for hit in wanted], abs=1e-5)
