"""`graphmem patterns report`: what recurs, for a reader: text, Markdown, HTML, JSON."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from graphmem.cli.escaping import json_text, visible
from graphmem.cli.opening import note_nothing_found, opened
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.cli.output import write_json, write_lines, write_table, write_text, write_tree
from graphmem.cli.pages import everything
from graphmem.cli.pattern_filters import pattern_filters

if TYPE_CHECKING:
    from datetime import datetime

    from graphmem.graph.records import Filter
    from graphmem.reports.patterns.values import PatternReport


_WIDE = 120
"""Columns of a terminal that holds every column of the table."""

_NARROW_COLUMNS = (0, 2, 3, 5, 6)
"""Those that a narrower one holds: tier and baseline stand in the tree below."""


@click.command(cls=WithGlobalOptions)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "md", "html", "json"]),
    default="text",
    show_default=True,
    help="Plain text, Markdown, one HTML page, or JSON.",
)
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file, not to stdout."
)
@pattern_filters
@click.option("--most", type=click.IntRange(1), default=10, show_default=True, help="Patterns a domain at most.")
@click.option("--with-text", is_flag=True, help="Show goals and texts of steps; else labels and counts only.")
@click.option(
    "--min-users", type=click.IntRange(1), metavar="N", help="Hide labels that episodes of fewer users hold."
)
@click.option("--language", type=click.Choice(["ko", "en"]), default="en", show_default=True, help="Of its words.")
@click.pass_obj
def report(  # noqa: PLR0917 (click gives each by name)
    invocation: Invocation,
    /,
    form: Literal["text", "md", "html", "json"],
    output: Path | None,
    most: int,
    with_text: bool,
    min_users: int | None,
    language: str,
    **filters: Any,
) -> None:
    """Report on patterns: what went with success, what with failure, how sure, on what evidence.

    Says what was compared within what, and which failures no pattern covers. JSON is in English always.
    """
    from graphmem.reports.pattern_report import pattern_report  # noqa: PLC0415 (loaded when the command runs)
    from graphmem.reports.patterns.corpus import widest_run  # noqa: PLC0415 (as above)
    from graphmem.reports.render import render_report  # noqa: PLC0415 (as above)

    if with_text and min_users is not None:
        raise click.UsageError("--with-text shows what --min-users hides: leave one of them out")
    with opened(invocation) as memory:
        found = everything(memory.patterns.list, None, **filters)
        if not found:
            note_nothing_found(invocation, memory, "no pattern")
        graph = memory.workspace.graph
        made = pattern_report(
            graph,
            found,
            run=widest_run(graph),
            scope=_scope(**filters),
            most=most,
            with_text=with_text,
            min_users=min_users,
            language="en" if (invocation.json and output is None) or form == "json" else language,
        )
    if output is not None:
        _write_file(output, _file_text(made, form))
        if invocation.json:
            write_json({"file": str(output), "format": form})
    elif invocation.json or form == "json":
        write_json(made.to_dict())
    elif form == "text":
        write_report(made)
    else:
        write_text(render_report(made, form))


def write_report(made: PatternReport) -> None:
    """The report as text: tables and trees on a terminal, plain lines in a pipe."""
    from graphmem.reports.patterns import text  # noqa: PLC0415 (loaded when a command runs)

    if not sys.stdout.isatty():
        write_lines(text.text_lines(made))
        return
    write_lines(text.head_lines(made))
    rows = text.overview(made)
    if rows:
        named = text.columns(made)
        columns = range(len(named)) if shutil.get_terminal_size().columns >= _WIDE else _NARROW_COLUMNS
        cells = [[row[place] for place in columns] for row in (named, *rows)]
        write_table(cells[0], cells[1:], whole=True, fixed=len(columns) - 1)
    for branch in text.outline(made):
        write_lines([""])
        write_tree(*branch)
    write_lines(text.foot_lines(made))


def _scope(
    domain: str | None = None,
    task: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    **_: Any,
) -> Filter | None:
    """Which closed episodes are counted and whose failures are looked for."""
    from graphmem.graph.records import And  # noqa: PLC0415 (loaded when the command runs)
    from graphmem.ports.listing import between, equals  # noqa: PLC0415 (as above)

    parts = (*equals(domain=domain, task=task), *between("started_at", since, until))
    return And(parts) if parts else None


def _file_text(made: PatternReport, form: Literal["text", "md", "html", "json"]) -> str:
    from graphmem.reports.render import render_report  # noqa: PLC0415 (loaded when the command runs)

    if form == "json":
        return json_text(made.to_dict(), indent=2) + "\n"
    return visible(render_report(made, form), keep="\n")


def _write_file(path: Path, text: str) -> None:
    from graphmem.transfer.files import replaced_file  # noqa: PLC0415 (loaded when the command runs)

    with replaced_file(path) as stream:
        stream.write(text.encode())
