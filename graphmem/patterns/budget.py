"""How much of the time that a run may take is left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


class TimeIsUpError(Exception):
    """The time ran out within a piece of work; what it has found so far is of no use."""


class TimeBudget:
    """Seconds for a piece of work, counted from here on.

    Args:
        seconds: How many; None: no limit.
        clock: Seconds from any origin, never going back; read only where there is a limit.
    """

    def __init__(self, seconds: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = None if seconds is None else clock() + seconds

    def left(self) -> float | None:
        """Seconds until the end, less than 0 behind it; None: no limit."""
        return None if self._end is None else self._end - self._clock()

    def is_over(self) -> bool:
        """Whether the time is spent."""
        return self._end is not None and self._clock() >= self._end

    def watched(self, pieces: Iterable[T]) -> Iterator[T]:
        """The pieces one after the other, as long as there is time.

        Raises:
            TimeIsUpError: Before a piece for which there is none.
        """
        for piece in pieces:
            if self.is_over():
                raise TimeIsUpError
            yield piece
