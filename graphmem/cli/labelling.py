"""`graphmem episodes label`: how episodes ended, out of a CSV file."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from graphmem.cli.diagnostics import Exit, say
from graphmem.cli.opening import opened, settings_of
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.cli.output import write_json, write_pairs

if TYPE_CHECKING:
    from graphmem.transfer.labels import LabelReport

_SHOWN = 20
"""Refused rows that are told one by one; --json lists them all."""


@click.command(cls=WithGlobalOptions)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True), metavar="FILE.csv")
@click.option("--dry-run", is_flag=True, help="Say what would be done; write nothing.")
@click.option("--max-refused", type=click.IntRange(0), help="Refused rows up to which it ends well.")
@click.pass_obj
def label(invocation: Invocation, /, file: str, dry_run: bool, max_refused: int | None) -> Exit:
    """Say how closed episodes ended, a row each; - is standard input.

    The first row of FILE.csv names the columns, in any order: episode (or id) and outcome (success, partial,
    failure or unknown), and where known source (who says so) and at (when: ISO 8601 with an offset, or epoch
    milliseconds). What was said before is kept in the episode's history, and the last row holds. The same
    file once more changes nothing. A bad row is told with its line and never stops the rest.
    """
    from graphmem.transfer.labels import label_episodes  # noqa: PLC0415 (loads the models)
    from graphmem.transfer.sources import file_sources  # noqa: PLC0415 (as above)

    settings = settings_of(invocation)
    (source,) = file_sources([file], sys.stdin.buffer)
    with opened(invocation) as memory:
        report = label_episodes(memory.workspace, source, dry_run=dry_run)
    _present(invocation, report)
    allowed = settings.max_refused if max_refused is None else max_refused
    return Exit.FAILED if len(report.refused) > allowed else Exit.OK


def _present(invocation: Invocation, report: LabelReport) -> None:
    if report.ignored:
        say(invocation, f"Columns that are not read: {', '.join(report.ignored)}.")
    if invocation.json:
        write_json(report.to_dict())
        return
    write_pairs((report.to_dict() | {"refused": len(report.refused)}).items())
    for refused in report.refused[:_SHOWN]:
        say(invocation, f"{refused.path}:{refused.line}: {refused.reason}")
    if len(report.refused) > _SHOWN:
        say(invocation, f"... and {len(report.refused) - _SHOWN} more; --json lists them all.")
