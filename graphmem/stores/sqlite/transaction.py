"""The writes of one tenant: checks what is given, then calls the modules that write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from graphmem.errors import InvalidInputError
from graphmem.graph.records import Direction, EdgeRecord, NodeRecord, NodeRef, Saved, Tree, Value
from graphmem.graph.validation import check_edge, check_node, check_tree, check_types, node_type
from graphmem.stores.sqlite import saving
from graphmem.stores.sqlite.edges import read_edges, remove_edges, write_edges
from graphmem.stores.sqlite.nodes import read_nodes, update_nodes
from graphmem.stores.sqlite.state import WriteState


class SqliteTransaction:
    """Implements `graphmem.ports.graph_store.Transaction`."""

    def __init__(self, state: WriteState) -> None:
        self._state = state

    def get(self, refs: Iterable[NodeRef]) -> dict[NodeRef, NodeRecord]:  # noqa: D102 (the port says it)
        keys = self._state.find_keys(refs)
        records = read_nodes(self._state.session, list(keys.values()))
        return {ref: records[key] for ref, key in keys.items()}

    def edges(  # noqa: D102 (the port says it)
        self, refs: Iterable[NodeRef], types: Iterable[str] | None = None, direction: Direction = "out"
    ) -> list[EdgeRecord]:
        names = check_types(types)
        return read_edges(self._state.session, list(self._state.find_keys(refs).values()), names, direction)

    def save_trees(self, trees: Sequence[Tree], *, replace: bool = False) -> Saved:  # noqa: D102 (the port says it)
        for tree in trees:
            check_tree(tree)
        return saving.save_trees(self._state, trees, replace=replace)

    def save_nodes(  # noqa: D102 (the port says it)
        self,
        records: Sequence[NodeRecord],
        *,
        expected: Mapping[NodeRef, str] | None = None,
        replace: bool = True,
    ) -> Saved:
        for record in records:
            check_node(record)
        return saving.save_nodes(self._state, records, expected=expected, replace=replace)

    def save_edges(self, records: Sequence[EdgeRecord]) -> int:  # noqa: D102 (the port says it)
        for record in records:
            check_edge(record)
        return write_edges(self._state, records)

    def set_properties(  # noqa: D102 (the port says it)
        self, label: str, rows: Sequence[tuple[str, Mapping[str, object]]]
    ) -> int:
        refs = {NodeRef(label, node_id): None for node_id, _ in rows}
        for node_id, changes in rows:
            _check_changes(label, node_id, changes)
        stored = self.get(refs)
        for node_id, changes in rows:
            ref = NodeRef(label, node_id)
            if ref in stored:
                stored[ref] = _with_changes(stored[ref], changes)
        update_nodes(self._state, list(stored.values()), keep_next_vectors=True)
        return len(stored)

    def remove_nodes(self, refs: Iterable[NodeRef]) -> int:  # noqa: D102 (the port says it)
        return saving.remove_nodes(self._state, refs)

    def remove_edges(self, records: Iterable[EdgeRecord]) -> int:  # noqa: D102 (the port says it)
        given = list(records)
        for record in given:
            check_edge(record)
        return remove_edges(self._state, given)


def _check_changes(label: str, node_id: str, changes: Mapping[str, object]) -> None:
    declared = node_type(label).properties
    if "content_hash" in changes:
        raise InvalidInputError("content_hash is not bookkeeping: save the node to change its content")
    for name in changes:
        if name not in declared:
            raise InvalidInputError(f"{label} {node_id!r}: the schema has no property {name!r}")
    set_to = {name: value for name, value in changes.items() if value is not None}
    check_node(NodeRecord(label, node_id, set_to))  # type: ignore[arg-type]  # the check is what finds out


def _with_changes(record: NodeRecord, changes: Mapping[str, object]) -> NodeRecord:
    properties: dict[str, Value] = dict(record.properties)
    for name, value in changes.items():
        if value is None:
            properties.pop(name, None)
        else:
            properties[name] = value  # type: ignore[assignment]  # checked against the schema
    return NodeRecord(record.label, record.id, properties)
