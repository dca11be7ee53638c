"""`graphmem erase`: remove a whole tenant, or one user's part of it, for good."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from graphmem.cli.diagnostics import Exit, say
from graphmem.cli.opening import note_nothing_found, opened
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.cli.output import write_json, write_table

if TYPE_CHECKING:
    from graphmem.memory import GraphMemory


@click.command(cls=WithGlobalOptions)
@click.option("--erase-user", "user", metavar="NAME", help="Only this user's part, with what was derived from it.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def erase(invocation: Invocation, user: str | None, yes: bool) -> Exit:
    """Remove everything of --tenant NAME, or of one user in it, for good.

    The tenant must be named on the line: neither the environment nor a file is enough to lose it. Without
    --yes it asks, and without a terminal it refuses.
    """
    if not invocation.tenant:
        raise click.UsageError("name the tenant on the line: graphmem erase --tenant NAME")
    if invocation.user:
        raise click.UsageError("--user only filters; to erase a user's part say --erase-user NAME")
    with opened(invocation) as memory:
        what = (
            f"tenant {invocation.tenant!r}" if user is None else f"user {user!r} of tenant {invocation.tenant!r}"
        )
        memory.store.info()
        if not yes and not _confirmed(f"Remove everything of {what} for good?"):
            say(invocation, "Nothing was erased.")
            return Exit.FAILED
        erased = _erase(memory, user)
        if not erased:
            note_nothing_found(invocation, memory, "nothing to erase")
    if invocation.json:
        write_json({"erased": erased})
    elif erased:
        write_table(["erased", "count"], sorted(erased.items()))
    return Exit.OK


def _confirmed(question: str) -> bool:
    if not sys.stdin.isatty():
        raise click.UsageError("erasing without a terminal needs --yes")
    return click.confirm(question, err=True)


def _erase(memory: GraphMemory, user: str | None) -> dict[str, int]:
    from graphmem.transfer.erasing import erase_tenant, erase_user  # noqa: PLC0415 (loads the models)

    graph = memory.workspace.graph
    return erase_tenant(graph) if user is None else erase_user(graph, user, memory.workspace.facts)
