"""The form of a command that was given `-`: a text or a JSON object a line in, a line of JSON out."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from graphmem.cli.diagnostics import Exit
from graphmem.cli.output import write_json_line
from graphmem.errors import GraphMemError, InvalidInputError, StoreUnavailableError

Answer = Callable[[str, Mapping[str, Any]], Any]
"""Takes the text of a line and its other fields, returns what is printed as JSON."""

Reading = Callable[[Any], Any]
"""Takes the JSON value of a field, returns what the library is given; a ValueError says what is wrong."""


def answer_lines(answer: Answer, *, fields: Mapping[str, Reading]) -> Exit:
    """Answer each line of stdin with one line of JSON, in the same order, until it ends.

    A line that is refused is answered with {"error": reason}; those after it are answered all the same.

    Args:
        answer: Does the work of a line.
        fields: What an object may hold beside `text`, and how its value is read; null is as if it
            were not there.

    Returns:
        FAILED when a line was refused.

    Raises:
        StoreUnavailableError: The store went away: no further line could be answered.
    """
    ended = Exit.OK
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        try:
            write_json_line(answer(*read_line(line, fields)))
        except StoreUnavailableError:
            raise
        except GraphMemError as error:
            write_json_line({"error": str(error)})
            ended = Exit.FAILED
    return ended


def read_line(line: bytes, fields: Mapping[str, Reading]) -> tuple[str, dict[str, Any]]:
    """The text of a line and its other fields.

    Args:
        line: UTF-8. What begins with `{` is a JSON object with `text`, what begins with `"` a JSON text,
            anything else is the text itself.
        fields: What an object may hold beside `text`, and how its value is read.

    Raises:
        InvalidInputError: It is neither, or a field is not what it can be.
    """
    try:
        text = line.decode("utf-8-sig").strip()
        given = json.loads(text) if text.startswith(("{", '"')) else text
    except UnicodeDecodeError:
        raise InvalidInputError("the line is not UTF-8") from None
    except (ValueError, RecursionError):
        raise InvalidInputError("the line begins like JSON but is not; write a text as a JSON string") from None
    if isinstance(given, str):
        return given, {}
    rest = {name: value for name, value in given.items() if name != "text" and value is not None}
    if not isinstance(given.get("text"), str):
        raise InvalidInputError("the line needs `text`, a string")
    if unknown := sorted(rest.keys() - fields):
        raise InvalidInputError(f"the line has the unknown field {unknown[0]!r}; it can have {_listed(fields)}")
    return given["text"], {name: _read(name, value, fields[name]) for name, value in rest.items()}


def as_given(value: Any) -> Any:
    """Reads a field that the library itself checks."""
    return value


def whole_number(value: Any) -> int:
    """Reads a whole number."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("give a whole number")  # noqa: TRY004 (what every reading raises)
    return value


def number(value: Any) -> float:
    """Reads a number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("give a number")  # noqa: TRY004 (what every reading raises)
    return value


def names(value: Any) -> list[str]:
    """Reads a list of names."""
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ValueError("give a list of names")
    return value


def _read(name: str, value: Any, reading: Reading) -> Any:
    try:
        return reading(value)
    except ValueError as fault:
        raise InvalidInputError(f"{name}: {fault}") from None


def _listed(fields: Iterable[str]) -> str:
    return ", ".join(("text", *sorted(fields)))
