"""`graphmem forget`: remove one item."""

from __future__ import annotations

import click

from graphmem.cli.opening import opened
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.cli.output import write_json, write_lines


@click.command(cls=WithGlobalOptions)
@click.argument("kind")
@click.argument("id")
@click.pass_obj
def forget(invocation: Invocation, kind: str, id: str) -> None:  # noqa: A002 (the documented name)
    """Remove the item of this KIND and ID with all its links.

    KIND is message, episode, concept, procedure, pattern, memory, or a kind of memory.
    """
    with opened(invocation) as memory:
        memory.forget(kind=kind, id=id)
    if invocation.json:
        write_json({"forgotten": {"kind": kind, "id": id}})
    else:
        write_lines([f"forgot {kind} {id}"])
