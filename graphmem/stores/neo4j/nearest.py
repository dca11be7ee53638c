"""Search by vector within one tenant: inside the index where the line can, else exact or over-fetched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphmem.graph.records import And, Equals, Filter, Hit, In, Missing, Range, Vector
from graphmem.stores.neo4j import statements
from graphmem.stores.neo4j.conditions import Conditions
from graphmem.stores.neo4j.connection import Row, Server
from graphmem.stores.neo4j.reading import Run, columns
from graphmem.stores.neo4j.state import StoreState, to_state
from graphmem.stores.neo4j.values import read_node

_REACH_INSIDE = 100
"""Neighbours that the index is asked for at least: with 10 it found .98 of the ten best, with 100 all of them,
in the same time."""
_REACH_INSIDE_A_HIT = 4
_SMALL = 8_000
"""Nodes up to which 5.26 compares all of them: 12 microseconds each, and asking the index for many takes what
10,000 do."""
_STANDS = 100
"""Searches for which a count of nodes stands: either way of searching gives the right answer."""
_REACH = 1_000
"""Neighbours over all tenants that 5.26 looks at, at least."""
_REACH_A_HIT = 20
_INDEX_LIMIT = 10_000


@dataclass(frozen=True, slots=True)
class VectorQuery:
    """What is asked."""

    label: str
    slot: str
    vector: Vector
    where: Filter | None
    limit: int
    exact: bool = False
    """Whether every node is compared, since the index cannot be asked."""


class Sizes:
    """Which labels have few nodes in one tenant, counted now and then. Safe to use from several threads."""

    def __init__(self) -> None:
        self._small: dict[str, tuple[bool, int]] = {}

    def is_small(self, run: Run, label: str) -> bool:
        """Whether all nodes of the label can be compared one by one."""
        small, left = self._small.get(label, (False, 0))
        if left == 0:
            ((nodes,),) = run(statements.COUNT_UP_TO, {"limit": _SMALL + 1}, label=label)
            small, left = nodes <= _SMALL, _STANDS
        self._small[label] = small, left - 1
        return small


@dataclass(frozen=True, slots=True)
class Nearest:
    """What a search found."""

    hits: list[Hit]
    state: StoreState | None
    """What the store was during the search; None where the answer cannot say."""


def nearest(run: Run, server: Server, asked: VectorQuery, sizes: Sizes) -> Nearest:
    """Nodes by cosine to a vector, best first, ties by id."""
    conditions = Conditions().add(asked.where)
    if conditions.impossible or not np.any(asked.vector):
        return Nearest([], None)
    if not asked.exact and asks_index(server, asked.where):
        return Nearest(_inside_index(run, asked, conditions), None)
    if asked.exact or server.filters_inside_index or sizes.is_small(run, asked.label):
        return _exact(run, asked, conditions)
    found = _over_fetched(run, asked, conditions)
    return found if len(found.hits) == asked.limit else _exact(run, asked, conditions)


def _inside_index(run: Run, asked: VectorQuery, conditions: Conditions) -> list[Hit]:
    filtered = " AND ".join(["$tenant", *conditions.parts])
    reach = max(_REACH_INSIDE, _REACH_INSIDE_A_HIT * asked.limit)
    while True:
        reach = min(reach, _INDEX_LIMIT)
        rows = run(
            statements.NEAREST,
            {**_parameters(asked, conditions), "limit": asked.limit, "reach": reach},
            label=asked.label,
            vector=asked.slot,
            filter=filtered,
        )
        if not rows or rows[-1][4] < reach or rows[-1][3] > rows[-1][5] or reach == _INDEX_LIMIT:
            return _hits(asked, rows)
        # nodes with the last one's score may have been cut off, and ties go by id
        reach *= 10


def _over_fetched(run: Run, asked: VectorQuery, conditions: Conditions) -> Nearest:
    reach = min(max(_REACH, _REACH_A_HIT * asked.limit), _INDEX_LIMIT)
    parameters = {**_parameters(asked, conditions), "limit": asked.limit, "reach": reach}
    rows = run(statements.NEAREST_V5, parameters, label=asked.label, vector=asked.slot, filter=conditions.text)
    return _found(asked, rows)


def _exact(run: Run, asked: VectorQuery, conditions: Conditions) -> Nearest:
    parameters = {**_parameters(asked, conditions), "limit": asked.limit}
    rows = run(statements.NEAREST_EXACT, parameters, label=asked.label, vector=asked.slot, filter=conditions.text)
    return _found(asked, rows)


def _found(asked: VectorQuery, rows: list[Row]) -> Nearest:
    return Nearest(_hits(asked, rows), to_state(rows[0][4]) if rows else None)


def _parameters(asked: VectorQuery, conditions: Conditions) -> dict[str, Any]:
    held = columns(asked.label, None)
    del held["slot"]
    return {"vector": asked.vector.tolist(), **held, **conditions.parameters}


def _hits(asked: VectorQuery, rows: list[Row]) -> list[Hit]:
    hits = [Hit(read_node(asked.label, row[:3]), min(1.0, max(-1.0, row[3]))) for row in rows]
    hits.sort(key=lambda hit: (-hit.score, hit.record.id))
    return hits[: asked.limit]


def asks_index(server: Server, where: Filter | None) -> bool:
    """Whether the index alone answers.

    It fails when its vectors are no longer in use; a comparison of all nodes would find none, and say nothing.
    """
    return server.filters_inside_index and _fits_index(where)


def _fits_index(where: Filter | None) -> bool:
    """Whether the index can hold the filter: each property once, no id, no range of texts."""
    seen: set[str] = set()
    for part in _parts(where):
        if part.property == "id" or part.property in seen:
            return False
        if isinstance(part, Range) and (isinstance(part.low, str) or isinstance(part.high, str)):
            return False
        seen.add(part.property)
    return True


def _parts(where: Filter | None) -> Iterator[Equals | In | Range | Missing]:
    if isinstance(where, And):
        for part in where.parts:
            yield from _parts(part)
    elif where is not None:
        yield where
