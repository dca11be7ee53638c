"""Filters to SQL conditions over the table `node`: names out of the closed schema, values as parameters.

Filterable properties are read out of the JSON where they are needed. Generated columns would say the
same, but SQLite computes all of them on every insert: twice the time of an import's nodes.
"""

from __future__ import annotations

from typing import Any, assert_never

from graphmem.graph.records import And, Equals, Filter, In, Missing, Range
from graphmem.stores.sqlite.codec import encode_scalar
from graphmem.stores.sqlite.session import as_list

Condition = tuple[str, list[Any]]
"""SQL and its parameters."""


def column(name: str) -> str:
    """The expression that reads a property; indexes are over the same text."""
    return "id" if name == "id" else f"json_extract(properties, '$.{name}')"


def condition(where: Filter | None) -> Condition:
    """A checked filter as a condition."""
    match where:
        case None:
            return "1", []
        case Equals(name, value):
            return f"{column(name)} = ?", [encode_scalar(value)]
        case In(name, values):
            listed = as_list([encode_scalar(value) for value in values])
            return f"{column(name)} IN (SELECT value FROM json_each(?))", [listed]
        case Range(name, low, high):
            return _range(column(name), low, high)
        case Missing(name):
            return f"{column(name)} IS NULL", []
        case And(parts):
            return _all([condition(part) for part in parts])
        case _:
            assert_never(where)


def _range(expression: str, low: Any, high: Any) -> Condition:
    bounds = [(sign, bound) for sign, bound in ((">=", low), ("<=", high)) if bound is not None]
    if not bounds:
        return f"{expression} IS NOT NULL", []
    sql = " AND ".join(f"{expression} {sign} ?" for sign, _ in bounds)
    return sql, [encode_scalar(bound) for _, bound in bounds]


def _all(parts: list[Condition]) -> Condition:
    if not parts:
        return "1", []
    return " AND ".join(f"({sql})" for sql, _ in parts), [value for _, values in parts for value in values]
