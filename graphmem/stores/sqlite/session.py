"""One open connection and what belongs to it: codes of labels and types, and the running statement's name.

Knows no statement of its own but those that load the codes.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

Row = tuple[Any, ...]

_PARAMETERS = 3500
"""Values of one inserting statement at most: rows take a third less time than with a statement each. Well below
the 32,766 that SQLite allows: with more of them rows took longer again."""


@dataclass(frozen=True, slots=True)
class Codes:
    """Small integers that stand for labels and relationship types in one file.

    The file says which, so that a later program with more kinds reads the same ones.
    """

    labels: dict[str, int] = field(default_factory=dict)
    types: dict[str, int] = field(default_factory=dict)
    label_names: dict[int, str] = field(default_factory=dict)
    type_names: dict[int, str] = field(default_factory=dict)


class Session:
    """A connection of one thread, for the time of one operation."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.codes = Codes()
        self.query = "open"
        """Name of the statement that runs or ran last: errors name it, never its values."""

    def rows(self, query: str, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """All rows of a statement."""
        self.query = query
        return self.connection.execute(sql, parameters).fetchall()

    def row(self, query: str, sql: str, parameters: Sequence[Any] = ()) -> Row | None:
        """The first row of a statement."""
        self.query = query
        found: Row | None = self.connection.execute(sql, parameters).fetchone()
        return found

    def run(self, query: str, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Run a writing statement; how many rows it changed."""
        self.query = query
        return self.connection.execute(sql, parameters).rowcount

    def run_many(self, query: str, sql: str, rows: Iterable[Sequence[Any]]) -> int:
        """Run a writing statement for each row; how many rows they changed together."""
        self.query = query
        return max(self.connection.executemany(sql, rows).rowcount, 0)

    def insert(self, query: str, table: str, rows: Sequence[Sequence[Any]], otherwise: str) -> int:
        """Insert rows of one length, many with one statement; how many rows it changed.

        Args:
            query: Name of the statement.
            table: The table with its columns in brackets.
            rows: Values in the order of the columns.
            otherwise: What follows the values: what happens to rows that are there.
        """
        if not rows:
            return 0
        one = f"({', '.join('?' * len(rows[0]))})"
        at_once = _PARAMETERS // len(rows[0])
        whole = len(rows) - len(rows) % at_once
        changed = 0
        if whole:
            self.query = query
            statement = f"INSERT INTO {table} VALUES {', '.join([one] * at_once)} {otherwise}"
            for begin in range(0, whole, at_once):
                values = list(chain.from_iterable(rows[begin : begin + at_once]))
                changed += self.connection.execute(statement, values).rowcount
        return changed + self.run_many(query, f"INSERT INTO {table} VALUES {one} {otherwise}", rows[whole:])

    def load_codes(self) -> None:
        """Read the codes once the schema is there."""
        labels = {name: code for code, name in self.rows("schema.labels", "SELECT code, name FROM label")}
        types = {name: code for code, name in self.rows("schema.types", "SELECT code, name FROM edge_type")}
        self.codes = Codes(
            labels,
            types,
            {code: name for name, code in labels.items()},
            {code: name for name, code in types.items()},
        )


def as_list(values: Iterable[Any]) -> str:
    """Values as one parameter for `IN (SELECT value FROM json_each(?))`.

    One parameter keeps the statement's text, and with it the prepared statement, the same for any number.
    """
    return json.dumps(list(values), ensure_ascii=False)
