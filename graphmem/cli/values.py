"""Values of options that are more than text: times and name=value pairs."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import click


class Moment(click.ParamType[datetime]):
    """ISO 8601 with an offset, or epoch milliseconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Read what was typed."""
        from graphmem.models.fields import to_utc  # noqa: PLC0415 (loads pydantic)

        given = int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value
        try:
            return to_utc(given)
        except ValueError as fault:
            self.fail(f"{value!r}: {fault}", param, ctx)


class Pair(click.ParamType[tuple[str, str]]):
    """NAME=VALUE; everything after the first `=` is the value."""

    name = "name=value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        """Cut what was typed at the first `=`."""
        if isinstance(value, tuple):
            return value
        name, separator, rest = str(value).partition("=")
        if not separator or not name:
            self.fail(f"{value!r} is not of the form name=value", param, ctx)
        return name, rest


MOMENT = Moment()
PAIR = Pair()


def as_mapping(pairs: Iterable[tuple[str, str]], option: str) -> dict[str, str]:
    """Pairs as a mapping.

    Raises:
        click.UsageError: A name was given twice.
    """
    found: dict[str, str] = {}
    for name, value in pairs:
        if name in found:
            raise click.UsageError(f"{option} {name} is given twice")
        found[name] = value
    return found


def time_text(value: datetime | None) -> str | None:
    """A time as it is printed: ISO 8601 with its offset, Z for UTC, with as many fractions as it has."""
    return None if value is None else value.isoformat().replace("+00:00", "Z")
