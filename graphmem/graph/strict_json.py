"""Strict JSON: what JSON does not have is refused, never guessed. Pure.

Python's own reader would take NaN, let the last of two equal keys win, and read an exponent that is out
of range as infinity.
"""

from __future__ import annotations

import json
import math
from typing import Any


class StrictJsonError(ValueError):
    """A text is no strict JSON; the message says where."""


def strict_value(text: str) -> Any:
    """A JSON value out of text.

    Raises:
        StrictJsonError: The text is not strict JSON.
    """
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as fault:
        told = fault.msg.removesuffix(" at")  # as some of Python's own messages end
        raise StrictJsonError(f"not JSON: {told} at character {fault.pos + 1}") from fault
    except RecursionError as fault:
        raise StrictJsonError("nested too deeply") from fault
    except StrictJsonError:
        raise
    except ValueError as fault:  # an integer longer than Python reads
        raise StrictJsonError("a number is out of range") from fault


def _no_constant(name: str) -> Any:
    raise StrictJsonError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise StrictJsonError("a number is out of range")
    return value


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for index, name in enumerate(names) if name in names[:index])
        raise StrictJsonError(f"the field {twice[:80]!r} is given twice")
    return found


_DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_unique_keys)
