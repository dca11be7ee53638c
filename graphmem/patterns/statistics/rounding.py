"""Rounds the figures that are stored."""

from __future__ import annotations

from graphmem.models.pattern import Interval

DIGITS = 6
"""Decimals of stored figures: more would be noise, and differ between processors."""


def rounded(value: float) -> float:
    """A figure as it is stored."""
    return round(value, DIGITS)


def rounded_interval(interval: Interval) -> Interval:
    """Both ends as they are stored."""
    return rounded(interval[0]), rounded(interval[1])
