"""`graphmem procedures`: list and show learned ways of doing something."""

from __future__ import annotations

from collections.abc import Iterator
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
@click.option("--limit", type=click.IntRange(1), default=100, show_default=True, help="Procedures at most.")
@click.pass_obj
def list_procedures(invocation: Invocation, name: str | None, limit: int) -> None:
    """List procedures, with how often they worked."""
    with opened(invocation) as memory:
        found = first(invocation, memory.procedures.list, limit, name=name)
        if not found:
            note_nothing_found(invocation, memory, "no procedure")
    if invocation.json:
        write_json([_document(item) for item in found])
    elif found:
        columns = ["id", "steps", "success", "partial", "failure", "confidence"]
        rows = [
            [
                item.id,
                " → ".join(item.steps),
                item.successes,
                item.partials,
                item.failures,
                round(item.confidence, 3),
            ]
            for item in found
        ]
        write_table(columns, rows)


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


def _document(procedure: Procedure) -> dict[str, object]:
    return {**procedure.model_dump(mode="json"), "confidence": round(procedure.confidence, 6)}


def _lines(procedure: Procedure) -> Iterator[str]:
    yield procedure.name
    yield f"  id: {procedure.id}"
    for number, step in enumerate(procedure.steps, 1):
        yield f"  {number}. {step}"
    if procedure.when:
        yield f"  when: {procedure.when}"
    yield f"  outcomes: {procedure.successes} success, {procedure.partials} partial, {procedure.failures} failure"
    yield f"  confidence: {procedure.confidence:.3f}"
    if procedure.sources:
        yield f"  learned from: {', '.join(procedure.sources)}"
    if "pattern" in procedure.extra:
        yield f"  pattern: {procedure.extra['pattern']}"
