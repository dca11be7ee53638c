"""What an edge says of concepts that were merged: which part of it came from where. Pure.

An edge that was moved from a merged concept carries `origins`: a list of parts, each the id of the concept it was
stated of ("" for the concept it is at) and the properties it had there. A part may hold origins of its own. Alone
with no properties, a part is the whole edge. Taking a part out leaves what the others say together, so that
undoing a merge gives both concepts exactly what they had.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.graph.records import Value
from graphmem.graph.schema import EDGE_TYPES, PropertyType
from graphmem.models.fields import canonical_json, to_utc

ORIGINS = "origins"
OWN = ""
"""Stands for the concept at which the edge is."""

MAX_EVIDENCE = 1000
"""Pieces of evidence that a combined edge keeps."""

_TYPES = EDGE_TYPES["IS_A"].properties
"""Types of the properties of edges: the same for every type of edge."""

_RANKS = ("consolidated", "extracted", "text", "given", "merged")
"""Sources from the weakest to the strongest; of aliases a merge is the strongest."""

_COUNTED = {"evidence": "evidence_count"}
"""Lists whose repetitions do not count twice, with the property that counts them."""

Properties = Mapping[str, Value]
Part = tuple[str, dict[str, Value]]


@dataclass(frozen=True, slots=True)
class Taken:
    """An edge without one of its parts."""

    rest: Properties | None
    """What is left of it; None when nothing is."""
    part: Properties | None
    """What was taken out; None when nothing of it came from there."""


def moved(properties: Properties, origin: str) -> dict[str, Value]:
    """The properties of an edge that is moved from a merged concept to another one.

    Args:
        properties: As they were there.
        origin: Id of the concept it was at.
    """
    return _written([(origin, dict(properties))])


def joined(present: Properties, arriving: Properties) -> dict[str, Value]:
    """Two edges at the same place as one.

    Args:
        present: What is there.
        arriving: From `moved`.
    """
    return _written([*_parts(present), *_parts(arriving)])


def taken(properties: Properties, origin: str) -> Taken:
    """Take out of an edge what came from a merged concept, wherever it lies.

    Args:
        properties: The edge as it is.
        origin: Id of the merged concept.
    """
    parts = _parts(properties)
    rest: list[Part] = []
    out: list[Part] = []
    whole: dict[str, Value] | None = None
    for concept, said in parts:
        if concept == origin:
            whole = said
            continue
        inner = taken(said, origin) if ORIGINS in said else Taken(said, None)
        if inner.part is not None:
            out.append((concept, dict(inner.part)))
        if inner.rest is not None:
            rest.append((concept, dict(inner.rest)))
    part = whole if whole is not None else (_written(out) if out else None)
    if part is None:
        return Taken(properties, None)
    if not rest:
        return Taken(None, part)
    return Taken(_with_later(_written(rest), properties, parts), part)


def without_texts(properties: Properties, gone: frozenset[str]) -> dict[str, Value]:
    """An edge whose parts hold none of these ids and sentences any more; its own properties stay as they are.

    A part that was found out and has no evidence left goes with it.
    """
    if ORIGINS not in properties:
        return dict(properties)
    outer = {name: value for name, value in properties.items() if name != ORIGINS}
    entries = [(concept, None if said is None else _pruned(said, gone)) for concept, said in _entries(properties)]
    left = [[concept, said] for concept, said in entries if said is None or _stands(said)]
    if not left or [concept for concept, _ in left] == [OWN]:
        return outer
    return {**outer, ORIGINS: canonical_json(left)}


def written_properties(properties: Properties) -> dict[str, Any]:
    """Properties of an edge or a node as JSON."""
    return {
        name: value.isoformat() if isinstance(value, datetime) else value for name, value in properties.items()
    }


def read_properties(written: Mapping[str, Any], types: Mapping[str, PropertyType] = _TYPES) -> dict[str, Value]:
    """Properties out of JSON; see `written_properties`."""
    return {
        name: to_utc(value) if types.get(name) is PropertyType.TIME else value for name, value in written.items()
    }


def combined(parts: Sequence[Properties]) -> dict[str, Value]:
    """What several statements of one relation say together.

    Counts are added, as are shares of mentions; the highest confidence, the strongest source and all evidence
    hold; anything else is as the first one says. Any grouping of the same order gives the same.
    """
    whole: dict[str, Value] = dict(parts[0])
    for part in parts[1:]:
        before = dict(whole)
        for name, value in part.items():
            whole[name] = _both(name, before[name], value) if name in before else value
        for texts, count in _COUNTED.items():
            if count in before and count in part:
                repeated = set(_texts(before.get(texts))) & set(_texts(part.get(texts)))
                whole[count] = _integer(whole[count]) - len(repeated)
    return whole


def _both(name: str, first: Value, second: Value) -> Value:
    if name == "source":
        return max(first, second, key=lambda value: _RANKS.index(str(value)) if value in _RANKS else -1)
    match _TYPES.get(name):
        case PropertyType.INTEGER:
            return _integer(first) + _integer(second)
        case PropertyType.NUMBER if name == "salience":
            return min(1.0, round(float(first) + float(second), 6))  # type: ignore[arg-type]  # the schema says so
        case PropertyType.NUMBER:
            return max(float(first), float(second))  # type: ignore[arg-type]  # as above
        case PropertyType.TEXTS:
            return list(dict.fromkeys([*_texts(first), *_texts(second)]))[:MAX_EVIDENCE]
        case _:
            return first


def _parts(properties: Properties) -> list[Part]:
    outer = {name: value for name, value in properties.items() if name != ORIGINS}
    if ORIGINS not in properties:
        return [(OWN, outer)]
    return [(concept, outer if said is None else read_properties(said)) for concept, said in _entries(properties)]


def _entries(properties: Properties) -> list[tuple[str, dict[str, Any] | None]]:
    """The parts as written; None stands for the whole edge."""
    return [(str(concept), said) for concept, said in json.loads(str(properties[ORIGINS]))]


def _written(parts: Sequence[Part]) -> dict[str, Value]:
    """The edge that these parts make."""
    if len(parts) == 1:
        concept, said = parts[0]
        if concept == OWN:
            return said
        if ORIGINS not in said:
            return {**said, ORIGINS: canonical_json([[concept, None]])}
    plain = [{name: value for name, value in said.items() if name != ORIGINS} for _, said in parts]
    entries = [[concept, written_properties(said)] for concept, said in parts]
    return {**combined(plain), ORIGINS: canonical_json(entries)}


def _with_later(rest: dict[str, Value], now: Properties, parts: Sequence[Part]) -> dict[str, Value]:
    """The rest of an edge with what was written to it since its parts were joined."""
    if len(parts) == 1:
        return rest
    plain = [{name: value for name, value in said.items() if name != ORIGINS} for _, said in parts]
    then = combined(plain)
    for name, value in now.items():
        before = then.get(name)
        if name == ORIGINS or value == before:
            continue
        if isinstance(value, list):
            fresh = [text for text in value if text not in _texts(before)]
            rest[name] = [*_texts(rest.get(name)), *fresh]
        elif _TYPES.get(name) is PropertyType.INTEGER:
            rest[name] = max(0, _integer(rest.get(name, 0)) + _integer(value) - _integer(before or 0))
        else:
            rest[name] = value
    return rest


def _pruned(said: Mapping[str, Any], gone: frozenset[str]) -> dict[str, Any]:
    kept = dict(without_texts(said, gone)) if ORIGINS in said else dict(said)
    for name, value in said.items():
        if isinstance(value, list):
            left = [text for text in value if text not in gone]
            kept[name] = left
            count = _COUNTED.get(name, "")
            if count in said:
                kept[count] = max(0, said[count] - len(value) + len(left))
    return kept


def _stands(said: Mapping[str, Any]) -> bool:
    lists = [said[name] for name in ("evidence", "evidence_ids") if name in said]
    return said.get("source", "given") in {"given", "merged"} or not lists or any(lists)


def _texts(value: Value | None) -> list[str]:
    return list(value) if isinstance(value, list | tuple) else []


def _integer(value: Value) -> int:
    return value if isinstance(value, int) else 0
