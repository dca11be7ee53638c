"""Whether the values of a call that lists patterns are of the kinds it asks for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from graphmem.errors import InvalidInputError

_KINDS: Mapping[str, tuple[type, str]] = {
    **dict.fromkeys(("domain", "polarity", "about", "tool", "goal", "task", "order"), (str, "a text")),
    **dict.fromkeys(("since", "until"), (datetime, "a time with an offset")),
    "limit": (int, "a whole number"),
    "after": (tuple, "`next` of the page before"),
}


def check_kinds(asked: Mapping[str, Any]) -> None:
    """Refuse a value of another kind; None asks nothing.

    Raises:
        InvalidInputError: A value is of another kind, by its name.
    """
    for name, value in asked.items():
        kind, words = _KINDS[name]
        if value is not None and not isinstance(value, kind):
            raise InvalidInputError(f"{name} is {value!r}; give {words}")
