"""`graphmem consolidate`: link experience to concepts, or show what would be done."""

from __future__ import annotations

import click

from graphmem.cli.opening import note_nothing_found, opened
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.cli.output import write_json, write_pairs, write_table


@click.command(cls=WithGlobalOptions)
@click.option("--plan", is_flag=True, help="Show what would be done; change nothing.")
@click.option("--max-items", type=click.IntRange(1), help="Episodes at most; the next run goes on.")
@click.pass_obj
def consolidate(invocation: Invocation, plan: bool, max_items: int | None) -> None:
    """Link episodes to concepts: tools, findings, given names, and argument values that recur over tasks.

    A second run does nothing: what is linked stays linked.
    """
    with opened(invocation, consolidation={"max_items": max_items}) as memory:
        done = memory.consolidate(plan=True) if plan else memory.consolidate()
        answer = done.to_dict()
        if not answer["episodes"] and not answer["remaining"]:
            note_nothing_found(invocation, memory, "no episode to link")
    if invocation.json:
        write_json(answer)
        return
    write_pairs((name, value) for name, value in answer.items() if not isinstance(value, list))
    if plan and answer["links"]:
        rows = [(link["episode"], link["type"], link["to"]) for link in answer["links"]]
        write_table(["episode", "link", "to"], rows)
