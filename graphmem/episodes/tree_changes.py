"""What changes in the store when an open episode becomes another one: pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Tree, Value
from graphmem.ports.graph_store import Transaction


@dataclass(frozen=True, slots=True)
class TreeChanges:
    """The difference between two trees of one episode, its root aside."""

    added: tuple[NodeRecord, ...]
    changed: tuple[tuple[NodeRef, Mapping[str, Value | None]], ...]
    """Properties to set; None removes one."""
    removed: tuple[NodeRef, ...]
    linked: tuple[EdgeRecord, ...]
    unlinked: tuple[EdgeRecord, ...]


def tree_changes(before: Tree, after: Tree) -> TreeChanges:
    """What to write so that a stored tree becomes another one."""
    old, new = ({node.ref: node for node in tree.nodes} for tree in (before, after))
    old_edges, new_edges = (
        {(edge.type, edge.source, edge.target): edge for edge in tree.edges} for tree in (before, after)
    )
    kept = old.keys() & new.keys()
    return TreeChanges(
        added=tuple(node for ref, node in new.items() if ref not in old),
        changed=tuple(
            (ref, _changes(old[ref], new[ref]))
            for ref in new
            if ref in kept and old[ref].properties != new[ref].properties
        ),
        removed=tuple(ref for ref in old if ref not in new),
        linked=tuple(edge for key, edge in new_edges.items() if key not in old_edges),
        # edges of nodes that go, go with them, and removing them twice is harmless
        unlinked=tuple(edge for key, edge in old_edges.items() if key not in new_edges),
    )


def _changes(old: NodeRecord, new: NodeRecord) -> dict[str, Value | None]:
    changes: dict[str, Value | None] = dict.fromkeys(old.properties.keys() - new.properties.keys())
    changes.update((name, value) for name, value in new.properties.items() if old.properties.get(name) != value)
    return changes


def write_changes(transaction: Transaction, changes: TreeChanges) -> None:
    """Apply them; nodes that edges end at are there already."""
    if changes.unlinked:
        transaction.remove_edges(changes.unlinked)
    if changes.removed:
        transaction.remove_nodes(changes.removed)
    if changes.added:
        transaction.save_nodes(changes.added)
    for ref, properties in changes.changed:
        transaction.set_properties(ref.label, [(ref.id, properties)])
    if changes.linked:
        transaction.save_edges(changes.linked)
