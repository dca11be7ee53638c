"""`graphmem patterns report`: what recurs, for a reader: text, Markdown, JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from graphmem.cli.escaping import json_text, visible
from graphmem.cli.opening import note_nothing_found, opened
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.cli.output import write_json, write_text
from graphmem.cli.pages import everything
from graphmem.cli.pattern_filters import pattern_filters

if TYPE_CHECKING:
    from graphmem.memory import GraphMemory


@click.command(cls=WithGlobalOptions)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "md", "json"]),
    default="text",
    show_default=True,
    help="Plain text, Markdown or JSON.",
)
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file, not to stdout."
)
@pattern_filters
@click.option("--most", type=click.IntRange(1), default=10, show_default=True, help="Patterns a domain at most.")
@click.pass_obj
def report(
    invocation: Invocation, /, form: Literal["text", "md", "json"], output: Path | None, most: int, **filters: Any
) -> None:
    """Report on what recurs, by domain: how often, how these episodes ended, and on what evidence."""
    from graphmem.reports.pattern_report import pattern_report  # noqa: PLC0415 (loaded when the command runs)
    from graphmem.reports.render import render_report  # noqa: PLC0415 (as above)

    with opened(invocation) as memory:
        found = everything(memory.patterns.list, None, **filters)
        if not found:
            note_nothing_found(invocation, memory, "no pattern")
        made = pattern_report(memory.workspace.graph, found, notes=_notes(memory), most=most)
    if output is not None:
        text = (
            json_text(made.to_dict(), indent=2)
            if form == "json"
            else visible(render_report(made, form), keep="\n")
        )
        _write_file(output, text)
        if invocation.json:
            write_json({"file": str(output), "format": form})
    elif invocation.json or form == "json":
        write_json(made.to_dict())
    else:
        write_text(render_report(made, form))


def _notes(memory: GraphMemory) -> list[str]:
    run = memory.patterns.last_run()
    incomplete = run.counts.get("incomplete") if run else None
    return [str(incomplete)] if incomplete else []


def _write_file(path: Path, text: str) -> None:
    from graphmem.transfer.files import replaced_file  # noqa: PLC0415 (loaded when the command runs)

    with replaced_file(path) as stream:
        stream.write(text.encode())
