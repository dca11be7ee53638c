"""`graphmem settings`: what holds, and why."""

from __future__ import annotations

import click

from graphmem.cli.opening import settings_of
from graphmem.cli.options import Invocation, WithGlobalOptionsGroup
from graphmem.cli.output import write_json, write_table


@click.group(cls=WithGlobalOptionsGroup)
def settings() -> None:
    """Show the settings and where each comes from."""


@settings.command()
@click.pass_obj
def show(invocation: Invocation) -> None:
    """Show every setting, its value and its source; of secrets only whether they are set."""
    from pydantic import BaseModel  # noqa: PLC0415 (loaded when the command runs)

    rows = list(settings_of(invocation).rows())
    if invocation.json:
        write_json(
            [
                {
                    "name": row.name,
                    "value": row.value.model_dump(mode="json") if isinstance(row.value, BaseModel) else row.value,
                    "source": row.source,
                    "variables": list(row.variables),
                    "description": row.description,
                }
                for row in rows
            ]
        )
    else:
        write_table(
            ["setting", "value", "source", "variable"],
            [[row.name, _shown(row.value), row.source, row.variables[0]] for row in rows],
        )


def _shown(value: object) -> object:
    """Numbers as they were written, not rounded for a table."""
    return value if value is None or isinstance(value, bool) else f"{value}"
