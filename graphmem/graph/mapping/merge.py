"""Merges of concepts to nodes, and back, with the record that undoing one needs."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from graphmem.graph.mapping.origins import read_properties, written_properties
from graphmem.graph.mapping.values import content_hash, given, json_text, present, read_json
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Vector
from graphmem.graph.schema import NODE_TYPES
from graphmem.models.merge import Merge

_FLOAT = np.dtype("<f4")
_FIELDS = ("name", "kind", "into", "alias", "concept", "at", "undone_at", "reason")


@dataclass(frozen=True, slots=True)
class MergedConcept:
    """What a merge took away, and what it changed on the concept that stayed."""

    node: NodeRecord
    """The merged concept as it was, its vector included."""
    names: tuple[str, ...]
    """Names that it brought along: its own, its aliases, and those of what had been merged into it."""
    between: tuple[EdgeRecord, ...] = ()
    """Edges between the two, or from the merged one to itself: nothing is said of a concept and itself."""
    filled: tuple[str, ...] = field(default=())
    """Properties that the concept that stayed had not and took over."""
    named: bool = False
    """Whether its name was an alias before."""


def merge_record(merge: Merge, kept: MergedConcept) -> NodeRecord:
    """A merge that stands, as a node."""
    record = {
        "properties": written_properties(kept.node.properties),
        "vector": None if kept.node.vector is None else _encoded(kept.node.vector),
        "names": list(kept.names),
        "between": [_edge_line(edge) for edge in kept.between],
        "filled": list(kept.filled),
        "named": kept.named,
    }
    properties = {name: getattr(merge, name) for name in _FIELDS}
    properties |= {
        "created_at": merge.at,
        "record": json_text({name: value for name, value in record.items() if value}),
        "content_hash": content_hash(merge, without={"undone_at"}),
    }
    return NodeRecord("Merge", merge.id, present(properties))


def to_merge(node: NodeRecord) -> Merge:
    """The merge that a node holds."""
    return Merge(id=node.id, **given(node.properties, *_FIELDS))


def merged_concept(node: NodeRecord) -> MergedConcept:
    """What a merge that stands took away."""
    record = read_json(node.properties, "record")
    types = NODE_TYPES["Concept"].properties
    concept = NodeRecord(
        "Concept",
        str(node.properties["alias"]),
        read_properties(record.get("properties", {}), types),
        _decoded(record["vector"]) if "vector" in record else None,
    )
    return MergedConcept(
        concept,
        tuple(record.get("names", ())),
        tuple(map(_read_edge, record.get("between", ()))),
        tuple(record.get("filled", ())),
        named=bool(record.get("named")),
    )


def record_text(kept: MergedConcept, merge: NodeRecord) -> str:
    """The record of a merge with other content, as text."""
    return str(merge_record(to_merge(merge), kept).properties["record"])


def _encoded(vector: Vector) -> str:
    return base64.b64encode(np.asarray(vector, _FLOAT).tobytes()).decode()


def _decoded(text: str) -> Vector:
    return np.frombuffer(base64.b64decode(text), _FLOAT).astype(np.float32)


def _edge_line(edge: EdgeRecord) -> list[Any]:
    return [edge.type, *edge.source, *edge.target, written_properties(edge.properties)]


def _read_edge(line: Sequence[Any]) -> EdgeRecord:
    kind, source_label, source, target_label, target, properties = line
    said: Mapping[str, Any] = properties
    return EdgeRecord(kind, NodeRef(source_label, source), NodeRef(target_label, target), read_properties(said))
