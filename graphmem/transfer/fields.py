"""Where a foreign format keeps what an episode needs: `--field outcome=reward`.

A name is a field of the record, or a dotted path into it (`info.exit_status`). null is absent; 0 and "" are
values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from graphmem.errors import InvalidInputError
from graphmem.transfer.faults import RecordFault

FIELDS = ("messages", "outcome", "task", "id", "session", "at", "variant", "goal", "user", "domain")
"""What can be mapped; without a mapping each is looked for under its own name."""


def parse_assignments(given: Iterable[str]) -> dict[str, str]:
    """The mapping that `name=where` arguments say.

    Raises:
        InvalidInputError: One of them is malformed or names an unknown field.
    """
    found = {}
    for text in given:
        name, sign, where = text.partition("=")
        if not sign or not where:
            raise InvalidInputError(f"--field {text!r} is not NAME=FIELD, as in outcome=reward")
        found[name] = where
    return check_fields(found)


def check_fields(given: Mapping[str, str]) -> dict[str, str]:
    """A mapping whose names are all known.

    Raises:
        InvalidInputError: One is not.
    """
    for name in given:
        if name not in FIELDS:
            raise InvalidInputError(f"--field knows no {name!r}; it knows {', '.join(FIELDS)}")
    return dict(given)


class Lookup:
    """Reads one record through a mapping and remembers what was read."""

    def __init__(self, record: Mapping[str, Any], names: Mapping[str, str]) -> None:
        self._record = record
        self._names = names
        self._read: set[str] = set()

    def value(self, name: str) -> Any:
        """The value of a field; None when the record has none."""
        where = self._names.get(name, name)
        if where in self._record:
            self._read.add(where)
            return self._record[where]
        first, *rest = where.split(".")
        value = self._record.get(first)
        for part in rest:
            value = value.get(part) if isinstance(value, Mapping) else None
        return value if rest else None

    def text(self, name: str) -> str | None:
        """The value of a field as text: numbers and truth values as they are written in JSON.

        Raises:
            RecordFault: It is a list or an object.
        """
        value = self.value(name)
        if value is None or isinstance(value, str):
            return value
        return scalar_text(value, name)

    def consume(self, name: str) -> None:
        """Take a field of the record itself as known."""
        self._read.add(name)

    def rest(self) -> dict[str, Any]:
        """The fields that were not read: unknown ones, and those that hold more than what was read."""
        return {name: value for name, value in self._record.items() if name not in self._read}


def scalar_text(value: Any, name: str) -> str:
    """A JSON scalar as text; a whole number has no fraction.

    Raises:
        RecordFault: It is a list or an object.
    """
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer():
            return str(int(value))
        case int() | float():
            return str(value)
        case _:
            raise RecordFault(f"{name} is neither text nor a number")
