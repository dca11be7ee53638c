"""Frees aliases and merges of erased things: a name that only they gave goes with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from graphmem.graph.keys import canonical_key
from graphmem.graph.mapping.alias import ALIAS_OF, merge_ref
from graphmem.graph.mapping.merge import MergedConcept, merged_concept, record_text
from graphmem.graph.mapping.origins import taken, without_texts
from graphmem.graph.merging import without_names
from graphmem.graph.records import PLACEHOLDER, EdgeRecord, Equals, NodeRecord, NodeRef, Value
from graphmem.ports.aliased_graph import without_aliasing
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import pages

_PAGE = 500


def forget_told_names(graph: TenantGraph, gone: Collection[str], erased: Counter[str]) -> None:
    """Before things go: free aliases that texts introduced, and records of merges, of them as evidence.

    Args:
        graph: The tenant.
        gone: Ids of what goes.
        erased: Counts of removed nodes by label.
    """
    graph, without = without_aliasing(graph), frozenset(gone)
    for page in pages(graph, "Alias", limit=_PAGE):
        edges = graph.edges([node.ref for node in page], [ALIAS_OF], "out")
        told = [edge for edge in edges if without & set(_texts(edge.properties, "evidence_ids"))]
        if told:
            _free_aliases(graph, told, without, erased)
    for page in pages(graph, "Merge", limit=_PAGE):
        rows = [
            (node.id, {"record": after})
            for node in page
            if "record" in node.properties
            and (after := record_text(_freed(merged_concept(node), without), node)) != node.properties["record"]
        ]
        if rows:
            with graph.transaction() as transaction:
                transaction.set_properties("Merge", rows)


def forget_unused_names(graph: TenantGraph, erased: Counter[str]) -> None:
    """After things went: remove merges of concepts that only they mentioned, and the history of removed ones."""
    graph = without_aliasing(graph)
    for page in pages(graph, "Merge", limit=_PAGE):
        ends = [NodeRef("Concept", str(node.properties[end])) for node in page for end in ("alias", "concept")]
        stored = graph.get(ends)
        for node in page:
            alias, concept = (NodeRef("Concept", str(node.properties[end])) for end in ("alias", "concept"))
            if "record" not in node.properties:
                if alias not in stored or concept not in stored:
                    _remove(graph, [node.ref], erased)
            elif not _is_used(graph, node):
                _unname(graph, node, erased)


def _free_aliases(
    graph: TenantGraph, told: Sequence[EdgeRecord], gone: frozenset[str], erased: Counter[str]
) -> None:
    freed = [edge._replace(properties=_evidence_without(edge.properties, gone)) for edge in told]
    untold = [edge for edge in freed if not edge.properties["evidence_ids"]]
    with graph.transaction() as transaction:
        transaction.save_edges([edge for edge in freed if edge.properties["evidence_ids"]])
        transaction.remove_edges(untold)
    for edge in untold:
        _drop_name(graph, edge.target, edge.source, erased)


def _freed(kept: MergedConcept, gone: frozenset[str]) -> MergedConcept:
    """A record of a merge without evidence that goes."""
    between = tuple(edge._replace(properties=_evidence_without(edge.properties, gone)) for edge in kept.between)
    return replace(kept, between=between)


def _evidence_without(properties: Mapping[str, Value], gone: frozenset[str]) -> dict[str, Value]:
    said = without_texts(properties, gone)
    for name in ("evidence", "evidence_ids"):
        if name in said:
            said[name] = [text for text in _texts(said, name) if text not in gone]
    return said


def _is_used(graph: TenantGraph, merge: NodeRecord) -> bool:
    """Whether anything but its merge still knows the name of a merged concept."""
    kept = merged_concept(merge).node
    if kept.content_hash != PLACEHOLDER:
        return True
    key = str(kept.properties["key"])
    named = [graph.count(label, Equals("key", key)) for label in ("Tool", "Finding", "Step")]
    if any(named):
        return True
    alias = NodeRef("Alias", kept.id)
    concepts = [edge.target for edge in graph.edges([alias], [ALIAS_OF], "out")]
    around = graph.edges(concepts, None, "both") if concepts else []
    return any(taken(edge.properties, kept.id).part is not None for edge in around if edge.source != alias)


def _unname(graph: TenantGraph, merge: NodeRecord, erased: Counter[str]) -> None:
    alias = NodeRef("Alias", str(merge.properties["alias"]))
    edges = graph.edges([alias], [ALIAS_OF], "out")
    with graph.transaction() as transaction:
        transaction.remove_edges(edges)
    for edge in edges:
        _drop_name(graph, edge.target, alias, erased)
    _remove(graph, [merge.ref], erased)


def _drop_name(graph: TenantGraph, concept: NodeRef, alias: NodeRef, erased: Counter[str]) -> None:
    """Take an alias's name off a concept, and remove the alias when it names nothing else."""
    found = graph.get([concept, alias])
    known, name = found.get(concept), found.get(alias)
    if known is not None and name is not None:
        key = str(name.properties["key"])
        left = [text for text in _texts(known.properties, "merged_names") if canonical_key(text) != key]
        with graph.transaction() as transaction:
            transaction.set_properties("Concept", [(concept.id, without_names(known, left))])
    if name is not None and not graph.edges([alias], [ALIAS_OF], "out"):
        merge = merge_ref(name)
        _remove(graph, [alias, *([merge] if merge else [])], erased)


def _remove(graph: TenantGraph, refs: Sequence[NodeRef], erased: Counter[str]) -> None:
    found = graph.get(refs)
    with graph.transaction() as transaction:
        transaction.remove_nodes(found)
    erased.update(ref.label for ref in found)


def _texts(properties: Mapping[str, Value], name: str) -> list[str]:
    value = properties.get(name)
    return list(value) if isinstance(value, list | tuple) else []
