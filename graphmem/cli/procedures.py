"""`graphmem procedures`: list and show learned ways of doing something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from graphmem.cli.opening import note_nothing_found, opened
from graphmem.cli.options import Invocation, WithGlobalOptionsGroup
from graphmem.cli.output import write_json, write_lines, write_table
from graphmem.cli.pages import first

if TYPE_CHECKING:
    from graphmem.models.procedure import Procedure


@click.group(cls=WithGlobalOptionsGroup)
def procedures() -> None:
    """Look at learned ways of doing something."""


@procedures.command("list")
@click.option("--name", metavar="NAME", help="Only those of this name.")
@click.option("--superseded", is_flag=True, help="Also versions that newer ones replaced.")
@click.option("--limit", type=click.IntRange(1), default=100, show_default=True, help="Procedures at most.")
@click.pass_obj
def list_procedures(invocation: Invocation, name: str | None, superseded: bool, limit: int) -> None:
    """List procedures, with how often they worked."""
    with opened(invocation) as memory:
        found = first(invocation, memory.procedures.list, limit, name=name, superseded=superseded)
        if not found:
            note_nothing_found(invocation, memory, "no procedure")
    if invocation.json:
        write_json([_document(item) for item in found])
    elif found:
        _write_table(found)


@procedures.command()
@click.argument("id")
@click.pass_obj
def show(invocation: Invocation, id: str) -> None:  # noqa: A002 (the documented name)
    """Show the procedure ID: its steps, when it applies, how often it worked, where it was learned."""
    with opened(invocation) as memory:
        procedure = memory.procedures.get(id)
    if invocation.json:
        write_json(_document(procedure))
    else:
        write_lines(_lines(procedure))


@procedures.command()
@click.argument("id")
@click.pass_obj
def history(invocation: Invocation, id: str) -> None:  # noqa: A002 (the documented name)
    """Show all versions of the procedure ID, the newest first."""
    with opened(invocation) as memory:
        found = memory.procedures.history(id)
    if invocation.json:
        write_json([_document(item) for item in found])
    else:
        _write_table(found)


def _write_table(found: Iterable[Procedure]) -> None:
    columns = ["id", "steps", "success", "partial", "failure", "rate", "interval", "confidence", "user"]
    write_table(columns, [_row(item) for item in found])


def _row(item: Procedure) -> list[object]:
    return [
        item.id,
        " → ".join(item.steps),
        item.successes,
        item.partials,
        item.failures,
        "" if item.success_rate is None else round(item.success_rate, 3),
        _interval(item),
        round(item.confidence, 3),
        item.user_id or "",
    ]


def _interval(procedure: Procedure) -> str:
    found = procedure.success_interval
    return "" if found is None else f"{found[0]:.3f}-{found[1]:.3f}"


def _document(procedure: Procedure) -> dict[str, object]:
    rate, interval = procedure.success_rate, procedure.success_interval
    return {
        **procedure.model_dump(mode="json"),
        "confidence": round(procedure.confidence, 6),
        "success_rate": None if rate is None else round(rate, 6),
        "success_interval": None if interval is None else [round(end, 6) for end in interval],
    }


def _lines(procedure: Procedure) -> Iterator[str]:
    yield procedure.name
    yield f"  id: {procedure.id}"
    for number, step in enumerate(procedure.steps, 1):
        yield f"  {number}. {step}"
    if procedure.when:
        yield f"  when: {procedure.when}"
    yield f"  outcomes: {procedure.successes} success, {procedure.partials} partial, {procedure.failures} failure"
    if procedure.success_rate is not None:
        yield f"  success rate: {procedure.success_rate:.3f} (95 % interval {_interval(procedure)})"
    yield f"  confidence: {procedure.confidence:.3f}"
    yield f"  origin: {procedure.origin}"
    if procedure.user_id:
        yield f"  of user: {procedure.user_id} alone"
    if procedure.supersedes:
        yield f"  replaces: {procedure.supersedes}"
    if procedure.sources:
        yield f"  learned from: {', '.join(procedure.sources)}"
    if "pattern" in procedure.extra:
        yield f"  pattern: {procedure.extra['pattern']}"
