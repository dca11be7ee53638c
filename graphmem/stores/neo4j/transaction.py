"""The writes of one tenant: checks what is given, then calls the modules that write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from graphmem.errors import InvalidInputError
from graphmem.graph.records import Direction, EdgeRecord, NodeRecord, NodeRef, Saved, Tree
from graphmem.graph.validation import check_edge, check_node, check_tree, check_types, node_type
from graphmem.stores.neo4j import edges, reading, saving
from graphmem.stores.neo4j.writing import WriteContext


class Neo4jTransaction:
    """Implements `graphmem.ports.graph_store.Transaction`."""

    def __init__(self, context: WriteContext) -> None:
        self._context = context

    def get(self, refs: Iterable[NodeRef]) -> dict[NodeRef, NodeRecord]:  # noqa: D102 (the port says it)
        return reading.get_nodes(self._context.run, refs)

    def edges(  # noqa: D102 (the port says it)
        self, refs: Iterable[NodeRef], types: Iterable[str] | None = None, direction: Direction = "out"
    ) -> list[EdgeRecord]:
        return reading.get_edges(self._context.run, refs, check_types(types), direction)

    def save_trees(self, trees: Sequence[Tree], *, replace: bool = False) -> Saved:  # noqa: D102 (the port says it)
        for tree in trees:
            check_tree(tree)
        return saving.save_trees(self._context, trees, replace=replace)

    def save_nodes(  # noqa: D102 (the port says it)
        self,
        records: Sequence[NodeRecord],
        *,
        expected: Mapping[NodeRef, str] | None = None,
        replace: bool = True,
    ) -> Saved:
        for record in records:
            check_node(record)
        return saving.save_nodes(self._context, records, expected=expected, replace=replace)

    def save_edges(self, records: Sequence[EdgeRecord]) -> int:  # noqa: D102 (the port says it)
        for record in records:
            check_edge(record)
        return edges.save_edges(self._context, records)

    def set_properties(  # noqa: D102 (the port says it)
        self, label: str, rows: Sequence[tuple[str, Mapping[str, object]]]
    ) -> int:
        for node_id, changes in rows:
            _check_changes(label, node_id, changes)
        return saving.set_properties(self._context, label, rows)

    def remove_nodes(self, refs: Iterable[NodeRef]) -> int:  # noqa: D102 (the port says it)
        found, _ = saving.remove_nodes(self._context, refs)
        return found

    def remove_edges(self, records: Iterable[EdgeRecord]) -> int:  # noqa: D102 (the port says it)
        given = list(records)
        for record in given:
            check_edge(record)
        return edges.remove_edges(self._context, given)


def _check_changes(label: str, node_id: str, changes: Mapping[str, object]) -> None:
    declared = node_type(label).properties
    if "content_hash" in changes:
        raise InvalidInputError("content_hash is not bookkeeping: save the node to change its content")
    for name in changes:
        if name not in declared:
            raise InvalidInputError(f"{label} {node_id!r}: the schema has no property {name!r}")
    set_to = {name: value for name, value in changes.items() if value is not None}
    check_node(NodeRecord(label, node_id, set_to))  # type: ignore[arg-type]  # the check is what finds out
