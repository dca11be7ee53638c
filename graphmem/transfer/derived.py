"""What was learned from erased things: found by its edges, and removed or freed of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from graphmem.graph.records import PLACEHOLDER, EdgeRecord, NodeRecord, NodeRef, Value
from graphmem.graph.schema import CONCEPT_RELATIONS
from graphmem.ports.graph_store import TenantGraph
from graphmem.transfer.pages import pages

_PAGE = 500

_EVIDENCE_EDGES = ("EVIDENCED_BY", "DERIVED_FROM", "ASSERTED_IN")
"""Edges from what was learned to what it was learned from."""

_EVIDENCE_LISTS = ("evidence_ids", "evidence")


def remove(graph: TenantGraph, refs: Iterable[NodeRef], erased: Counter[str]) -> None:
    """Remove nodes in one transaction and count them."""
    found = graph.get(refs)
    if found:
        with graph.transaction() as transaction:
            transaction.remove_nodes(found)
        erased.update(ref.label for ref in found)


def forget_evidence(graph: TenantGraph, refs: Sequence[NodeRef], user: str, erased: Counter[str]) -> None:
    """Free what was learned from these nodes of them, before they go.

    A pattern with any of them as evidence is removed: its counts and names hold them. Procedures and memories
    of others lose them as sources, and go when no source is left.
    """
    edges = graph.edges(refs, _EVIDENCE_EDGES, "in")
    learned = graph.get({edge.source for edge in edges})
    gone = {edge.target.id for edge in edges}
    removed, kept = [], []
    for ref, node in learned.items():
        sources = node.properties.get("sources", [])
        left = [source for source in sources if source not in gone] if isinstance(sources, list) else []
        if ref.label == "Pattern" or not left:
            removed.append(ref)
        elif node.properties.get("user_id") != user:
            kept.append((node, left))
    remove(graph, removed, erased)
    if kept:
        with graph.transaction() as transaction:
            for node, left in kept:
                transaction.set_properties(node.label, [(node.id, {"sources": left})])


def prune_relations(graph: TenantGraph, gone: Collection[str]) -> None:
    """Take ids out of the evidence of relations between concepts.

    A relation that was extracted or consolidated and has no other evidence is removed.
    """
    if not gone:
        return
    for page in pages(graph, "Concept", size=_PAGE):
        edges = graph.edges([node.ref for node in page], CONCEPT_RELATIONS)
        touched = [edge for edge in edges if _evidence(edge) & set(gone)]
        if not touched:
            continue
        pruned = [_without(edge, gone) for edge in touched]
        with graph.transaction() as transaction:
            transaction.remove_edges([edge for edge in pruned if not _stands(edge)])
            transaction.save_edges([edge for edge in pruned if _stands(edge)])


def remove_orphans(graph: TenantGraph, erased: Counter[str]) -> None:
    """Remove tools and merely mentioned concepts that nothing names any more."""
    for page in pages(graph, "Tool", size=_PAGE):
        refs = [node.ref for node in page]
        used = {edge.target for edge in graph.edges(refs, None, "in")}
        remove(graph, [ref for ref in refs if ref not in used], erased)
    for page in pages(graph, "Concept", size=_PAGE):
        mentioned = [node.ref for node in page if _is_derived(node)]
        named = _named(graph.edges(mentioned, None, "both")) if mentioned else set()
        remove(graph, [ref for ref in mentioned if ref not in named], erased)


def _is_derived(node: NodeRecord) -> bool:
    """Whether a concept was only mentioned or found in arguments, not described by anybody."""
    return node.content_hash == PLACEHOLDER or node.properties.get("kind") == "argument"


def _named(edges: Iterable[EdgeRecord]) -> set[NodeRef]:
    """Concepts that something other than consolidated relations refers to."""
    found: set[NodeRef] = set()
    for edge in edges:
        if edge.source.label != "Concept":
            found.add(edge.target)
        elif edge.properties.get("source", "given") != "consolidated":
            found.update((edge.source, edge.target))
    return found


def _evidence(edge: EdgeRecord) -> set[str]:
    return {text for name in _EVIDENCE_LISTS for text in _texts(edge.properties.get(name))}


def _texts(value: Value | None) -> list[str]:
    return value if isinstance(value, list) else []


def _without(edge: EdgeRecord, gone: Collection[str]) -> EdgeRecord:
    properties = dict(edge.properties)
    removed = 0
    for name in _EVIDENCE_LISTS:
        texts = _texts(properties.get(name))
        left = [text for text in texts if text not in gone]
        removed = max(removed, len(texts) - len(left))
        properties.pop(name, None)
        if left:
            properties[name] = left
    count = properties.get("evidence_count")
    if isinstance(count, int):
        properties["evidence_count"] = max(count - removed, 0)
    return EdgeRecord(edge.type, edge.source, edge.target, properties)


def _stands(edge: EdgeRecord) -> bool:
    return edge.properties.get("source") == "given" or bool(_evidence(edge))
