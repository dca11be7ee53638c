"""`graphmem demo`: the main job on sample episodes."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphmem.cli.diagnostics import say
from graphmem.cli.opening import opened
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.cli.output import write_json, write_lines
from graphmem.cli.pattern_report import write_report

if TYPE_CHECKING:
    from graphmem.demo.run import DemoResult

DEFAULT_FOLDER = "graphmem-demo"


@click.command(cls=WithGlobalOptions)
@click.argument(
    "folder", metavar="[DIR]", default=DEFAULT_FOLDER, type=click.Path(file_okay=False, path_type=Path)
)
@click.pass_obj
def demo(invocation: Invocation, folder: Path) -> None:
    """Run the main job on sample episodes: import, link to concepts, mine, report.

    Samples, store and report are written into DIR (graphmem-demo). Running it twice is fine.
    """
    from graphmem.demo.run import STORE_FILE, prepare_folder, run_demo  # noqa: PLC0415 (loads everything)

    if invocation.store:
        raise click.UsageError("the demo keeps its store in DIR: leave out --store")
    prepare_folder(folder)
    with opened(invocation, store=str(folder / STORE_FILE)) as memory:
        result = run_demo(memory, folder, lambda message: say(invocation, message))
    following = list(_next_commands(result, invocation))
    if invocation.json:
        write_json({**result.to_dict(), "next": following})
        return
    write_report(result.report)
    told = result.to_dict()
    write_lines(
        [
            "",
            f"The whole report: {told['report']}, and with pictures: {told['page']}",
            f"The samples, to see the format: {told['samples']}",
        ]
    )
    write_lines(["", "Try next:", *(f"  {command}" for command in following)])


def _next_commands(result: DemoResult, invocation: Invocation) -> Iterator[str]:
    start = [program(), "--store", result.to_dict()["store"]]
    if invocation.tenant:
        start += ["--tenant", invocation.tenant]
    if result.example is not None:
        yield shlex.join([*start, "patterns", "show", result.example.id[:12]])
        yield shlex.join([*start, "episodes", "show", result.example.episodes[0]])
    yield shlex.join([*start, "recall", "the payment service timed out"])


def program() -> str:
    """What starts graphmem at a shell: its name, or its path where the name would not be found."""
    started = sys.argv[0]
    hidden = Path(started).name == "graphmem" and shutil.which("graphmem") is None
    return started if hidden else "graphmem"
