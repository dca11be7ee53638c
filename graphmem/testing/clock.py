"""A clock that stands still until it is told otherwise."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

START = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


class FakeClock:
    """Tells the time it was given.

    Args:
        now: Aware time in UTC.
    """

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        """The time it stands at."""
        return self.now

    def advance(self, **by: float) -> datetime:
        """Move on, by the arguments of `timedelta`; the new time."""
        self.now += timedelta(**by)
        return self.now
