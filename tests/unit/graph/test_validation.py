"""The closed schema: what no store ever sees."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from graphmem.errors import InvalidInputError
from graphmem.graph.records import And, EdgeRecord, Equals, Filter, In, Missing, NodeRecord, NodeRef, Range, Tree
from graphmem.graph.schema import EDGE_TYPES, EMBEDDED, NODE_TYPES, SEARCHABLE
from graphmem.graph.validation import check_edge, check_filter, check_node, check_order, check_tree, check_types

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_a_label_property_or_type_outside_the_schema_is_refused() -> None:
    for record in (
        NodeRecord("Thing", "x", {}),
        NodeRecord("Tool", "x", {"colour": "red"}),
        NodeRecord("Tool", "x", {"name": 3}),
        NodeRecord("Tool", "", {"name": "x"}),
        NodeRecord("Tool", "x" * 701, {"name": "x"}),
        NodeRecord("Tool", "x", {}, np.zeros(3, np.float32)),
    ):
        with pytest.raises(InvalidInputError):
            check_node(record)
    check_node(NodeRecord("Tool", "x", {"name": "엑스", "created_at": NOON}))


def test_an_edge_may_only_join_what_its_type_joins() -> None:
    step, tool = NodeRef("Step", "e/0"), NodeRef("Tool", "http")
    check_edge(EdgeRecord("USED", step, tool, {"created_at": NOON}))
    for edge in (
        EdgeRecord("USED", tool, step),
        EdgeRecord("OWNS", step, tool),
        EdgeRecord("USED", step, tool, {"colour": "red"}),
    ):
        with pytest.raises(InvalidInputError):
            check_edge(edge)


def test_a_tree_holds_only_its_own() -> None:
    root = NodeRecord("Episode", "e", {"goal": "g"})
    with pytest.raises(InvalidInputError, match="cannot own"):
        check_tree(Tree(root, (NodeRecord("Tool", "t", {}),)))
    foreign = EdgeRecord("HAS_STEP", NodeRef("Episode", "other"), NodeRef("Step", "e/0"))
    with pytest.raises(InvalidInputError, match="outside the tree"):
        check_tree(Tree(root, (), (foreign,)))


@pytest.mark.parametrize(
    "where",
    [
        Equals("goal", "x"),
        Equals("started_at", "2026"),
        In("state", ("open", 3)),
        Range("started_at", datetime(2026, 1, 1)),  # noqa: DTZ001 (naive is what is refused)
        Missing("nothing"),
        And((Equals("state", "open"), Missing("summary"))),
    ],
)
def test_a_filter_names_filterable_properties_with_values_of_their_type(where: Filter) -> None:
    with pytest.raises(InvalidInputError):
        check_filter("Episode", where)


def test_allowed_filters_and_orders_pass() -> None:
    check_filter("Episode", None)
    check_filter(
        "Episode", And((Equals("id", "e"), In("outcome", ()), Range("started_at", NOON, None), Missing("task")))
    )
    assert check_order("Episode", "-started_at") == ("started_at", True)
    assert check_order("Tool", "id") == ("id", False)
    with pytest.raises(InvalidInputError):
        check_order("Episode", "goal")


def test_types_are_all_of_them_or_known_ones() -> None:
    assert check_types(None) == tuple(EDGE_TYPES)
    assert check_types(["NEXT"]) == ("NEXT",)
    with pytest.raises(InvalidInputError):
        check_types(["NEXT]->() DETACH DELETE (n"])


def test_every_edge_joins_labels_of_the_schema() -> None:
    for edge_type in EDGE_TYPES.values():
        for source, target in edge_type.ends:
            assert {source, target} <= NODE_TYPES.keys()


def test_what_is_embedded_is_searchable() -> None:
    assert set(EMBEDDED) <= set(SEARCHABLE)
