"""`graphmem doctor`: a store's health, line by line."""

from __future__ import annotations

import click

from graphmem.cli.diagnostics import Exit
from graphmem.cli.opening import opened
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.cli.output import write_json, write_table


@click.command(cls=WithGlobalOptions)
@click.pass_obj
def doctor(invocation: Invocation) -> Exit:
    """Check the store: connection, TLS, version, edition, privileges, indexes, dimension, headroom, orphans.

    Ends with 1 when something is wrong, with 3 when there is no store; each such line says what to do.
    """
    with opened(invocation) as memory:
        checks = memory.store.check()
    if invocation.json:
        write_json([{"check": line.check, "ok": line.ok, "detail": line.detail} for line in checks])
    else:
        rows = [(line.check, "ok" if line.ok else "WRONG", line.detail) for line in checks]
        write_table(["check", "", "detail"], rows, whole=True)
    wrong = {line.check for line in checks if not line.ok}
    if "connection" in wrong:
        return Exit.STORE
    return Exit.FAILED if wrong else Exit.OK
