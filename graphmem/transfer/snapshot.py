"""A tenant's whole graph as batches that can be written in this order: for full exports and copies.

Shared nodes first, then episodes with all their parts, then the rest, and edges once both ends are there.
An episode is never split over batches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphmem.graph.mapping.notes import for_another_store
from graphmem.graph.records import EdgeRecord, In, NodeRecord, NodeRef, Tree
from graphmem.graph.schema import NODE_TYPES
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import pages

SHARED = ("Session", "Tool", "Concept")
"""Labels that a tree may point to."""

OTHERS = tuple(
    label for label, declared in NODE_TYPES.items() if declared.owner is None and label not in (*SHARED, "Episode")
)

_NODES = 500
_EPISODES = 50
"""Episodes of a batch: each brings its steps, findings and edges."""

_STEPS = 5000


@dataclass(frozen=True, slots=True)
class Part:
    """A batch of a graph."""

    nodes: tuple[NodeRecord, ...] = ()
    trees: tuple[Tree, ...] = ()
    edges: tuple[EdgeRecord, ...] = ()


def snapshot(graph: TenantGraph) -> Iterator[Part]:
    """All nodes with their vectors and all edges of a tenant, in an order in which they can be written.

    While others write, what is added behind the page that is read may or may not be in it.
    """
    for label in SHARED:
        yield from (Part(nodes=page) for page in pages(graph, label, limit=_NODES, vectors=True))
    for page in pages(graph, "Episode", limit=_EPISODES, vectors=True):
        yield Part(trees=tuple(_trees(graph, page)))
    for label in OTHERS:
        for page in pages(graph, label, limit=_NODES, vectors=True):
            yield Part(nodes=tuple(map(for_another_store, page)))
    for label in (*SHARED, *OTHERS):
        for page in pages(graph, label, limit=_NODES):
            found = graph.edges([node.ref for node in page])
            if found:
                yield Part(edges=by_source(found))
    for page in pages(graph, "Episode", limit=_NODES):
        found = [edge for edge in graph.edges([node.ref for node in page]) if not is_tree_edge(edge)]
        if found:
            yield Part(edges=by_source(found))


def is_tree_edge(edge: EdgeRecord) -> bool:
    """Whether an edge out of an episode or one of its parts is written with the episode itself.

    Its end is a part of the episode or a shared node; messages and other episodes come later.
    """
    target = edge.target.label
    return NODE_TYPES[target].owner is not None or target in SHARED


def by_source(edges: Sequence[EdgeRecord]) -> tuple[EdgeRecord, ...]:
    """Edges in an order that does not depend on where pages end."""
    return tuple(sorted(edges, key=lambda edge: (edge.source, edge.type, edge.target)))


def _trees(graph: TenantGraph, roots: Sequence[NodeRecord]) -> Iterator[Tree]:
    ids = tuple(root.id for root in roots)
    parts: dict[str, list[NodeRecord]] = {node_id: [] for node_id in ids}
    for label in ("Step", "Finding"):
        for page in pages(graph, label, In("episode", ids), limit=_STEPS):
            for node in page:
                parts[str(node.properties["episode"])].append(node)
    edges: dict[str, list[EdgeRecord]] = {node_id: [] for node_id in ids}
    refs = [root.ref for root in roots] + [node.ref for found in parts.values() for node in found]
    owner: dict[NodeRef, str] = {node.ref: episode for episode, found in parts.items() for node in found}
    for edge in graph.edges(refs):
        if is_tree_edge(edge):
            edges[owner.get(edge.source, edge.source.id)].append(edge)
    for root in roots:
        nodes = sorted(parts[root.id], key=lambda node: (node.label, _index(node), node.id))
        yield Tree(root, tuple(nodes), by_source(edges[root.id]))


def _index(node: NodeRecord) -> int:
    value = node.properties.get("index", 0)
    return value if isinstance(value, int) else 0
