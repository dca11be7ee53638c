"""`graphmem consolidate`: link experience to concepts, or show what would be done."""

from __future__ import annotations

import click

from graphmem.cli.diagnostics import complain
from graphmem.cli.opening import note_nothing_found, opened, settings_of
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.cli.output import write_json, write_pairs, write_table
from graphmem.cli.plan_text import plan_tables
from graphmem.errors import SettingsError


@click.command(cls=WithGlobalOptions)
@click.option("--plan", is_flag=True, help="Show what would be done; change nothing.")
@click.option("--max-items", type=click.IntRange(1), help="Episodes and texts at most; the next run goes on.")
@click.option(
    "--max-model-calls",
    type=click.IntRange(0),
    help="Calls to the language model at most, retries included, by which texts are read; 0: by rules alone.",
)
@click.pass_obj
def consolidate(
    invocation: Invocation, /, *, plan: bool, max_items: int | None, max_model_calls: int | None
) -> None:
    """Learn from what was recorded: link episodes to concepts and to each other, and read relations in texts.

    A relation between concepts is learned when two independent texts state it; relations that would close a
    cycle are refused and listed. What users tell to be done, and what succeeded repeatedly, becomes a procedure.
    A second run does nothing: only what is new is read.

    With --max-model-calls the language model of the settings reads texts, new ones first, then those that the
    rules have read. Where it fails, or the calls are spent, the rules read.
    """
    if max_model_calls:
        _refuse_without_model(invocation)
    bounds = {"max_items": max_items, "max_model_calls": max_model_calls}
    with opened(invocation, max_model_calls=max_model_calls or None, consolidation=bounds) as memory:
        if plan:
            planned = memory.consolidate(plan=True)
            answer, is_idle = planned.to_dict(), not planned
        else:
            report = memory.consolidate()
            answer, is_idle = report.to_dict(), report.run is None and not report.faults
            for fault in report.faults:
                complain(f"read by rules instead: {fault}")
        if is_idle:
            note_nothing_found(invocation, memory, "nothing new to learn from")
    if invocation.json:
        write_json(answer)
        return
    write_pairs((name, value) for name, value in answer.items() if not isinstance(value, list))
    for columns, rows in plan_tables(answer):
        write_table(columns, rows)


def _refuse_without_model(invocation: Invocation) -> None:
    if settings_of(invocation).language_model == "none":
        raise SettingsError(
            "--max-model-calls needs a language model: name one with the setting language_model, such as"
            " GRAPHMEM_LANGUAGE_MODEL=openai:gpt-4o-mini"
        )
