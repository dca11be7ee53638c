"""Aliases of concepts to nodes and edges.

An alias has the id that a concept of its name and kind would have, so whoever is about to point at that concept
can be led to the one it names.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from graphmem.graph.keys import canonical_key
from graphmem.graph.mapping.values import content_hash, read_json
from graphmem.graph.records import PLACEHOLDER, EdgeRecord, NodeRecord, NodeRef, Value
from graphmem.models.concept import Alias, AliasSource
from graphmem.models.ids import concept_id

ALIAS_OF = "ALIAS_OF"


def alias_ref(concept: NodeRef) -> NodeRef:
    """The alias that stands where this concept would."""
    return NodeRef("Alias", concept.id)


def shadowed_ref(alias: NodeRef) -> NodeRef:
    """The concept in whose place this alias stands."""
    return NodeRef("Concept", alias.id)


def merge_ref(alias: NodeRecord) -> NodeRef | None:
    """The merge by which a concept became this alias; None for one that was given."""
    merge = alias.properties.get("merge")
    return NodeRef("Merge", merge) if isinstance(merge, str) else None


def merged_hash(merge: NodeRecord) -> str:
    """Content hash of the concept that a merge took away."""
    return str(read_json(merge.properties, "record").get("properties", {}).get("content_hash", PLACEHOLDER))


def alias_record(name: str, kind: str, source: AliasSource, recorded_at: datetime) -> NodeRecord | None:
    """A name as an alias of concepts of a kind; None when it has nothing a key could hold."""
    key = canonical_key(name)
    if key is None:
        return None
    alias = Alias(name=name, kind=kind)
    properties: dict[str, Value] = {
        "key": key,
        "name": name,
        "kind": kind,
        "source": source,
        "created_at": recorded_at,
        "content_hash": content_hash(alias),
    }
    return NodeRecord("Alias", concept_id(key, kind), properties)


def alias_edge(alias: NodeRef, concept: NodeRef, source: AliasSource, recorded_at: datetime) -> EdgeRecord:
    """That an alias names a concept, and who says so."""
    return EdgeRecord(ALIAS_OF, alias, concept, {"source": source, "created_at": recorded_at})


def aliases_of(concept: NodeRecord, source: AliasSource = "given") -> Iterator[tuple[NodeRecord, EdgeRecord]]:
    """The aliases that a concept's description gives it, each once; its own name is none."""
    names = concept.properties.get("aliases", ())
    created_at = concept.properties.get("created_at")
    if not isinstance(names, list | tuple) or not isinstance(created_at, datetime):
        return
    met = {concept.id}
    for name in names:
        alias = alias_record(name, str(concept.properties["kind"]), source, created_at)
        if alias is not None and alias.id not in met:
            met.add(alias.id)
            yield alias, alias_edge(alias.ref, concept.ref, source, created_at)
