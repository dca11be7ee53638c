"""`graphmem facts`: what is known of a subject, what it was before, and what contradicts itself."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

import click

from graphmem.cli.opening import note_nothing_found, opened
from graphmem.cli.options import Invocation, WithGlobalOptionsGroup
from graphmem.cli.output import write_json, write_table
from graphmem.cli.pages import first
from graphmem.cli.values import MOMENT, time_text

if TYPE_CHECKING:
    from graphmem.models.memories import Memory

_COLUMNS = ("id", "subject", "predicate", "object", "from", "to", "confidence", "sources", "text")


@click.group(cls=WithGlobalOptionsGroup)
def facts() -> None:
    """Look at facts, and at when they held."""


@facts.command("list")
@click.option("--subject", metavar="NAME", help="Only about this subject.")
@click.option("--predicate", metavar="NAME", help="Only of this predicate.")
@click.option("--superseded", is_flag=True, help="Also those that were retired.")
@click.option("--limit", type=click.IntRange(1), default=100, show_default=True, help="Facts at most.")
@click.pass_obj
def list_facts(
    invocation: Invocation, subject: str | None, predicate: str | None, superseded: bool, limit: int
) -> None:
    """List the facts that stand, the newest first."""
    asked = {"kind": "fact", "subject": subject, "predicate": predicate, "superseded": superseded}
    with opened(invocation) as memory:
        found = first(invocation, memory.facts.list, limit, **asked)
        if not found:
            note_nothing_found(invocation, memory)
    _write(invocation, found)


@facts.command()
@click.argument("subject")
@click.argument("predicate", required=False)
@click.pass_obj
def history(invocation: Invocation, subject: str, predicate: str | None) -> None:
    """Show all that was ever held of SUBJECT, or of it and PREDICATE, in the order in which it began."""
    with opened(invocation) as memory:
        found = memory.facts.history(subject, predicate)
        if not found:
            note_nothing_found(invocation, memory)
    _write(invocation, found)


@facts.command("as-of")
@click.argument("moment", type=MOMENT)
@click.option("--subject", metavar="NAME", help="Only about this subject.")
@click.option("--predicate", metavar="NAME", help="Only of this predicate.")
@click.pass_obj
def as_of(invocation: Invocation, moment: datetime, subject: str | None, predicate: str | None) -> None:
    """Show the facts that held at MOMENT, and no others."""
    with opened(invocation) as memory:
        held = memory.facts.as_of(moment, subject=subject, predicate=predicate)
        found = [one for one in held if one.kind == "fact"]
        if not found:
            note_nothing_found(invocation, memory)
    _write(invocation, found)


@facts.command()
@click.option("--subject", metavar="NAME", help="Only about this subject.")
@click.option("--predicate", metavar="NAME", help="Only of this predicate.")
@click.pass_obj
def contradictions(invocation: Invocation, subject: str | None, predicate: str | None) -> None:
    """Show facts that exclude each other and that no time puts in order."""
    with opened(invocation) as memory:
        found = memory.facts.contradictions(subject=subject, predicate=predicate)
        if not found:
            note_nothing_found(invocation, memory)
    if invocation.json:
        write_json(
            [
                {
                    "subject": one.subject,
                    "predicate": one.predicate,
                    "facts": [_document(fact) for fact in one.facts],
                }
                for one in found
            ]
        )
    elif found:
        write_table(_COLUMNS, [_row(fact) for one in found for fact in one.facts])


def _write(invocation: Invocation, found: Iterable[Memory]) -> None:
    rows = list(found)
    if invocation.json:
        write_json([_document(fact) for fact in rows])
    elif rows:
        write_table(_COLUMNS, [_row(fact) for fact in rows])


def _document(fact: Memory) -> dict[str, object]:
    return fact.model_dump(mode="json")


def _row(fact: Memory) -> list[object]:
    said = [getattr(fact, name, None) for name in ("subject", "predicate", "object")]
    times = [time_text(getattr(fact, name, None)) for name in ("valid_from", "valid_to")]
    return [fact.id, *said, *times, round(fact.confidence, 3), len(fact.sources), fact.text]
