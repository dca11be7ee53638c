"""Bytes of one record to a JSON value, strictly; graph/strict_json.py says what that means."""

from __future__ import annotations

from typing import Any

from graphmem.graph.strict_json import StrictJsonError, strict_value
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
        return strict_value(text)
    except StrictJsonError as fault:
        raise RecordFault(str(fault)) from fault


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise RecordFault(f"not UTF-8 at byte {fault.start + 1} of the record") from fault


def _kind(value: Any) -> str:
    names = {list: "a list", str: "text", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")
