"""The is_a relations above the labels of episodes, read only upwards: a taxonomy may be larger than all episodes.

Mining knows keys, a taxonomy knows concepts, and homonyms share a key: a key means the plain concept of its name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from graphmem.graph.mapping.concept import other_concept_key
from graphmem.graph.masking import numbered_name
from graphmem.graph.records import Direction, In, NodeRecord, NodeRef
from graphmem.models.concept import DEFAULT_CONCEPT_KIND
from graphmem.patterns.graphs import Taxonomy
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import every_node

_AT_ONCE = 1_000
"""Concepts asked about in one call."""

Pair = tuple[NodeRef, NodeRef]
"""A concept, and what it is a kind of."""


def concept_key_of(key: str) -> str:
    """The concept key of a step, tool or finding with this key."""
    return other_concept_key(key) or key


def taxonomy_above(graph: TenantGraph, keys: Iterable[str], *, numbered_names: bool = True) -> Taxonomy:
    """The is_a relations from some keys of nodes upwards.

    Args:
        graph: The tenant.
        keys: Of steps, tools, concepts and findings.
        numbered_names: Whether `retry_17` is a `retry_№` as well.
    """
    labels = list(dict.fromkeys(keys))
    concepts, pairs = reached(graph, {other for key in labels for other in (key, concept_key_of(key))}, "out")
    return with_labels(taxonomy_of(concepts, pairs), labels, numbered_names=numbered_names)


def taxonomy_of(concepts: Mapping[NodeRef, NodeRecord], pairs: Iterable[Pair]) -> Taxonomy:
    """Relations between concepts as relations between keys.

    A key means its concept of kind `concept` where is_a knows one, else every concept it has. What lies between
    two concepts that are meant is passed over: so homonyms join no branches that have nothing in common.

    Args:
        concepts: Every concept that is spoken of.
        pairs: The is_a edges among them.
    """
    above: dict[NodeRef, list[NodeRef]] = defaultdict(list)
    for concept, parent in pairs:
        if concept in concepts and parent in concepts:
            above[concept].append(parent)
    joined = {*above, *(parent for parents in above.values() for parent in parents)}
    plain = {ref for ref in joined if _is_plain(concepts[ref])}
    plain_keys = {_key(concepts[ref]) for ref in plain}
    meant = {ref: _key(node) for ref, node in concepts.items() if ref in plain or _key(node) not in plain_keys}
    parents: dict[str, set[str]] = defaultdict(set)
    for ref in above:
        if ref in meant:
            parents[meant[ref]] |= _nearest(ref, above, meant) - {meant[ref]}
    names: dict[str, str] = {}
    for key, name in sorted((_key(node), str(node.properties["name"])) for node in concepts.values()):
        names.setdefault(key, name)
    return Taxonomy({key: tuple(sorted(found)) for key, found in parents.items()}, names)


def with_labels(taxonomy: Taxonomy, labels: Iterable[str], *, numbered_names: bool) -> Taxonomy:
    """The taxonomy in which a label has the parents of the concept it means: `orders` those of `order`.

    Args:
        taxonomy: Among concepts.
        labels: Keys of nodes.
        numbered_names: Whether `retry_17` is a `retry_№` as well.
    """
    parents = dict(taxonomy.parents)
    for label in labels:
        key = other_concept_key(label)
        if key is not None and key in taxonomy.parents and label not in parents:
            parents[label] = taxonomy.parents[key]
        shared = numbered_name(label) if numbered_names else None
        if shared is not None and shared not in parents.get(label, ()):
            parents[label] = (*parents.get(label, ()), shared)
    return Taxonomy(parents, taxonomy.names)


def reached(
    graph: TenantGraph, keys: Iterable[str], direction: Direction
) -> tuple[dict[NodeRef, NodeRecord], list[Pair]]:
    """The concepts with these keys and all that is_a leads to from them, with the edges on the way.

    With them come the plain concepts that share a key with another one, and what is_a says of these.
    """
    found = _with_keys(graph, keys)
    pairs: list[Pair] = []
    waiting = list(found)
    while waiting:
        batch, waiting = waiting[:_AT_ONCE], waiting[_AT_ONCE:]
        walked = [(edge.source, edge.target) for edge in graph.edges(batch, ["IS_A"], direction)]
        pairs += walked
        fresh = graph.get(sorted({end for pair in walked for end in pair} - found.keys()))
        found |= fresh
        waiting += list(fresh)
    others = _with_keys(graph, {_key(node) for node in found.values() if not _is_plain(node)})
    plain = {ref: node for ref, node in others.items() if _is_plain(node) and ref not in found}
    for edge in graph.edges(sorted(plain), ["IS_A"], "both") if plain else ():
        pairs.append((edge.source, edge.target))
    found |= plain
    found |= graph.get(sorted({end for pair in pairs for end in pair} - found.keys()))
    return found, pairs


def _with_keys(graph: TenantGraph, keys: Iterable[str]) -> dict[NodeRef, NodeRecord]:
    wanted = sorted(keys)
    return {
        node.ref: node
        for start in range(0, len(wanted), _AT_ONCE)
        for node in every_node(graph, "Concept", In("key", tuple(wanted[start : start + _AT_ONCE])))
    }


def _nearest(start: NodeRef, above: Mapping[NodeRef, list[NodeRef]], meant: Mapping[NodeRef, str]) -> set[str]:
    """Keys of the nearest concepts above one that their keys mean."""
    keys: set[str] = set()
    passed = {start}
    waiting = list(above[start])
    while waiting:
        ref = waiting.pop()
        if ref in meant:
            keys.add(meant[ref])
        elif ref not in passed:
            passed.add(ref)
            waiting.extend(above.get(ref, ()))
    return keys


def _key(node: NodeRecord) -> str:
    return str(node.properties["key"])


def _is_plain(node: NodeRecord) -> bool:
    return node.properties["kind"] == DEFAULT_CONCEPT_KIND
