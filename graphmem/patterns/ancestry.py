"""The is_a relations above the labels of episodes, read only upwards: a taxonomy may be larger than all episodes.

Mining knows keys, a taxonomy knows concepts, and homonyms share a key: `meanings` says which of them a key means.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from graphmem.graph.mapping.concept import other_concept_key
from graphmem.graph.masking import numbered_name
from graphmem.graph.records import Direction, In, NodeRecord, NodeRef
from graphmem.patterns.graphs import Taxonomy
from graphmem.patterns.meanings import Pair, Reached, key_of_concept, meanings
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import every_node

_AT_ONCE = 1_000
"""Concepts asked about in one call."""

_BOTH_WAYS: tuple[Direction, ...] = ("out", "in")


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
    known = reached(graph, {concept_key_of(key) for key in labels}, "out")
    return with_labels(taxonomy_of(known), labels, numbered_names=numbered_names)


def taxonomy_of(known: Reached) -> Taxonomy:
    """Relations between concepts as relations between keys.

    What lies between two concepts that are meant is passed over: so homonyms join no branches that have nothing
    in common.

    Args:
        known: Concepts, and the is_a edges among them.
    """
    above: dict[NodeRef, list[NodeRef]] = defaultdict(list)
    for concept, parent in known.pairs:
        if concept in known.concepts and parent in known.concepts:
            above[concept].append(parent)
    meant = meanings(known)
    parents: dict[str, set[str]] = defaultdict(set)
    for ref in meant.below.keys() & above.keys():
        parents[meant.below[ref]] |= _nearest(ref, above, meant.above)
    names = {key_of_concept(node): str(node.properties["name"]) for node in _by_name(known.concepts.values())}
    names |= {key: str(known.concepts[ref].properties["name"]) for ref, key in meant.above.items()}
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


def reached(graph: TenantGraph, keys: Iterable[str], direction: Direction) -> Reached:
    """The concepts with these keys and all that is_a leads to from them, with the edges on the way.

    With them come the concepts that share a key with one of these, and which of both is_a knows at all.
    """
    asked = set(keys)
    found = _with_keys(graph, asked)
    pairs: list[Pair] = []
    waiting = list(found)
    while waiting:
        batch, waiting = waiting[:_AT_ONCE], waiting[_AT_ONCE:]
        walked = [(edge.source, edge.target) for edge in graph.edges(batch, ["IS_A"], direction)]
        pairs += walked
        fresh = graph.get(sorted({end for pair in walked for end in pair} - found.keys()))
        found |= fresh
        waiting += list(fresh)
    found |= _with_keys(graph, {key_of_concept(node) for node in found.values()} - asked)
    known = Reached(found, pairs, frozenset(end for pair in pairs for end in pair))
    return Reached(found, pairs, known.joined | _joined(graph, known.homonyms() - known.joined))


def _joined(graph: TenantGraph, open_ones: Iterable[NodeRef]) -> set[NodeRef]:
    """Those with any is_a edge: above first, since few have none there and what is below may be thousands."""
    joined: set[NodeRef] = set()
    for direction in _BOTH_WAYS:
        rest = sorted(set(open_ones) - joined)
        for start in range(0, len(rest), _AT_ONCE):
            edges = graph.edges(rest[start : start + _AT_ONCE], ["IS_A"], direction)
            joined.update(end for edge in edges for end in (edge.source, edge.target))
    return joined


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


def _by_name(concepts: Iterable[NodeRecord]) -> list[NodeRecord]:
    return sorted(concepts, key=lambda node: str(node.properties["name"]), reverse=True)
