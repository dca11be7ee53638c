"""Copies tenants from one store to another over the port, vectors included.

Killed and run again it goes on: what the target holds with the same content is left alone. Nothing of the
target is removed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphmem.errors import SchemaError, StoreMissingError
from graphmem.graph.records import EdgeRecord, NodeRecord, Saved
from graphmem.graph.schema import NODE_TYPES
from graphmem.ports.embedder import EmbedderSpec
from graphmem.ports.graph_store import GraphStore, TenantGraph, Transaction
from graphmem.ports.noted_graph import NotedGraph
from graphmem.transfer.snapshot import Part, snapshot

Progress = Callable[[int], None]
"""Called after each batch with the number of nodes and edges in it."""


@dataclass(frozen=True, slots=True)
class CopyReport:
    """What a copy ended with."""

    tenants: tuple[str, ...]
    """Names of the tenants that were copied."""
    counts: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Nodes by label: in the source, in the target."""

    @property
    def complete(self) -> bool:
        """Whether both sides hold as much of every label."""
        return all(source == target for source, target in self.counts.values())

    def to_dict(self) -> dict[str, Any]:
        """The JSON document that the command prints."""
        return {
            "tenants": list(self.tenants),
            "counts": {label: {"from": source, "to": target} for label, (source, target) in self.counts.items()},
            "complete": self.complete,
        }


def copy_store(
    source: GraphStore,
    target: GraphStore,
    tenants: Iterable[str] | None = None,
    *,
    progress: Progress | None = None,
) -> CopyReport:
    """Copy tenants with all their nodes, edges and vectors.

    Args:
        source: Where to read; it is not written to.
        target: Where to write, opened for the source's embedder. Other content under the same id is
            replaced.
        tenants: Names; None: all of them.
        progress: Told how far it is.

    Returns:
        Counts on both sides; they differ when the target held more before, or others wrote meanwhile.

    Raises:
        SchemaError: The stores hold vectors of different embedders.
        StoreError: A store failed; run it again to go on.
    """
    names = source.tenants() if tenants is None else tuple(tenants)
    _check_embedders(source, target)
    for name in names:
        _copy_tenant(source.tenant(name), NotedGraph(target.tenant(name)), progress)
    counts = {}
    for label in NODE_TYPES:
        both = tuple(sum(store.tenant(name).count(label) for name in names) for store in (source, target))
        if any(both):
            counts[label] = (both[0], both[1])
    return CopyReport(names, counts)


def _check_embedders(source: GraphStore, target: GraphStore) -> None:
    theirs, ours = source.info().embedder, _embedder_of(target)
    if theirs is not None and ours is not None and theirs != ours:
        raise SchemaError(
            f"the source holds vectors of {theirs.name} ({theirs.dimension}), the target of {ours.name} "
            f"({ours.dimension}): run `graphmem schema reembed` on one of them first, or copy to an empty store"
        )


def _embedder_of(target: GraphStore) -> EmbedderSpec | None:
    """Whose vectors the target holds; none where the copy will be its first write."""
    try:
        return target.info().embedder
    except StoreMissingError:
        return None


def _copy_tenant(source: TenantGraph, target: TenantGraph, progress: Progress | None) -> None:
    for part in snapshot(source):
        with target.transaction() as transaction:
            _write(transaction, part)
        if progress is not None:
            progress(len(part.nodes) + sum(1 + len(tree.nodes) for tree in part.trees) + len(part.edges))


def _write(transaction: Transaction, part: Part) -> None:
    if part.nodes:
        _follow(transaction, part.nodes, transaction.save_nodes(part.nodes, replace=True))
    if part.trees:
        roots = [tree.root for tree in part.trees]
        _follow(transaction, roots, transaction.save_trees(part.trees, replace=True))
    if part.edges:
        transaction.save_edges(_with_both_ends(transaction, part.edges))


def _follow(transaction: Transaction, records: Sequence[NodeRecord], saved: Saved) -> None:
    """Bring bookkeeping of the source that is no content (outcomes, retirements) to nodes that were there."""
    stored = transaction.get(saved.unchanged) if saved.unchanged else {}
    for record in records:
        known = stored.get(record.ref)
        if known is not None and known.properties != record.properties:
            names = {*known.properties, *record.properties} - {"content_hash"}
            theirs = {name: record.properties.get(name) for name in names}
            changes = {name: value for name, value in theirs.items() if value != known.properties.get(name)}
            transaction.set_properties(record.label, [(record.id, changes)])


def _with_both_ends(transaction: Transaction, edges: Iterable[EdgeRecord]) -> list[EdgeRecord]:
    """Edges whose ends were copied: what was written to the source meanwhile comes with the next copy."""
    given = list(edges)
    stored = transaction.get({ref for edge in given for ref in (edge.source, edge.target)})
    return [edge for edge in given if edge.source in stored and edge.target in stored]
