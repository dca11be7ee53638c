"""Time, read by workflows only; pure functions take it as an argument."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def __call__(self) -> datetime:
        """The present moment, aware and in UTC."""
        ...


def system_clock() -> datetime:
    """The machine's clock, in UTC."""
    return datetime.now(UTC)
