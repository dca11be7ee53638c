"""Filters and cursors to conditions on `node`: names out of the closed schema, values as parameters.

The conditions take the place of a statement's filter stand-in. Texts are compared by code point: the server
compares a stored text with a parameter by UTF-16 unit, so characters from U+E000 on, which UTF-16 puts
after the surrogates of U+10000 and above, are written with a mark before them on both sides.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, assert_never

from graphmem.graph.records import And, Equals, Filter, In, Missing, Range, Scalar
from graphmem.stores.neo4j.values import plain

_MARK = "\ud7ff"
"""An unassigned character below the surrogates and above all that is assigned there."""
_BEYOND = 0xE000


@dataclass(slots=True)
class Conditions:
    """Conditions that all hold, with their parameters."""

    parts: list[str] = field(default_factory=list)
    parameters: dict[str, Any] = field(default_factory=dict)
    impossible: bool = False
    """Whether nothing can match: a value out of an empty list."""

    @property
    def text(self) -> str:
        """The conditions joined; what stands for no condition at all."""
        return " AND ".join(self.parts) or "true"

    def parameter(self, value: Any) -> str:
        """Name a value."""
        name = f"given_{len(self.parameters)}"
        self.parameters[name] = value
        return f"${name}"

    def add(self, where: Filter | None) -> Conditions:
        """Add a checked filter."""
        match where:
            case None:
                pass
            case Equals(name, value):
                self.parts.append(f"node.{name} = {self.parameter(plain(value))}")
            case In(name, values):
                self.impossible |= not values
                self.parts.append(f"node.{name} IN {self.parameter([plain(value) for value in values])}")
            case Range(name, low, high):
                self._add_range(name, low, high)
            case Missing(name):
                self.parts.append(f"node.{name} IS NULL")
            case And(parts):
                for part in parts:
                    self.add(part)
            case _:
                assert_never(where)
        return self

    def _add_range(self, name: str, low: Scalar | None, high: Scalar | None) -> None:
        if low is None and high is None:
            self.parts.append(f"node.{name} IS NOT NULL")
        for sign, bound in ((">=", low), ("<=", high)):
            if bound is not None:
                self.compare(name, sign, bound)

    def compare(self, name: str, sign: str, value: Scalar) -> None:
        """Add one comparison."""
        self.parts.append(self._comparison(name, sign, value))

    def _comparison(self, name: str, sign: str, value: Scalar) -> str:
        if isinstance(value, str):
            return f"{_by_code_point(name)} {sign} {self.parameter(marked(value))}"
        return f"node.{name} {sign} {self.parameter(plain(value))}"

    def add_cursor(self, name: str, value: Scalar, node_id: str, *, falling: bool) -> None:
        """Add that a node comes after one with this value and id, in the order of the property, then of ids."""
        beyond = "<" if falling else ">"
        if not isinstance(value, str):
            # what an index can begin at
            self.compare(name, f"{beyond}=", value)
        later = self._comparison(name, beyond, value)
        # a later value, or the same value and a later id
        same = f"node.{name} = {self.parameter(plain(value))} AND {self._comparison('id', '>', node_id)}"
        self.parts.append(f"({later} OR {same})")


def marked(text: str) -> str:
    """A text that UTF-16 orders as code points order the given one."""
    if text.isascii():
        return text
    return "".join(_MARK + character if _BEYOND <= ord(character) < 0x10000 else character for character in text)


def _by_code_point(name: str) -> str:
    """What `marked` makes of a stored text, computed by the server; only the rare texts are taken apart."""
    unit = "unit + CASE WHEN part >= '\\uE000' THEN '\\uD7FF' + part ELSE part END"
    taken_apart = f"reduce(unit = '', part IN split(node.{name}, '') | {unit})"
    return (
        f"CASE WHEN node.{name} =~ '(?s).*[\\\\x{{E000}}-\\\\x{{FFFF}}].*' THEN {taken_apart} ELSE node.{name} END"
    )


def selects_few(where: Filter | None, indexed: frozenset[str]) -> bool:
    """Whether a filter names values of an indexed property, so that few nodes match."""
    match where:
        case Equals(name, _) | In(name, _):
            return name == "id" or name in indexed
        case And(parts):
            return any(selects_few(part, indexed) for part in parts)
        case _:
            return False
