"""Field types shared by the models: text, names, times, shares and JSON objects.

They hold what every store can hold without loss, so a fault is found at the boundary, once.
"""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, Strict

MAX_NAME_LENGTH = 512
"""Characters of a name: names are keys of range indexes, which hold a few kilobytes a value."""

_NAME_CACHE = 16_384
"""Names that are known to be good: steps use the same few over and over."""

OPEN_END = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
"""How a store writes "until further notice"; models say None."""


class Frozen(BaseModel):
    """What all models share: frozen values, unknown fields refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")


def check_text(value: str) -> str:
    """Return text unchanged when it can be stored: no NUL and no lone surrogate."""
    if value.isascii():
        if "\0" in value:
            raise ValueError("text holds a NUL character")
        return value
    if "\0" in value:
        raise ValueError("text holds a NUL character")
    try:
        value.encode()
    except UnicodeEncodeError as fault:
        raise ValueError("text holds a lone surrogate: it is not valid Unicode") from fault
    return value


@lru_cache(_NAME_CACHE)
def check_name(value: str) -> str:
    """Return a name without outer blanks; a blank name is refused."""
    name = check_text(value).strip()
    if not name or not (name[0].isprintable() or any(map(_is_visible, name))):
        raise ValueError("a name is blank")
    if len(name) > MAX_NAME_LENGTH:
        raise ValueError(f"a name has {len(name)} characters, more than {MAX_NAME_LENGTH}")
    return name


def _is_visible(character: str) -> bool:
    return character.isprintable() and not character.isspace()


def to_utc(value: Any) -> datetime:
    """Read a time: an aware datetime, ISO 8601 text with an offset, or epoch milliseconds.

    Raises:
        ValueError: The time is naive, malformed, or outside the years 1-9999 in UTC.
    """
    try:
        moment = _moment(value)
        if moment.utcoffset() is None:
            raise ValueError(
                "a time has no offset: write 2026-03-01T09:00:00Z or +09:00, or pass an aware datetime such as"
                " datetime.now(UTC)"
            )
        return moment.astimezone(UTC)
    except OverflowError as fault:
        raise ValueError("a time lies outside the years 1-9999 in UTC") from fault


def _moment(value: Any) -> datetime:
    if isinstance(value, datetime):
        return value
    if isinstance(value, str):
        return _written(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        if not math.isfinite(value):
            raise ValueError("a time is not a finite number")
        try:
            return datetime.fromtimestamp(value / 1000, UTC)
        except (OSError, ValueError) as fault:
            raise ValueError("a time in epoch milliseconds lies outside the years 1-9999") from fault
    raise ValueError(f"a time is a {type(value).__name__}, not ISO 8601 text or epoch milliseconds")


def _written(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError as fault:
        # Python's message repeats the text, except where it names a part that is out of range
        told = f": {fault}" if " must be in " in str(fault) else ""
        raise ValueError(f"a time is not ISO 8601{told}, as 2026-03-01T09:00:00Z is") from None


def sorted_object(value: dict[str, Any]) -> dict[str, Any]:
    """A JSON object with its keys in one order, so that equal content has one written form."""
    if not value:
        return value
    try:
        text = canonical_json(value)
        text.encode()
    except UnicodeEncodeError as fault:
        raise ValueError("a JSON value holds a lone surrogate") from fault
    except (TypeError, ValueError, RecursionError) as fault:
        raise ValueError(f"not a JSON object: {fault}") from fault
    if "\\u0000" in text and _holds_nul(value):
        raise ValueError("a JSON value holds a NUL character")
    ordered: dict[str, Any] = json.loads(text)
    return ordered


def _holds_nul(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_holds_nul(part) for pair in value.items() for part in pair)
    if isinstance(value, list | tuple):
        return any(_holds_nul(part) for part in value)
    return isinstance(value, str) and "\0" in value


def canonical_json(value: Any) -> str:
    """JSON text with sorted keys, no blanks and no NaN: equal values give equal text."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


Text = Annotated[str, AfterValidator(check_text)]
"""Any text without NUL and lone surrogates."""

Name = Annotated[str, AfterValidator(check_name)]
"""A name of 1-512 characters as it was given, outer blanks removed, never blank."""

UtcDatetime = Annotated[datetime, BeforeValidator(to_utc)]
"""An aware time in UTC."""

Share = Annotated[float, Strict(), Field(ge=0.0, le=1.0, allow_inf_nan=False)]
"""A number from 0 to 1."""

Count = Annotated[int, Strict(), Field(ge=0, le=2**63 - 1)]
"""A count: 0 or more, at most what a 64-bit store holds."""

Flag = Annotated[bool, Strict()]
"""True or false; 0, 1 and "yes" are refused."""

JsonObject = Annotated[dict[str, Any], AfterValidator(sorted_object)]
"""A JSON object, kept as given but with sorted keys; stored as canonical JSON text, not filterable."""
