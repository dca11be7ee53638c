"""Filters to SQL conditions over the table `node`: names out of the closed schema, values as parameters.

Filterable properties are read out of the JSON where they are needed. Generated columns would say the
same, but SQLite computes all of them on every insert: twice the time of an import's nodes.
"""

from __future__ import annotations

from typing import Any, assert_never

from graphmem.graph.records import And, Equals, Filter, In, Missing, Range, Scalar
from graphmem.stores.sqlite.codec import encode_scalar
from graphmem.stores.sqlite.session import as_list

_COMMON = frozenset({"kind", "state"})
"""Indexed properties whose values many nodes share: a list of them is not worth beginning at."""

Condition = tuple[str, list[Any]]
"""SQL and its parameters."""


INDEXED = (
    *(("Episode", "started_at"), ("Episode", "state"), ("Step", "episode"), ("Finding", "episode")),
    *(("Message", "at"), ("Message", "session"), ("Memory", "kind"), ("Memory", "subject_key")),
    *(("Concept", "key"), ("Alias", "key"), ("Procedure", "key"), ("Pattern", "run")),
)
"""Properties with an index: each costs every write, so only what lists and look-ups begin with."""

FURTHER = {("Message", "session"): ("user_id", "at")}
"""Properties that an index holds behind its own: the last message of a user's session is its first entry."""

SELECTING = (("Episode", "outcome"), ("Episode", "domain"))
"""Properties with an index at which only a search by vector begins, when the nearest nodes fail its filter.

A page by time would have to sort all nodes of a common value; its own index gives the first ones at once.
"""

SELECTING_NAMES = frozenset(name for _, name in SELECTING)

COMMON_LABELS = ("Memory",)
"""Labels of which a user also reads what is nobody's: most tenants hold little of it, or little else."""


def column(name: str) -> str:
    """The expression that reads a property; indexes are over the same text."""
    return "id" if name == "id" else f"json_extract(properties, '$.{name}')"


def condition(where: Filter | None, *, avoided: frozenset[str] = SELECTING_NAMES) -> Condition:
    """A checked filter as a condition.

    Args:
        where: The filter.
        avoided: Properties at whose index the statement must not begin.
    """
    match where:
        case None:
            return "1", []
        case Equals(name, value):
            return f"{_read(name, avoided)} = ?", [encode_scalar(value)]
        case In(name, values):
            listed = as_list([encode_scalar(value) for value in values])
            return f"{_read(name, avoided)} IN (SELECT value FROM json_each(?))", [listed]
        case Range(name, low, high):
            return _range(column(name), low, high)
        case Missing(name):
            return f"{_read(name, avoided)} IS NULL", []
        case And(parts):
            return _all([condition(part, avoided=avoided) for part in parts])
        case _:
            assert_never(where)


def _read(name: str, avoided: frozenset[str]) -> str:
    """A property; with a plus sign the planner does not begin at its index."""
    return f"+{column(name)}" if name in avoided else column(name)


def equations(where: Filter | None) -> dict[str, Scalar]:
    """Properties of which a filter names one value, with the value."""
    match where:
        case Equals(name, value):
            return {name: value}
        case And(parts):
            return {name: value for part in parts for name, value in equations(part).items()}
        case _:
            return {}


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


def index_name(label: str, name: str) -> str:
    """The index over a property of `INDEXED`, or over user_id."""
    return "node_user" if name == "user_id" else f"node_{label.lower()}_{name}"


def common_index(label: str) -> str:
    """The index over the nodes of a label that are nobody's."""
    return f"node_{label.lower()}_common"


def table(label: str, where: Filter | None) -> str:
    """The table to read with a filter, with the index to begin at where the planner would not choose it.

    It does not know how short a list of values is, and would read a whole label instead.
    """
    name = _listed(label, where) or _stream(label, where)
    return "node" if name is None else f"node INDEXED BY {index_name(label, name)}"


def _stream(label: str, where: Filter | None) -> str | None:
    """The session of messages where a filter names one, or names a user and none.

    The planner would walk through the messages of all sessions by their times, to save itself the sorting.
    """
    if label != "Message":
        return None
    parts = where.parts if isinstance(where, And) else (where,)
    named = {part.property for part in parts if isinstance(part, Equals)}
    absent = {part.property for part in parts if isinstance(part, Missing)}
    has_session = "session" in named or ("session" in absent and "user_id" in named | absent)
    return "session" if has_session else None


def _listed(label: str, where: Filter | None) -> str | None:
    """A property with an index of which the filter lists values; one that names single things before a user."""
    match where:
        case In(name, _) if name == "user_id" or ((label, name) in INDEXED and name not in _COMMON):
            return name
        case And(parts):
            listed = [found for part in parts if (found := _listed(label, part)) is not None]
            return min(listed, key=lambda name: name == "user_id", default=None)
        case _:
            return None
