"""Which concept a name means: the one rule that services, imports, consolidation and mining share.

A concept is found by its own name and by its aliases, both by canonical key. Its own name goes first: an alias
counts only where no concept of that name is meant. What could mean two concepts means neither.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from graphmem.graph.mapping.alias import ALIAS_OF, alias_ref, shadowed_ref
from graphmem.graph.records import EdgeRecord, In, NodeRecord, NodeRef
from graphmem.ports.graph_store import TenantGraph, Transaction
from graphmem.ports.reading import every_node

AT_ONCE = 1_000
"""Keys or aliases asked about in one call."""


def concepts_by_key(graph: TenantGraph, keys: Iterable[str]) -> dict[str, list[NodeRecord]]:
    """The stored concepts of each key: those named so by id, then those that have it as an alias.

    Args:
        graph: One tenant's graph.
        keys: Canonical keys.

    Returns:
        Every key asked for has an entry.
    """
    found: dict[str, list[NodeRecord]] = {key: [] for key in keys}
    wanted = sorted(found)
    for start in range(0, len(wanted), AT_ONCE):
        some = tuple(wanted[start : start + AT_ONCE])
        for node in every_node(graph, "Concept", In("key", some)):
            found[str(node.properties["key"])].append(node)
        for key, targets in aliased_concepts(graph, some).items():
            met = {node.ref for node in found[key]}
            found[key] += [node for node in targets if node.ref not in met]
    return found


def aliased_concepts(graph: TenantGraph, keys: Sequence[str]) -> dict[str, list[NodeRecord]]:
    """The concepts that have these keys as aliases, by id; keys that are no alias are left out."""
    named = {node.ref: str(node.properties["key"]) for node in every_node(graph, "Alias", In("key", tuple(keys)))}
    if not named:
        return {}
    edges = [edge for ways in _meant(graph.edges(list(named), [ALIAS_OF], "out")).values() for edge in ways]
    targets = graph.get(sorted({edge.target for edge in edges}))
    found: dict[str, dict[NodeRef, NodeRecord]] = defaultdict(dict)
    for edge in edges:
        if edge.target in targets:
            found[named[edge.source]][edge.target] = targets[edge.target]
    return {key: [nodes[ref] for ref in sorted(nodes)] for key, nodes in found.items()}


def choose_concept(
    key: str, kinds: Sequence[str], candidates: Sequence[NodeRecord], *, others: bool
) -> NodeRecord | None:
    """The concept that a name means.

    Args:
        key: The name's canonical key.
        kinds: Kinds that may be meant, the likeliest first.
        candidates: From `concepts_by_key`.
        others: Whether one of another kind may be meant where there is only one.

    Returns:
        None where nothing is meant, or several could be.
    """
    named = [node for node in candidates if node.properties["key"] == key]
    aliased = [node for node in candidates if node.properties["key"] != key]
    for group in (named, aliased):
        for kind in kinds:
            fitting = [node for node in group if node.properties["kind"] == kind]
            if fitting:
                return fitting[0] if len(fitting) == 1 else None
        if group and others:
            return group[0] if len(group) == 1 else None
    return None


def led(store: TenantGraph | Transaction, concepts: Iterable[NodeRef]) -> dict[NodeRef, EdgeRecord]:
    """Where edges to concepts that are not stored themselves lead by an alias of theirs.

    Args:
        store: A graph, or a transaction with what it has written.
        concepts: Concepts by name and kind, stored or not.

    Returns:
        Concept -> the edge from its alias; only those whose alias names exactly one concept.
    """
    aliases = [alias_ref(concept) for concept in dict.fromkeys(concepts)]
    if not aliases:
        return {}
    ways = {shadowed_ref(alias): found for alias, found in _meant(store.edges(aliases, [ALIAS_OF], "out")).items()}
    if not ways:
        return {}
    stored = store.get(list(ways))
    return {concept: found[0] for concept, found in ways.items() if concept not in stored and len(found) == 1}


def _meant(edges: Iterable[EdgeRecord]) -> dict[NodeRef, list[EdgeRecord]]:
    """The ways from each alias: where a concept was merged, that one; a decision goes before descriptions."""
    ways: dict[NodeRef, list[EdgeRecord]] = defaultdict(list)
    for edge in edges:
        ways[edge.source].append(edge)
    return {
        alias: [edge for edge in found if edge.properties.get("source") == "merged"] or found
        for alias, found in ways.items()
    }
