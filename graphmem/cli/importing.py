"""`graphmem import`: read files into a tenant."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphmem.cli.diagnostics import Exit, say
from graphmem.cli.opening import opened, settings_of
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.cli.output import write_json, write_pairs
from graphmem.cli.progress import progress
from graphmem.cli.values import PAIR, as_mapping

if TYPE_CHECKING:
    from graphmem.settings import Settings
    from graphmem.transfer.policy import Format, ImportOptions
    from graphmem.transfer.report import ImportReport

_SHOWN = 20
"""Refused records that are told one by one; --json lists them all."""


@click.command(cls=WithGlobalOptions)
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option(
    "--format",
    "format_",
    type=click.Choice(["jsonl", "message", "chat", "swe-agent", "locomo", "wordnet", "skos", "owl"]),
    default="jsonl",
    show_default=True,
    help="What the files are: graphmem's own records, messages alone, runs of chat messages, SWE-agent"
    " trajectories, LoCoMo conversations; or a taxonomy: rows of WordNet, SKOS, OWL.",
)
@click.option(
    "--field",
    "fields",
    type=PAIR,
    multiple=True,
    metavar="NAME=FIELD",
    help="Where a foreign format keeps NAME (messages, outcome, task, id, session, at, variant, goal, ...).",
)
@click.option("--outcome-map", metavar="MAP", help="What its outcomes mean: resolved=success,5=failure.")
@click.option("--outcome-scale", metavar="MIN:MAX", help="MAX is success, MIN failure, between them partial.")
@click.option(
    "--language",
    type=click.Choice(["en", "ko"]),
    default="en",
    show_default=True,
    help="Whose labels name the concepts of skos and owl.",
)
@click.option("--update", is_flag=True, help="Replace what is stored with other content under the same id.")
@click.option("--dry-run", is_flag=True, help="Say what would be done; write nothing.")
@click.option("--max-refused", type=click.IntRange(0), help="Refused records up to which it ends well.")
@click.pass_obj
def import_files(
    invocation: Invocation, /, files: tuple[str, ...], max_refused: int | None, **asked: object
) -> Exit:
    """Read FILES into the tenant; - is standard input.

    A second import of the same files adds nothing, and one that was stopped goes on when it is run again.
    A bad record is told with its line and never stops the rest.
    """
    from graphmem.transfer.importing import import_records  # noqa: PLC0415 (loads the models)
    from graphmem.transfer.sources import file_sources  # noqa: PLC0415 (as above)

    settings = settings_of(invocation)
    options = _options(settings, **asked)  # type: ignore[arg-type]
    sources = file_sources(files, sys.stdin.buffer)
    with opened(invocation) as memory, progress(invocation, "Importing", _size(files)) as advance:
        report = import_records(memory.workspace, sources, options, progress=lambda _, size: advance(size))
    _present(invocation, report, options)
    allowed = settings.max_refused if max_refused is None else max_refused
    return Exit.FAILED if len(report.refused) > allowed else Exit.OK


def _options(
    settings: Settings, *, format_: Format, fields: Sequence[tuple[str, str]], **rest: object
) -> ImportOptions:
    from graphmem.transfer.policy import ImportOptions, ImportPolicy  # noqa: PLC0415 (loads pydantic)

    return ImportOptions(
        format=format_,
        fields=as_mapping(fields, "--field"),
        policy=ImportPolicy(max_record_bytes=settings.max_record_bytes),
        boundary=settings.boundary,
        **rest,  # type: ignore[arg-type]
    )


def _size(files: Sequence[str]) -> int | None:
    """Bytes of all files; None where one of them is a stream."""
    return None if "-" in files else sum(Path(file).stat().st_size for file in files)


def _present(invocation: Invocation, report: ImportReport, options: ImportOptions) -> None:
    if invocation.json:
        write_json(report.to_dict())
        return
    counts = report.to_dict() | {"refused": len(report.refused), "extra": None}
    write_pairs(counts.items())
    if report.extra:
        kept = ", ".join(f"{name} ({count})" for name, count in sorted(report.extra.items()))
        say(invocation, f"Fields without a meaning here, kept under extra: {kept}.")
    if report.changed and not options.update:
        say(invocation, f"{report.changed} records have other content than what is stored; --update replaces it.")
    for refused in report.refused[:_SHOWN]:
        say(invocation, f"{refused.path}:{refused.line}: {refused.reason}")
    if len(report.refused) > _SHOWN:
        say(invocation, f"... and {len(report.refused) - _SHOWN} more; --json lists them all.")
