"""What was learned from erased things: removed, or freed of them where it has other sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from graphmem.graph.mapping.alias import ALIAS_OF
from graphmem.graph.mapping.origins import without_texts
from graphmem.graph.predicates import FactPolicy
from graphmem.graph.records import PLACEHOLDER, EdgeRecord, In, NodeRecord, NodeRef, Value
from graphmem.graph.schema import CONCEPT_RELATIONS
from graphmem.ports.aliased_graph import with_aliasing
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import pages
from graphmem.transfer.erased_facts import forget_said
from graphmem.transfer.erased_names import forget_told_names

_PAGE = 500

_EVIDENCE_LISTS = ("evidence_ids", "evidence")


def remove(graph: TenantGraph, refs: Iterable[NodeRef], erased: Counter[str]) -> None:
    """Remove nodes with what they own in one transaction, and count all of them."""
    found = graph.get(refs)
    if not found:
        return
    episodes = In("episode", tuple(ref.id for ref in found if ref.label == "Episode"))
    owned = {label: graph.count(label, episodes) for label in ("Step", "Finding") if episodes.values}
    # the aliases of a concept go with it
    with with_aliasing(graph).transaction() as transaction:
        transaction.remove_nodes(found)
    erased.update(ref.label for ref in found)
    erased.update({label: count for label, count in owned.items() if count})


def forget_sources(
    graph: TenantGraph, refs: Collection[NodeRef], user: str, erased: Counter[str], facts: FactPolicy
) -> None:
    """Free what was learned from these nodes of them, before they go.

    A pattern with any of them as evidence is removed, and the procedure learned from it: counts and names hold
    them, and mining brings back what still stands. Other procedures, memories of others and relations lose them
    as sources, and go when no source is left, unless they were given.
    """
    gone = {ref.id for ref in refs}
    if not gone:
        return
    for page in pages(graph, "Pattern", limit=_PAGE):
        patterns = [node.ref for node in page if _texts(node.properties.get("episodes")) & gone]
        taught = {edge.target for edge in graph.edges(patterns, ["RECOMMENDS"], "out")} if patterns else set()
        remove(graph, [*patterns, *sorted(taught)], erased)
    for label in ("Memory", "Procedure"):
        for page in pages(graph, label, limit=_PAGE):
            learned = [node for node in page if _texts(node.properties.get("sources")) & gone]
            others = [node for node in learned if node.properties.get("user_id") != user]
            _free(graph, others, gone, erased)
            forget_said(graph, others, gone, facts, erased)
    for page in pages(graph, "Concept", limit=_PAGE):
        _prune_relations(graph, [node.ref for node in page], gone)
    forget_told_names(graph, gone, erased)


def _free(graph: TenantGraph, learned: Sequence[NodeRecord], gone: Collection[str], erased: Counter[str]) -> None:
    left = {node.ref: _without(node.properties.get("sources"), gone) for node in learned}
    remove(graph, [ref for ref, sources in left.items() if not sources], erased)
    kept = {ref: sources for ref, sources in left.items() if sources}
    if kept:
        with graph.transaction() as transaction:
            for ref, sources in kept.items():
                transaction.set_properties(ref.label, [(ref.id, {"sources": sources})])


def _prune_relations(graph: TenantGraph, heads: Sequence[NodeRef], gone: Collection[str]) -> None:
    touched = [edge for edge in graph.edges(heads, CONCEPT_RELATIONS) if _evidence(edge) & set(gone)]
    if touched:
        pruned = [_pruned(edge, gone) for edge in touched]
        with graph.transaction() as transaction:
            transaction.remove_edges([edge for edge in pruned if not _stands(edge)])
            transaction.save_edges([edge for edge in pruned if _stands(edge)])


def remove_orphans(graph: TenantGraph, erased: Counter[str]) -> None:
    """Remove claims that no text speaks of, and tools and mentioned concepts that nothing names any more."""
    for page in pages(graph, "Claim", limit=_PAGE):
        refs = [node.ref for node in page]
        spoken_of = {edge.source for edge in graph.edges(refs, ["ASSERTED_IN"], "out")}
        remove(graph, [ref for ref in refs if ref not in spoken_of], erased)
    for page in pages(graph, "Tool", limit=_PAGE):
        refs = [node.ref for node in page]
        used = {edge.target for edge in graph.edges(refs, None, "in")}
        remove(graph, [ref for ref in refs if ref not in used], erased)
    for page in pages(graph, "Concept", limit=_PAGE):
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
        if edge.type == ALIAS_OF:
            continue
        if edge.source.label != "Concept":
            found.add(edge.target)
        elif edge.properties.get("source", "given") != "consolidated":
            found.update((edge.source, edge.target))
    return found


def _evidence(edge: EdgeRecord) -> set[str]:
    return {text for name in _EVIDENCE_LISTS for text in _texts(edge.properties.get(name))}


def _texts(value: Value | None) -> set[str]:
    return set(value) if isinstance(value, list) else set()


def _without(value: Value | None, gone: Collection[str]) -> list[str]:
    return [text for text in value if text not in gone] if isinstance(value, list) else []


def _pruned(edge: EdgeRecord, gone: Collection[str]) -> EdgeRecord:
    properties = without_texts(edge.properties, frozenset(gone))
    removed = 0
    for name in _EVIDENCE_LISTS:
        texts = properties.pop(name, None)
        left = _without(texts, gone)
        removed = max(removed, len(texts) - len(left) if isinstance(texts, list) else 0)
        if left:
            properties[name] = left
    count = properties.get("evidence_count")
    if isinstance(count, int):
        properties["evidence_count"] = max(count - removed, 0)
    return EdgeRecord(edge.type, edge.source, edge.target, properties)


def _stands(edge: EdgeRecord) -> bool:
    return edge.properties.get("source") == "given" or bool(_evidence(edge))
