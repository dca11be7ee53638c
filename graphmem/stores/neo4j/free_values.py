"""Values of a free query as plain ones that JSON can hold: pure."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import neo4j.graph
import neo4j.spatial
import neo4j.time
from neo4j.vector import Vector

_ZEROS = re.compile(r"(?:\.|(\.\d*?[1-9]))0+(?!\d)")
"""Zeros at the end of a fraction, the point with them when nothing else is there."""


def plain(value: Any) -> Any:
    """A value of the driver as text, number, truth value, list, mapping or None.

    A node becomes its labels and properties, an edge its type and properties, a path the list of both; times
    and durations their ISO 8601 text, a point its coordinates, what is not a finite number its name. Ids of
    the server are left out: they are reused.
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    for kind, read in _KINDS.items():
        if isinstance(value, kind):
            return read(value)
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list | tuple) else str(value)


def _node(value: neo4j.graph.Node) -> dict[str, Any]:
    return {"labels": sorted(value.labels), "properties": plain(dict(value.items()))}


def _edge(value: neo4j.graph.Relationship) -> dict[str, Any]:
    return {"type": value.type, "properties": plain(dict(value.items()))}


def _path(value: neo4j.graph.Path) -> list[Any]:
    steps: list[Any] = [value.start_node]
    for edge, node in zip(value.relationships, value.nodes[1:], strict=True):
        steps += [edge, node]
    return [plain(step) for step in steps]


def _iso(value: Any) -> str:
    # the driver writes all nine digits of a fraction
    return _ZEROS.sub(r"\1", str(value.iso_format())).replace("+00:00", "Z")


def _point(value: neo4j.spatial.Point) -> dict[str, Any]:
    return {"srid": value.srid, "coordinates": [plain(part) for part in value]}


_KINDS: dict[type, Callable[[Any], Any]] = {
    neo4j.graph.Node: _node,
    neo4j.graph.Relationship: _edge,
    neo4j.graph.Path: _path,
    neo4j.time.DateTime: _iso,
    neo4j.time.Date: _iso,
    neo4j.time.Time: _iso,
    neo4j.time.Duration: _iso,
    neo4j.spatial.Point: _point,
    Vector: lambda value: plain(value.to_native()),
    bytes: bytes.hex,
    bytearray: bytearray.hex,
}
