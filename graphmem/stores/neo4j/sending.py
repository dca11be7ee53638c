"""Parameters on their way to the server, without stored text in the driver's debug log.

The driver words every parameter of every statement for that log, whether anybody reads it or not: a fifth of
what an import asks of the client's processor. Leaves out single values: texts of a query are shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Unshown(list[Any]):
    """A list whose items no log shows."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{len(self)} items>"


def sent(parameters: Mapping[str, Any] | None) -> dict[str, Any]:
    """The parameters of a statement, as they are handed to the driver."""
    given = parameters or {}
    return {name: Unshown(value) if isinstance(value, list) else value for name, value in given.items()}
