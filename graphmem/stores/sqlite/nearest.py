"""Exact search by vector: filters hold before the limit, ties go by id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from graphmem.graph.records import Filter, Hit, Vector
from graphmem.stores.sqlite.filters import condition, table
from graphmem.stores.sqlite.matrix import Keys, VectorSet
from graphmem.stores.sqlite.nodes import read_nodes
from graphmem.stores.sqlite.selecting import avoided
from graphmem.stores.sqlite.session import Session, as_list

_FIRST_LOOK = 500
"""Nodes that are filtered at first: most filters let enough of the nearest pass."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose nodes are searched, by key and code."""

    tenant: int
    label: int


def nearest(
    session: Session, vectors: VectorSet, vector: Vector, *, scope: Scope, where: Filter | None, limit: int
) -> list[Hit]:
    """Nodes by cosine to a vector, best first."""
    if not len(vectors.keys):
        return []
    cosines = vectors.cosines(vector)
    chosen = (
        _best(cosines, limit)
        if where is None
        else _best_passing(session, vectors.keys, cosines, where, scope=scope, limit=limit)
    )
    ids = _ids(session, vectors.keys[chosen])
    ordered = sorted(
        (-float(cosines[place]), ids[key], key)
        for place, key in zip(chosen.tolist(), vectors.keys[chosen].tolist(), strict=True)
        if key in ids
    )[:limit]
    records = read_nodes(session, [key for _, _, key in ordered])
    return [Hit(records[key], -negated) for negated, _, key in ordered]


def _best(cosines: npt.NDArray[np.float64], count: int) -> npt.NDArray[np.int64]:
    """Places of the best cosines, those that tie with the last one included."""
    if count >= len(cosines):
        return np.arange(len(cosines))
    worst = np.partition(cosines, len(cosines) - count)[len(cosines) - count]
    return np.flatnonzero(cosines >= worst)


def _best_passing(
    session: Session, keys: Keys, cosines: npt.NDArray[np.float64], where: Filter, *, scope: Scope, limit: int
) -> npt.NDArray[np.int64]:
    look = max(_FIRST_LOOK, 4 * limit)
    if look < len(keys):
        near = _best(cosines, look)
        passing = _passing_among(session, keys[near], scope, where)
        places = near[np.isin(keys[near], passing)]
        if len(places) >= limit:
            return places[_best(cosines[places], limit)]
    places = np.flatnonzero(np.isin(keys, _passing(session, scope, where)))
    return places[_best(cosines[places], limit)]


def _passing_among(session: Session, keys: Keys, scope: Scope, where: Filter) -> Keys:
    """Those of the given keys whose nodes pass the filter."""
    sql, values = condition(where)
    # the plus sign keeps the planner from an index: the keys are given
    return _keys(
        session,
        f"SELECT key FROM node WHERE key IN (SELECT value FROM json_each(?))"
        f" AND +tenant = ? AND label = {scope.label} AND {sql}",
        (as_list(keys.tolist()), scope.tenant, *values),
    )


def _passing(session: Session, scope: Scope, where: Filter) -> Keys:
    """Keys of all nodes of the label that pass the filter."""
    label = session.codes.label_names[scope.label]
    sql, values = condition(where, avoided=avoided(session, scope.tenant, label, where))
    return _keys(
        session,
        f"SELECT key FROM {table(label, where)} WHERE tenant = ? AND label = {scope.label} AND {sql}",
        (scope.tenant, *values),
    )


def _keys(session: Session, sql: str, values: Sequence[Any]) -> Keys:
    rows = session.rows("nearest.filter", sql, values)
    return np.fromiter((key for (key,) in rows), np.int64, len(rows))


def _ids(session: Session, keys: Keys) -> dict[int, str]:
    rows = session.rows(
        "nearest.ids",
        "SELECT key, id FROM node WHERE key IN (SELECT value FROM json_each(?))",
        (as_list(keys.tolist()),),
    )
    return dict(rows)
