"""Kinds of things by is_a, read as far as a question needs: what is below a name, what is above some keys."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from graphmem.errors import InvalidInputError
from graphmem.graph.keys import canonical_key
from graphmem.graph.mapping.concept import other_concept_key
from graphmem.graph.records import Direction, NodeRef
from graphmem.patterns.graphs import Taxonomy
from graphmem.patterns.reading import with_labels
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.identity import aliases_below, concepts_by_key, meant_keys

_AT_ONCE = 1_000
"""Concepts asked about in one call."""


def concept_key_of(key: str) -> str:
    """The concept key of a step, tool or finding with this key."""
    return other_concept_key(key) or key


def keys_below(graph: TenantGraph, name: str, what: str) -> frozenset[str]:
    """The concept key of a name, and those of everything that is one, over any number of is_a; aliases included.

    Args:
        graph: The tenant.
        name: As written; case, width, composition and a plural make no difference.
        what: What the caller calls it, for an error.

    Raises:
        InvalidInputError: The name is blank.
    """
    key = canonical_key(name)
    if key is None:
        raise InvalidInputError(f"{what} is blank; give a name")
    reached = _reached(graph, [key], "in")[0]
    aliases = aliases_below(graph, list(reached))
    also = sorted({str(alias.properties["key"]) for found in aliases.values() for alias in found})
    return frozenset({key, *reached.values(), *meant_keys(graph, also)})


def taxonomy_above(graph: TenantGraph, keys: Iterable[str]) -> Taxonomy:
    """The is_a relations from some keys of nodes upwards, as mining would see them for these keys.

    Args:
        graph: The tenant.
        keys: Of steps, tools, concepts and findings.
    """
    labels = list(dict.fromkeys(keys))
    concepts = {other for key in labels for other in (key, concept_key_of(key))}
    keyed, edges = _reached(graph, sorted(concepts), "out")
    parents: dict[str, set[str]] = defaultdict(set)
    for source, target in edges:
        if source in keyed and target in keyed:
            parents[keyed[source]].add(keyed[target])
    known = {key: tuple(sorted(above - {key})) for key, above in parents.items()}
    meant = meant_keys(graph, sorted(concepts))
    return with_labels(Taxonomy(known), labels, numbered_names=True, meant=meant)


def _reached(
    graph: TenantGraph, keys: list[str], direction: Direction
) -> tuple[dict[NodeRef, str], list[tuple[NodeRef, NodeRef]]]:
    """The concepts with these keys and all that is_a leads to from them, with the edges on the way."""
    found: dict[NodeRef, str] = {}
    for start in range(0, len(keys), _AT_ONCE):
        for key, concepts in concepts_by_key(graph, keys[start : start + _AT_ONCE]).items():
            named = {node.ref: key for node in concepts if node.properties["key"] == key}
            meant = {node.ref: str(node.properties["key"]) for node in concepts if len(concepts) == 1}
            found |= named or meant
    edges: list[tuple[NodeRef, NodeRef]] = []
    waiting = list(found)
    while waiting:
        batch, waiting = waiting[:_AT_ONCE], waiting[_AT_ONCE:]
        walked = [(edge.source, edge.target) for edge in graph.edges(batch, ["IS_A"], direction)]
        edges += walked
        new = {end for pair in walked for end in pair} - found.keys()
        fresh = graph.get(sorted(new))
        found |= {ref: str(node.properties["key"]) for ref, node in fresh.items()}
        waiting += list(fresh)
    return found, edges
