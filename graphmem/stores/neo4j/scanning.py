"""Pages of nodes by keyset: first those with the order's property, then those without, ties by id."""

from __future__ import annotations

import re
from typing import Any

from graphmem.graph.records import Cursor, Filter, Missing, NodeRecord, Page
from graphmem.graph.schema import NODE_TYPES
from graphmem.queries import Query, query, query_names
from graphmem.stores.neo4j import statements
from graphmem.stores.neo4j.conditions import Conditions, selects_few
from graphmem.stores.neo4j.reading import Run, columns
from graphmem.stores.neo4j.values import read_node

SELECTIVE = frozenset({"episode", "session", "key", "subject_key", "run", "task"})
"""Indexed properties of which a value names few nodes."""

_INDEXED = frozenset(
    found
    for name in query_names("schema")
    for found in re.findall(r"FOR \(node:(\w+)\) ON \(node\.tenant, node\.(\w+)\)", query(name).text)
) | {(label, "id") for label in NODE_TYPES}
"""Label and property of every index that begins with the tenant."""


def scan(
    run: Run,
    label: str,
    where: Filter | None,
    *,
    order: tuple[str, bool],
    after: Cursor | None,
    limit: int,
    slot: str | None,
) -> Page:
    """A page of a tenant's nodes; with a slot they carry its vectors."""
    name, falling = order
    pages = _Pages(run, label, where, slot)
    if name == "id":
        found = pages.by_id(None if after is None else after[1], limit + 1, falling=falling)
    else:
        found = pages.by_value(name, after, limit + 1, falling=falling)
    page = tuple(found[:limit])
    if len(found) <= limit:
        return Page(page, None)
    last = page[-1]
    return Page(page, (last.id if name == "id" else last.properties.get(name), last.id))  # type: ignore[arg-type]  # filterable ones are scalars


class _Pages:
    """What the statements of one page share."""

    def __init__(self, run: Run, label: str, where: Filter | None, slot: str | None) -> None:
        self._run = run
        self._label = label
        self._where = where
        self._columns = columns(label, slot)

    def by_id(
        self, after: str | None, limit: int, *, falling: bool = False, missing: str | None = None
    ) -> list[NodeRecord]:
        """Nodes by id from one on, all or those without a property."""
        conditions = Conditions().add(self._where)
        if missing is not None:
            conditions.add(Missing(missing))
        if falling:
            if after is not None:
                conditions.compare("id", "<", after)
            return self._read(statements.SCAN_FALLING, conditions, {"limit": limit}, order="id")
        if selects_few(self._where, SELECTIVE):
            if after is not None:
                conditions.compare("id", ">", after)
            return self._read(statements.SCAN_SELECTED, conditions, {"limit": limit})
        return self._read(statements.SCAN, conditions, {"limit": limit, "after": after or ""})

    def by_value(self, name: str, after: Cursor | None, limit: int, *, falling: bool) -> list[NodeRecord]:
        """Nodes by a property from a cursor on, then those without it."""
        found: list[NodeRecord] = []
        if after is None or after[0] is not None:
            conditions = Conditions().add(self._where)
            if after is not None and after[0] is not None:
                conditions.add_cursor(name, after[0], after[1], falling=falling)
            found = self._read(
                self._by_value(name, conditions, falling=falling), conditions, {"limit": limit}, order=name
            )
        if len(found) < limit:
            # a cursor without a value stands among the nodes that have none
            begin = after[1] if after is not None and after[0] is None else None
            found += self.by_id(begin, limit - len(found), missing=name)
        return found

    def _by_value(self, name: str, conditions: Conditions, *, falling: bool) -> Query:
        """The statement that finds the page without looking at all nodes of the label, or at all of the tenant."""
        if selects_few(self._where, SELECTIVE):
            return statements.SELECTED_FALLING if falling else statements.SELECTED_RISING
        if (self._label, name) not in _INDEXED:
            # no index of the property: that of the ids finds the tenant's nodes
            conditions.parts.append("node.id IS NOT NULL")
        return statements.SCAN_FALLING if falling else statements.SCAN_RISING

    def _read(
        self, statement: Query, conditions: Conditions, parameters: dict[str, Any], **stand_ins: str
    ) -> list[NodeRecord]:
        if conditions.impossible:
            return []
        given = {**parameters, **self._columns, **conditions.parameters}
        rows = self._run(statement, given, label=self._label, filter=conditions.text, **stand_ins)
        return [read_node(self._label, row) for row in rows]
