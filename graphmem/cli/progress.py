"""Progress bars on stderr: only at a terminal, and not with -q, --no-progress or --json in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from graphmem.cli.options import Invocation

Advance = Callable[[int], None]
"""Told how many more are done."""


def wants_bar(invocation: Invocation) -> bool:
    """Whether somebody is there to see a bar."""
    return sys.stderr.isatty() and not invocation.quiet and not invocation.no_progress


@contextmanager
def progress(invocation: Invocation, title: str, total: int | None = None) -> Iterator[Advance]:
    """A bar for as long as the work lasts; it is gone afterwards.

    Args:
        invocation: Decides whether there is one.
        title: What is being done.
        total: How many there are; None: not known.
    """
    if not wants_bar(invocation):
        yield lambda _: None
        return
    from rich import progress as bars  # noqa: PLC0415 (only a terminal needs it)
    from rich.console import Console  # noqa: PLC0415 (as above)

    columns = (
        bars.TextColumn("{task.description}", markup=False),
        bars.BarColumn(),
        bars.TextColumn("{task.completed:,.0f}", markup=False),
        bars.TimeElapsedColumn(),
    )
    with bars.Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda count: bar.advance(task, count)


@contextmanager
def staged(invocation: Invocation, title: str) -> Iterator[Callable[[str, float], None]]:
    """A bar for work in stages, told each stage and the share of it that is done.

    Args:
        invocation: Decides whether there is one.
        title: What is being done.
    """
    if not wants_bar(invocation):
        yield lambda _, __: None
        return
    from rich import progress as bars  # noqa: PLC0415 (only a terminal needs it)
    from rich.console import Console  # noqa: PLC0415 (as above)

    columns = (bars.TextColumn("{task.description}", markup=False), bars.BarColumn(), bars.TimeElapsedColumn())
    with bars.Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task(title, total=1.0)
        yield lambda stage, share: bar.update(task, description=f"{title}: {stage}", completed=share)
