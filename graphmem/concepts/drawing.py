"""Concepts and their relations as a graph of networkx, for notebooks and for GraphML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef
from graphmem.graph.schema import CONCEPT_RELATIONS
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import pages

if TYPE_CHECKING:
    import networkx as nx

_AT_ONCE = 2_000
"""Concepts of a read."""

_LEFT_OUT = frozenset({"search_text", "content_hash", "extra"})


def concept_graph(graph: TenantGraph) -> nx.MultiDiGraph[str]:
    """All concepts of a tenant with all relations between them."""
    drawn = _empty(None)
    names: dict[NodeRef, str] = {}
    for page in pages(graph, "Concept", limit=_AT_ONCE):
        _add_nodes(drawn, page)
        names |= {node.ref: node_name(node.ref) for node in page}
    refs = iter(names)
    while some := list(islice(refs, _AT_ONCE)):
        _add_edges(drawn, graph.edges(some, CONCEPT_RELATIONS, "out"), names)
    return drawn


def graph_around(graph: TenantGraph, root: NodeRef, *, depth: int, limit: int) -> nx.MultiDiGraph[str]:
    """A concept with what its relations lead to, in either direction.

    Args:
        graph: The tenant.
        root: Where it begins.
        depth: Relations between the concept and the furthest one.
        limit: Concepts at most; the graph's attribute `truncated` says whether some were left out.
    """
    found = graph.expand([root], CONCEPT_RELATIONS, "both", depth=depth, limit=limit)
    concepts = [node for node in found.nodes if node.label == "Concept"]
    drawn = _empty(root)
    drawn.graph["truncated"] = found.truncated
    _add_nodes(drawn, concepts)
    _add_edges(drawn, found.edges, {node.ref: node_name(node.ref) for node in concepts})
    return drawn


def node_name(ref: NodeRef) -> str:
    """How a concept is called in a drawn graph."""
    return f"{ref.label}:{ref.id}"


def _empty(root: NodeRef | None) -> nx.MultiDiGraph[str]:
    import networkx as nx  # noqa: PLC0415 (heavy, and only analysts need it)

    return nx.MultiDiGraph(concept="" if root is None else root.id, truncated=False)


def _add_nodes(drawn: nx.MultiDiGraph[str], nodes: Iterable[NodeRecord]) -> None:
    for node in nodes:
        drawn.add_node(node_name(node.ref), **_kept(node.properties), label=node.label, id=node.id)


def _add_edges(drawn: nx.MultiDiGraph[str], edges: Sequence[EdgeRecord], names: Mapping[NodeRef, str]) -> None:
    for kind, source, target, properties in edges:
        if source in names and target in names:
            drawn.add_edge(names[source], names[target], key=kind, type=kind, **_kept(properties))


def _kept(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in properties.items() if name not in _LEFT_OUT}
