"""What an operator's free query may cost, what it answers, and the stores that run one.

It is no part of the narrow waist: such a query sees every tenant, and a store need not offer it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from graphmem.ports.rows import Row


@dataclass(frozen=True, slots=True)
class FreeQueryLimits:
    """Where a free query is cut off."""

    seconds: float
    """After so long the server stops it, and there is no answer."""
    rows: int
    """The answer ends after so many rows."""
    bytes: int
    """The answer ends before the row with which it would take more bytes as JSON in UTF-8."""


@dataclass(frozen=True, slots=True)
class FreeAnswer:
    """The rows of a free query, of plain values: text, numbers, truth values, lists, mappings or None."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    truncated: Literal["rows", "bytes"] | None
    """Which limit cut the answer off; None: it is whole."""


@runtime_checkable
class RunsFreeQueries(Protocol):
    """A store that runs reading statements of an operator."""

    def free_query(self, text: str, parameters: Mapping[str, Any], limits: FreeQueryLimits) -> FreeAnswer:
        """The rows of a reading statement over all tenants.

        Raises:
            InvalidInputError: It is more than reading, cannot be understood, or its parameters are not
                those that are given.
            StatementError: It failed while it ran, or took too long.
            StoreUnavailableError: The server cannot be reached, or nothing was ever written there.
        """
        ...
