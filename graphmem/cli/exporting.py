"""`graphmem export`: a tenant as JSON Lines, in a file or on stdout."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

import click

from graphmem.cli.diagnostics import say
from graphmem.cli.escaping import safe_json
from graphmem.cli.opening import note_nothing_found, opened
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.cli.output import write_json
from graphmem.cli.progress import progress

if TYPE_CHECKING:
    from graphmem.cli.progress import Advance
    from graphmem.memory import GraphMemory


@click.command(cls=WithGlobalOptions)
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--full", is_flag=True, help="Every node and edge as it is stored, vectors included.")
@click.pass_obj
def export(invocation: Invocation, file: Path | None, full: bool) -> None:
    """Write the tenant as JSON Lines to FILE, or to stdout.

    What is derived (patterns, runs, vectors) is left out unless --full is given: importing the rest makes it
    anew. With --user only what is that user's is written.
    """
    if file is None and invocation.json:
        raise click.UsageError("with --json give a FILE: the export itself would be on stdout")
    if full and invocation.user:
        raise click.UsageError("--full writes the whole tenant: leave out --user, or --full")
    with opened(invocation) as memory, progress(invocation, "Exporting") as advance:
        written = _write(memory, file, advance, full=full)
        if not written:
            note_nothing_found(invocation, memory, "nothing to export")
    if invocation.json:
        write_json({"file": str(file), "records": written})
    elif written:
        what = ", ".join(f"{count} {kind}" for kind, count in written.items())
        say(invocation, f"Wrote {what}.{'' if full else f' {_left_out()}'}")


def _write(memory: GraphMemory, file: Path | None, advance: Advance, *, full: bool) -> dict[str, int]:
    from graphmem.transfer.exporting import export_domain, export_file, export_full  # noqa: PLC0415 (loads the models)

    graph = memory.workspace.graph

    def write(stream: BinaryIO) -> dict[str, int]:
        if full:
            return export_full(graph, stream, memory.store.info().embedder, progress=advance)
        return export_domain(graph, stream, user=memory.user, progress=advance)

    return write(_stdout()) if file is None else export_file(file, write)


def _left_out() -> str:
    from graphmem.transfer.exporting import LEFT_OUT  # noqa: PLC0415 (loads the models)

    return f"{LEFT_OUT[:1].upper()}{LEFT_OUT[1:]}."


def _stdout() -> BinaryIO:
    """Stdout for bytes: as they are in a pipe or file, harmless at a terminal."""
    return cast("BinaryIO", _Screen()) if sys.stdout.isatty() else sys.stdout.buffer


class _Screen(io.RawIOBase):
    """A terminal that shows JSON Lines."""

    def write(self, data: object) -> int:
        """Show some lines."""
        given = bytes(cast("bytes", data))
        return sys.stdout.write(safe_json(given.decode()))
