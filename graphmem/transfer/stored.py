"""Nodes and edges as they are stored, to records of a full export and back, vectors included.

Property values take their type from graph/schema.py: times are ISO 8601 text, a vector is the base64 of
its little-endian 32-bit floats.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import numpy as np

from graphmem.errors import InvalidInputError
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Value, Vector
from graphmem.graph.schema import EDGE_TYPES, NODE_TYPES, PropertyType
from graphmem.graph.validation import check_edge, check_node
from graphmem.models.fields import canonical_json, check_text, to_utc
from graphmem.transfer.faults import RecordFault

_FLOAT = np.dtype("<f4")


def node_line(node: NodeRecord) -> dict[str, Any]:
    """The record of a node."""
    record: dict[str, Any] = {"type": "node", "label": node.label, "id": node.id}
    record["properties"] = _plain(node.properties)
    if node.vector is not None:
        record["vector"] = base64.b64encode(np.asarray(node.vector, _FLOAT).tobytes()).decode()
    return record


def edge_line(edge: EdgeRecord) -> dict[str, Any]:
    """The record of an edge."""
    return {
        "type": "edge",
        "relationship": edge.type,
        "source": [edge.source.label, edge.source.id],
        "target": [edge.target.label, edge.target.id],
        "properties": _plain(edge.properties),
    }


def node_hash(node: NodeRecord) -> str:
    """Hash of all that a node holds, its vector aside."""
    text = f"{node.label}\n{node.id}\n{canonical_json(_plain(node.properties))}"
    return sha256(text.encode()).hexdigest()


def read_node(record: Mapping[str, Any]) -> NodeRecord:
    """The node of a record.

    Raises:
        RecordFault: A field is missing, unknown or of the wrong form.
        InvalidInputError: The schema does not allow it.
    """
    _check_fields(record, {"label", "id", "properties"}, {"vector"})
    declared = NODE_TYPES.get(_text(record, "label"))
    if declared is None:
        raise RecordFault("unknown label")
    properties = _typed(record["properties"], declared.properties)
    node = NodeRecord(declared.label, _text(record, "id"), properties, _vector(record.get("vector")))
    check_node(node)
    return node


def read_edge(record: Mapping[str, Any]) -> EdgeRecord:
    """The edge of a record.

    Raises:
        RecordFault: A field is missing, unknown or of the wrong form.
        InvalidInputError: The schema does not allow it.
    """
    _check_fields(record, {"relationship", "source", "target"}, {"properties"})
    declared = EDGE_TYPES.get(_text(record, "relationship"))
    if declared is None:
        raise RecordFault("unknown relationship")
    properties = _typed(record.get("properties", {}), declared.properties)
    edge = EdgeRecord(declared.type, _end(record, "source"), _end(record, "target"), properties)
    check_edge(edge)
    return edge


def _check_fields(record: Mapping[str, Any], required: set[str], optional: set[str]) -> None:
    for name in sorted(required - record.keys()):
        raise RecordFault(f"{name} is missing")
    for name in sorted(record.keys() - required - optional):
        raise RecordFault(f"unknown field {name[:80]!r}")


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record[name]
    if not isinstance(value, str):
        raise RecordFault(f"{name} is not text")
    return check_text(value)


def _end(record: Mapping[str, Any], name: str) -> NodeRef:
    match record[name]:
        case [str() as label, str() as node_id]:
            return NodeRef(check_text(label), check_text(node_id))
        case _:
            raise RecordFault(f"{name} is not a list of label and id")


def _vector(text: Any) -> Vector | None:
    if text is None:
        return None
    try:
        data = base64.b64decode(text, validate=True)
        vector = np.frombuffer(data, _FLOAT).astype(np.float32)
    except (TypeError, binascii.Error, ValueError) as fault:
        raise RecordFault("vector is not base64 of 32-bit floats") from fault
    if not np.isfinite(vector).all():
        raise RecordFault("vector holds a number that is not finite")
    return vector


def _plain(properties: Mapping[str, Value]) -> dict[str, Any]:
    return {
        name: value if isinstance(value, str | int | float | list) else value.isoformat()
        for name, value in sorted(properties.items())
    }


def _typed(properties: Any, types: Mapping[str, PropertyType]) -> dict[str, Value]:
    if not isinstance(properties, dict):
        raise RecordFault("properties is not an object")
    return {name: _value(name, value, types.get(name)) for name, value in properties.items()}


def _value(name: str, value: Any, declared: PropertyType | None) -> Value:
    match declared:
        case None:
            raise InvalidInputError(f"the schema has no property {name[:80]!r}")
        case PropertyType.TIME:
            return to_utc(value)
        case PropertyType.TEXTS if isinstance(value, list):
            return [check_text(_member(name, part)) for part in value]
        case PropertyType.TEXT | PropertyType.JSON if isinstance(value, str):
            return check_text(value)
        case PropertyType.BOOLEAN if isinstance(value, bool):
            return value
        case PropertyType.INTEGER if isinstance(value, int) and not isinstance(value, bool):
            if abs(value) >= 2**63:
                raise RecordFault(f"{name} is out of range")
            return value
        case PropertyType.NUMBER if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        case _:
            raise RecordFault(f"{name} is not {declared.value}")


def _member(name: str, part: Any) -> str:
    if not isinstance(part, str):
        raise RecordFault(f"{name} holds something that is not text")
    return part
