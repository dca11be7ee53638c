"""The offset from UTC that a time was given with: kept beside the time, which is in UTC, for showing it. Pure.

It is no content: the same moment given with another offset is the same.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Annotated, Any

from pydantic import Field, Strict

_DAY = 24 * 60

UtcOffset = Annotated[int, Strict(), Field(gt=-_DAY, lt=_DAY)]
"""Minutes east of UTC."""


def offset_of(value: Any) -> int | None:
    """Minutes east of UTC that a time was given with, seconds left out.

    Args:
        value: As for `graphmem.models.fields.to_utc`.

    Returns:
        None for UTC, and for what says nothing of where it was: -00:00, epoch milliseconds, no time at all.
    """
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else value
        offset = moment.utcoffset() if isinstance(moment, datetime) else None
    except ValueError:
        return None
    return None if offset is None else int(offset.total_seconds() / 60) or None


def with_offset(given: Any, *names: str) -> Any:
    """Values for a model, with the offset of the first of these times that is there as `utc_offset`.

    Args:
        given: What the model was given; an offset that it holds stays.
        names: Fields that hold times.
    """
    if not isinstance(given, dict) or given.get("utc_offset") is not None:
        return given
    moment = next((given[name] for name in names if given.get(name) is not None), None)
    offset = offset_of(moment)
    return given if offset is None else {**given, "utc_offset": offset}


def in_offset(moment: datetime, offset: int | None) -> datetime:
    """A moment as a clock showed it that is so many minutes east of UTC; None: in UTC.

    Where that lies outside the years 1-9999 it stays in UTC.
    """
    if offset is None:
        return moment
    try:
        return moment.astimezone(timezone(timedelta(minutes=offset)))
    except OverflowError:
        return moment
