"""Where a statement that wants all nodes of a filter begins: at the index of what fewest nodes share.

SQLite's planner would toss a coin between a domain of all episodes and an outcome of a few.
"""

from __future__ import annotations

from graphmem.graph.records import Filter, Scalar
from graphmem.stores.sqlite.codec import encode_scalar
from graphmem.stores.sqlite.filters import SELECTING, SELECTING_NAMES, column, equations
from graphmem.stores.sqlite.session import Session

_COUNTED = 10_000
"""Nodes of a value that are counted at most: a millisecond. What more nodes share, the nearest have as well."""


def avoided(session: Session, tenant: int, label: str, where: Filter | None) -> frozenset[str]:
    """Properties of a filter at whose index the statement must not begin."""
    named = equations(where)
    candidates = [name for name in named if name == "user_id" or (label, name) in SELECTING]
    if not SELECTING_NAMES.intersection(candidates):
        return SELECTING_NAMES
    if len(candidates) > 1:
        candidates.sort(key=lambda name: _count(session, tenant, label, name, named[name]))
    return frozenset(named) - {candidates[0]}


def _count(session: Session, tenant: int, label: str, name: str, value: Scalar) -> int:
    ((count,),) = session.rows(
        "nearest.count",
        "SELECT count(*) FROM (SELECT 1 FROM node WHERE tenant = ?"
        f" AND label = {session.codes.labels[label]} AND {column(name)} = ? LIMIT {_COUNTED})",
        (tenant, encode_scalar(value)),
    )
    return int(count)
