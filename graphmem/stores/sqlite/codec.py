"""Records to what a row holds, and back: JSON text, times as text of fixed width.

Fixed width and UTC make the order of texts the order of times.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from graphmem.errors import InvalidInputError
from graphmem.graph.records import NodeRecord, Scalar, Value
from graphmem.graph.schema import EDGE_TYPES, NODE_TYPES, PropertyType

_TIMES = {
    label: tuple(name for name, type_ in node_type.properties.items() if type_ is PropertyType.TIME)
    for label, node_type in NODE_TYPES.items()
}
_EDGE_TIMES = tuple(
    {name for kind in EDGE_TYPES.values() for name, type_ in kind.properties.items() if type_ is PropertyType.TIME}
)


@lru_cache(maxsize=4096)
def encode_time(moment: datetime) -> str:
    """An aware time as `2026-03-01T09:00:00.000000Z`.

    Raises:
        InvalidInputError: It is naive, or outside the years 1-9999 in UTC.
    """
    if moment.tzinfo is None:
        raise InvalidInputError("a time has no offset: pass an aware datetime")
    try:
        return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
    except OverflowError as fault:
        raise InvalidInputError("a time lies outside the years 1-9999 in UTC") from fault


@lru_cache(maxsize=4096)
def decode_time(text: str) -> datetime:
    """The time that `encode_time` wrote."""
    return datetime.fromisoformat(text)


def encode_scalar(value: Scalar) -> str | int | float:
    """A value of a filter or cursor as a parameter."""
    return encode_time(value) if isinstance(value, datetime) else value


def _encode_other(value: object) -> str:
    if isinstance(value, datetime):
        return encode_time(value)
    raise InvalidInputError(f"a {type(value).__name__} cannot be a property's value")


_encoder = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_encode_other, check_circular=False
)
_sorted_encoder = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_encode_other, sort_keys=True
)


def encode_node(record: NodeRecord) -> tuple[str | None, str, str | None]:
    """A node's content hash, its other properties as JSON, and its search text."""
    properties = dict(record.properties)
    content_hash = properties.pop("content_hash", None)
    words = properties.pop("search_text", None)
    return content_hash, _encoded(_encoder, properties), words  # type: ignore[return-value]  # both are text by the schema


def encode_edge(properties: Mapping[str, Value]) -> str:
    """An edge's properties as JSON with sorted keys, so that equal ones are equal text."""
    return _encoded(_sorted_encoder, dict(properties))


def _encoded(encoder: json.JSONEncoder, properties: dict[str, Any]) -> str:
    try:
        return encoder.encode(properties)
    except ValueError as fault:
        raise InvalidInputError("a number is not finite") from fault


def decode_node(label: str, content_hash: str | None, text: str, words: str | None) -> dict[str, Value]:
    """The properties of a node's row."""
    properties: dict[str, Value] = json.loads(text)
    _decode_times(properties, _TIMES[label])
    if content_hash is not None:
        properties["content_hash"] = content_hash
    if words is not None:
        properties["search_text"] = words
    return properties


def decode_edge(text: str) -> dict[str, Value]:
    """The properties of an edge's row."""
    properties: dict[str, Value] = json.loads(text)
    _decode_times(properties, _EDGE_TIMES)
    return properties


def _decode_times(properties: dict[str, Value], names: tuple[str, ...]) -> None:
    for name in names:
        value = properties.get(name)
        if value is not None:
            properties[name] = decode_time(str(value))
