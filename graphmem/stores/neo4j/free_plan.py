"""Looks at what the server says a statement would do, and refuses all that is not reading: pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from graphmem.errors import InvalidInputError
from graphmem.stores.neo4j.free_allowed import OPERATORS, PROCEDURES

_VARIANT = re.compile(r"\(.*\)$")
_PREFIX = re.compile(r"^(Partitioned)?(Directed|Undirected)?")


def check_plan(plan: Mapping[str, Any] | None, query_type: str | None, database: str | None) -> None:
    """Refuse a plan that does more than read one database.

    Args:
        plan: The tree of operators as the driver gives it.
        query_type: The server's own word: r, rw, w, or s for schema and administration.
        database: The one that the statement would run on.

    Raises:
        InvalidInputError: What the plan holds.
    """
    if query_type != "r" or not plan:
        kinds = {"w": "writes", "rw": "writes", "s": "changes the schema or asks of the server itself"}
        raise InvalidInputError(f"free Cypher only reads; this {kinds.get(query_type or '', 'is not reading')}")
    for operator, details in _operators(plan):
        name, _, graph = operator.partition("@")
        if graph and database and graph.casefold() != database.casefold():
            raise InvalidInputError(f"free Cypher reads the database {database} only; this turns to {graph}")
        base = _VARIANT.sub("", name)
        if _PREFIX.sub("", base) not in OPERATORS and base not in OPERATORS:
            raise InvalidInputError(f"free Cypher only reads; the plan of this has the operator {name}")
        if base == "ProcedureCall" and (called := details.partition("(")[0].strip()) not in PROCEDURES:
            raise InvalidInputError(
                f"free Cypher does not call {called}; it may call {', '.join(sorted(PROCEDURES))}"
            )


def _operators(plan: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    waiting = [plan]
    while waiting:
        part = waiting.pop()
        yield str(part.get("operatorType", "?")), str(part.get("args", {}).get("Details", ""))
        waiting.extend(part.get("children", ()))
