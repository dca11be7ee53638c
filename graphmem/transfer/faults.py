"""Why a record was refused: the one exception of the readers and parsers, and what a report keeps of it.

Nothing here repeats stored text: a reason names fields, places and rules.
"""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import ValidationError

from graphmem.models.checking import in_words

_SHOWN = 3
"""Faults of one record that its reason spells out."""


class RecordFault(ValueError):  # noqa: N818 (a record's fault is data of the report, not an error of the call)
    """A record cannot be taken; its message is the reason. Never leaves graphmem.transfer."""


@dataclass(frozen=True, slots=True)
class Refused:
    """One record that was not imported."""

    path: str
    """The file as it was named; `-` for standard input."""
    line: int
    """1-based line on which the record starts."""
    reason: str
    """What is wrong with it."""


def reason_of(fault: Exception) -> str:
    """A fault in one line, without the values that caused it."""
    if isinstance(fault, ValidationError):
        return _validation_reason(fault)
    if isinstance(fault, RecursionError):
        return "nested too deeply"
    text = str(fault)
    if "Circular reference" in text or "depth exceeded" in text:
        return "nested too deeply"
    return text or type(fault).__name__


def _validation_reason(fault: ValidationError) -> str:
    errors = fault.errors(include_url=False, include_input=False, include_context=False)
    parts = [_one_fault(error["loc"], error["msg"]) for error in errors[:_SHOWN]]
    if len(errors) > _SHOWN:
        parts.append(f"and {len(errors) - _SHOWN} more")
    return "; ".join(parts)


def _one_fault(place: tuple[int | str, ...], message: str) -> str:
    where = ".".join("user" if part == "user_id" else str(part) for part in place)
    if message == "Field required":
        return f"{where} is missing"
    words = in_words(message)
    return f"{where}: {words}" if where else words
