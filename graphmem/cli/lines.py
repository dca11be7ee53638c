"""The form of a command that was given `-`: a text or a JSON object a line in, a line of JSON out."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

from graphmem.cli.diagnostics import Exit
from graphmem.cli.output import write_json_line
from graphmem.errors import GraphMemError, InvalidInputError, StoreUnavailableError

Answer = Callable[[str, Mapping[str, Any]], Any]
"""Takes the text of a line and its other fields, returns what is printed as JSON."""


def answer_lines(answer: Answer, *, fields: frozenset[str] = frozenset()) -> Exit:
    """Answer each line of stdin with one line of JSON, in the same order, until it ends.

    A line that is refused is answered with {"error": reason}; those after it are answered all the same.

    Args:
        answer: Does the work of a line.
        fields: What an object may hold beside `text`.

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


def read_line(line: bytes, fields: frozenset[str]) -> tuple[str, dict[str, Any]]:
    """The text of a line and its other fields.

    Args:
        line: UTF-8. What begins with `{` is a JSON object with `text`, what begins with `"` a JSON text,
            anything else is the text itself.
        fields: What an object may hold beside `text`.

    Raises:
        InvalidInputError: It is neither.
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
    rest = {name: value for name, value in given.items() if name != "text"}
    if not isinstance(given.get("text"), str):
        raise InvalidInputError("the line needs `text`, a string")
    if unknown := sorted(rest.keys() - fields):
        raise InvalidInputError(f"the line has the unknown field {unknown[0]!r}; it can have {_listed(fields)}")
    return given["text"], rest


def _listed(fields: frozenset[str]) -> str:
    return ", ".join(("text", *sorted(fields)))
