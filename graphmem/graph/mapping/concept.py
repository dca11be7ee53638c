"""Concepts and relations to nodes and edges, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from graphmem.graph.keys import canonical_key
from graphmem.graph.mapping.values import content_hash, given, json_text, present, read_json
from graphmem.graph.records import PLACEHOLDER, EdgeRecord, NodeRecord, NodeRef, Value, Vector
from graphmem.graph.tokens import search_text
from graphmem.models.concept import DEFAULT_CONCEPT_KIND, Concept, Relation, RelationType
from graphmem.models.ids import concept_id

_NAME_CACHE = 65_536
"""Names whose key and search text are remembered: steps name the same few concepts over and over."""

_PLACEHOLDERS = 4096
"""Mentioned concepts that are remembered as nodes: those of one import are the same ones."""


def concept_key(name: str) -> str:
    """The canonical key of a concept's name.

    Raises:
        ValueError: The name has no visible character that a key could hold.
    """
    key = canonical_key(name)
    if key is None:
        raise ValueError(f"the concept name {name!r} has nothing a key could hold")
    return key


@lru_cache(_NAME_CACHE)
def _identity(name: str, kind: str) -> tuple[str, str, str]:
    key = concept_key(name)
    return concept_id(key, kind), key, search_text(name)


@lru_cache(_NAME_CACHE)
def other_concept_key(label: str) -> str | None:
    """The concept key of a step, tool or finding where it is not its own key: `order` for `orders`.

    Args:
        label: Key of the step, tool or finding.
    """
    key = canonical_key(label)
    return None if key == label else key


@lru_cache(_NAME_CACHE)
def concept_ref(name: str, kind: str = DEFAULT_CONCEPT_KIND) -> NodeRef:
    """The node of the concept with this name and kind, whether or not it is stored."""
    return NodeRef("Concept", _identity(name, kind)[0])


@lru_cache(_PLACEHOLDERS)
def named_concept(name: str, recorded_at: datetime, kind: str = DEFAULT_CONCEPT_KIND) -> NodeRecord:
    """A concept that was only mentioned by name."""
    node_id, key, words = _identity(name, kind)
    properties: dict[str, Value] = {
        "key": key,
        "name": name,
        "kind": kind,
        "created_at": recorded_at,
        "search_text": words,
        "content_hash": PLACEHOLDER,
    }
    return NodeRecord("Concept", node_id, properties)


def concept_record(concept: Concept, recorded_at: datetime, vector: Vector | None = None) -> NodeRecord:
    """A described concept as a node."""
    node_id, key, _ = _identity(concept.name, concept.kind)
    properties = present(
        {
            "key": key,
            "name": concept.name,
            "kind": concept.kind,
            "definition": concept.definition,
            "aliases": list(concept.aliases),
            "abstraction_level": concept.abstraction_level,
            "extra": json_text(concept.extra),
            "created_at": recorded_at,
            "search_text": _words(concept.name, concept.aliases, concept.definition),
            "content_hash": content_hash(concept),
        }
    )
    return NodeRecord("Concept", node_id, properties, vector)


def concept_words(properties: Mapping[str, Value]) -> str:
    """The search text of a concept with these properties, names of concepts that were merged into it included."""
    names = [name for part in ("aliases", "merged_names") for name in _texts(properties, part)]
    definition = properties.get("definition")
    return _words(str(properties["name"]), names, definition if isinstance(definition, str) else None)


def _words(name: str, aliases: Iterable[str], definition: str | None) -> str:
    return search_text("\n".join(part for part in (name, *aliases, definition) if part))


def _texts(properties: Mapping[str, Value], name: str) -> list[str]:
    value = properties.get(name)
    return list(value) if isinstance(value, list | tuple) else []


def to_concept(node: NodeRecord, *, described: bool = False) -> Concept:
    """The concept that a node holds; names of concepts that were merged into it are aliases.

    Args:
        node: A concept.
        described: Whether only a level counts that was given, not one that its place in the is_a tree says.
    """
    fields = given(node.properties, "name", "kind", "definition", "abstraction_level")
    if described and "level_source" in node.properties:
        del fields["abstraction_level"]
    names = (*_texts(node.properties, "aliases"), *_texts(node.properties, "merged_names"))
    fields["aliases"] = tuple(dict.fromkeys(names))
    return Concept(**fields, extra=read_json(node.properties, "extra"))


def relation_edge(relation: Relation, head: NodeRef, tail: NodeRef, recorded_at: datetime) -> EdgeRecord:
    """A relation as an edge between two concepts that were looked up."""
    properties = present(
        {
            "source": relation.source,
            "confidence": relation.confidence,
            "weight": relation.confidence,
            "evidence": list(relation.evidence),
            "evidence_count": len(relation.evidence),
            "extra": json_text(relation.extra),
            "created_at": recorded_at,
        }
    )
    return EdgeRecord(relation.relation.value.upper(), head, tail, properties)


def to_relation(edge: EdgeRecord, head: NodeRecord, tail: NodeRecord) -> Relation:
    """The relation that an edge between two concepts holds."""
    properties = edge.properties
    fields: dict[str, Any] = given(properties, "confidence", "source")
    return Relation(
        head=str(head.properties["name"]),
        relation=RelationType(edge.type.lower()),
        tail=str(tail.properties["name"]),
        head_kind=_unusual_kind(head),
        tail_kind=_unusual_kind(tail),
        evidence=tuple(properties.get("evidence", ())),  # type: ignore[arg-type]
        extra=read_json(properties, "extra"),
        **fields,
    )


def _unusual_kind(node: NodeRecord) -> str | None:
    kind = str(node.properties["kind"])
    return None if kind == DEFAULT_CONCEPT_KIND else kind
