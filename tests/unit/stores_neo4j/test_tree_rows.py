"""Trees as the rows of a statement: places agree, batches are bounded and in one order."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from graphmem.graph.records import EdgeRecord, NodeRef, Tree
from graphmem.graph.schema import NODE_TYPES
from graphmem.stores.neo4j import trees
from graphmem.stores.neo4j.trees import OWNED, TreeBatch, batches
from graphmem.stores.neo4j.values import VectorCodec
from graphmem.testing.builders import edge, tree


def begin() -> TreeBatch:
    return TreeBatch("t", "embedding", VectorCodec(4, packed=False))


def edges_of(batch: TreeBatch, given: Tree) -> set[tuple[str, NodeRef, NodeRef]]:
    """The edges that the server would make of a row, read back from places."""
    (row,) = [row for row in batch.rows if row["id"] == given.root.id]
    ends = [given.root.ref]
    ends += [NodeRef(label, values[0]) for label, name in OWNED.items() for values in row[name]]
    targets = batch.parameters["targets"]
    shared = {place: NodeRef(label, node_id) for label, named in targets.items() for place, node_id in named}
    found = set()
    for name, others in (("inner", dict(enumerate(ends))), ("outer", shared)):
        for kind, _, places in row[name]:
            found |= {(kind, ends[a], others[b]) for a, b in zip(places[::2], places[1::2], strict=True)}
    return found


def test_every_edge_keeps_its_ends() -> None:
    tool, session = NodeRef("Tool", "http"), NodeRef("Session", "s")
    given = tree("e1", steps=3, findings=["환불 실패", "timeout"])
    step = given.nodes[0].ref
    more = (
        edge("USED", step, tool),
        edge("OF_SESSION", given.root.ref, session),
        edge("USED", given.nodes[1].ref, tool),
    )
    given = replace(given, edges=(*given.edges, *more))
    batch = begin()
    batch.add(given, None)
    assert edges_of(batch, given) == {(one.type, one.source, one.target) for one in given.edges}
    assert sorted(batch.shared) == [("Session", "s"), ("Tool", "http")]


def test_an_edge_to_another_root_is_left_for_later() -> None:
    follows = EdgeRecord("FOLLOWED_BY", NodeRef("Episode", "e1"), NodeRef("Episode", "e2"))
    batch = begin()
    batch.add(replace(tree("e1"), edges=(follows,)), None)
    assert batch.later == [follows]


def test_values_of_an_owned_node_stand_in_the_order_of_the_schema() -> None:
    batch = begin()
    given = tree("e1", steps=1)
    batch.add(given, None)
    (values,) = batch.rows[0]["steps"]
    named = dict(zip(["id", *NODE_TYPES["Step"].properties], values, strict=True))
    assert named["id"] == given.nodes[0].id
    assert named["episode"] == "e1"
    assert named["index"] == 0
    assert named["reasoning"] is None


def test_a_created_at_that_stays_takes_the_place_of_the_given_one() -> None:
    kept = datetime(2020, 1, 1, tzinfo=UTC)
    batch = begin()
    batch.add(tree("e1"), kept)
    seconds, _ = batch.parameters["times"][batch.rows[0]["properties"]["created_at"]]
    assert seconds == kept.timestamp()


def test_batches_are_bounded_by_rows_and_bytes_and_sorted_by_id() -> None:
    many = [tree(f"e{number:04}", steps=0) for number in range(trees.MAX_ROWS + 10)]
    found = batches(list(reversed(many)), begin, {})
    assert [len(batch.rows) for batch in found] == [trees.MAX_ROWS, 10]
    ids = [row["id"] for batch in found for row in batch.rows]
    assert ids == sorted(ids)
    large = [tree(f"e{number}", steps=0, summary="x" * (trees.MAX_BYTES // 2)) for number in range(5)]
    assert [len(batch.rows) for batch in batches(large, begin, {})] == [2, 2, 1]
