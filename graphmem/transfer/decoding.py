"""Bytes of one record to a JSON value, strictly: what JSON does not have is refused, never guessed.

Python's own reader would take NaN, let the last of two equal keys win, and read an exponent that is out
of range as infinity.
"""

from __future__ import annotations

import json
import math
from typing import Any

from graphmem.transfer.faults import RecordFault


def decode_object(data: bytes) -> dict[str, Any]:
    """The JSON object that the bytes of a record hold.

    Raises:
        RecordFault: It is not UTF-8, not JSON, not an object, or nested too deeply.
    """
    value = decode_value(_text(data))
    if not isinstance(value, dict):
        raise RecordFault(f"a record is a JSON object, not {_kind(value)}")
    return value


def decode_value(text: str) -> Any:
    """A JSON value out of text.

    Raises:
        RecordFault: The text is not strict JSON; the reason says where.
    """
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as fault:
        told = fault.msg.removesuffix(" at")  # as some of Python's own messages end
        raise RecordFault(f"not JSON: {told} at character {fault.pos + 1}") from fault
    except RecursionError as fault:
        raise RecordFault("nested too deeply") from fault
    except RecordFault:
        raise
    except ValueError as fault:  # an integer longer than Python reads
        raise RecordFault("a number is out of range") from fault


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise RecordFault(f"not UTF-8 at byte {fault.start + 1} of the record") from fault


def _kind(value: Any) -> str:
    names = {list: "a list", str: "text", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")


def _no_constant(name: str) -> Any:
    raise RecordFault(f"{name} is not JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise RecordFault("a number is out of range")
    return value


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for index, name in enumerate(names) if name in names[:index])
        raise RecordFault(f"the field {twice[:80]!r} is given twice")
    return found


_DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_unique_keys)
