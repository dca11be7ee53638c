"""Records to parameters and rows back to records.

Times travel as seconds and microseconds since 1970: the driver takes 40 microseconds to pack one of its
own, and 70 to read it, where an import has twenty an episode.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

import numpy as np

from graphmem.errors import InvalidInputError, SchemaError
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Scalar, Value, Vector
from graphmem.graph.schema import EDGE_TYPES, NODE_TYPES, PropertyType
from graphmem.stores.neo4j.connection import Row

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
INTEGERS = range(-(2**63), 2**63)
"""What the server stores as an integer."""


def _split(properties: Mapping[str, PropertyType]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    times = tuple(name for name, kind in properties.items() if kind is PropertyType.TIME)
    return tuple(name for name in properties if name not in times), times


COLUMNS = {label: _split(kind.properties) for label, kind in NODE_TYPES.items()}
"""Label -> its plain properties and its times, in the order in which rows bring their values."""
EDGE_COLUMNS = _split({name: kind for edge in EDGE_TYPES.values() for name, kind in edge.properties.items()})


class Moments:
    """The distinct times of one statement; properties name them by place."""

    def __init__(self) -> None:
        self._places: dict[datetime, int] = {}
        self.rows: list[tuple[int, int]] = []
        """Seconds since 1970, microseconds."""

    def place(self, moment: datetime) -> int:
        """Where the time is in `rows`."""
        found = self._places.get(moment)
        if found is None:
            found = self._places[moment] = len(self.rows)
            self.rows.append(epoch(moment))
        return found


def epoch(moment: datetime) -> tuple[int, int]:
    """An aware time as seconds since 1970 (falling before it) and microseconds from 0 on.

    Raises:
        InvalidInputError: It is naive, or outside the years 1-9999 in UTC.
    """
    if moment.tzinfo is None:
        raise InvalidInputError("a time has no offset: pass an aware datetime")
    try:
        since = moment.astimezone(UTC) - EPOCH
    except OverflowError as fault:
        raise InvalidInputError("a time lies outside the years 1-9999 in UTC") from fault
    return since.days * 86_400 + since.seconds, since.microseconds


@lru_cache(maxsize=4096)
def moment(seconds: int, microseconds: int, second: int) -> datetime:
    """A time as the server's statements answer it.

    Args:
        seconds: Since 1970; before it, cut towards 1970 where there are microseconds.
        microseconds: Within the second.
        second: Of the minute.
    """
    # the cut shows in the second of the minute
    whole = seconds if (seconds - second) % 60 == 0 else seconds - 1
    return EPOCH + timedelta(seconds=whole, microseconds=microseconds)


def plain(value: Scalar) -> Scalar:
    """A value of a filter or cursor as a parameter: times in UTC, as the store holds them.

    Raises:
        InvalidInputError: An integer is beyond 64 bits, or a time outside the years 1-9999 in UTC.
    """
    if isinstance(value, datetime):
        seconds, microseconds = epoch(value)
        return EPOCH + timedelta(seconds=seconds, microseconds=microseconds)
    if isinstance(value, int) and value not in INTEGERS:
        raise InvalidInputError(f"{value} is beyond 64 bits")
    return value


def properties_of(given: Mapping[str, Value], moments: Moments) -> dict[str, Any]:
    """Properties as a statement takes them, times by place.

    Raises:
        InvalidInputError: A number is not finite or beyond 64 bits.
    """
    return {
        name: value if type(value) in _AS_THEY_ARE else value_of(name, value, moments)
        for name, value in given.items()
    }


_AS_THEY_ARE = frozenset({str, bool, list})


def value_of(name: str, value: Value, moments: Moments) -> Any:
    """One value as a statement takes it.

    Raises:
        InvalidInputError: A number is not finite or beyond 64 bits.
    """
    if isinstance(value, datetime):
        return moments.place(value)
    if isinstance(value, int) and value not in INTEGERS:
        raise InvalidInputError(f"{name} is {value}, beyond 64 bits")
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidInputError(f"{name} is not a finite number")
    return value


class VectorCodec:
    """Vectors of one length, as the connected server takes them.

    Args:
        dimension: Length that every vector must have; None where the store knows no embedder.
        packed: Whether the server takes the driver's vector type: half the bytes, and far less time.
    """

    def __init__(self, dimension: int | None, *, packed: bool) -> None:
        self.dimension = dimension
        self._pack: Callable[[Vector], Any] | None = None
        if packed:
            from neo4j.vector import Vector as Packed  # noqa: PLC0415 (heavy: loaded with the driver)

            self._pack = Packed.from_numpy

    def checked(self, vector: Vector) -> Vector:
        """The vector as float32.

        Raises:
            SchemaError: Its length is not the embedder's, or the store knows none.
            InvalidInputError: It is not finite.
        """
        if self.dimension is None:
            raise SchemaError(
                "a record carries a vector, but the store was opened without an embedder; open it with one"
            )
        array = np.asarray(vector, dtype=np.float32)
        if array.shape != (self.dimension,):
            raise SchemaError(
                f"a vector has shape {array.shape}, the store's embedder has {self.dimension} dimensions; use the"
                " embedder of the store, or run `graphmem schema reembed --embedder E`"
            )
        if not np.isfinite(array).all():
            raise InvalidInputError("a vector is not finite")
        return array

    def encode(self, vector: Vector) -> Any:
        """A vector as a parameter of a write."""
        array = self.checked(vector)
        return array.tolist() if self._pack is None else self._pack(array)


def read_properties(names: Sequence[str], values: Row, times: Row, moments: Sequence[str]) -> dict[str, Value]:
    """Properties out of the columns of a row."""
    held = {name: value for name, value in zip(names, values, strict=True) if value is not None}
    for name, parts in zip(moments, times, strict=True):
        if parts[0] is not None:
            held[name] = moment(*parts)
    return held


def read_node(label: str, row: Row) -> NodeRecord:
    """The node of a row of id, values, times and, where it was asked for, vector."""
    names, moments = COLUMNS[label]
    vector = None if len(row) < 4 or row[3] is None else np.asarray(row[3], dtype=np.float32)
    return NodeRecord(label, row[0], read_properties(names, row[1], row[2], moments), vector)


def read_edges(label: str, rows: Iterable[Row], *, out: bool) -> Iterable[EdgeRecord]:
    """The edges of rows of type, id, labels, other, values and times, at nodes of one label."""
    names, moments = EDGE_COLUMNS
    for kind, node_id, labels, other_id, values, times in rows:
        here, there = NodeRef(label, node_id), NodeRef(own_label(labels), other_id)
        properties = read_properties(names, values, times, moments)
        yield EdgeRecord(kind, here, there, properties) if out else EdgeRecord(kind, there, here, properties)


def own_label(labels: Iterable[str]) -> str:
    """The label out of the schema: an operator may have added others."""
    return next((label for label in labels if label in NODE_TYPES), "")
