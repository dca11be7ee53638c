"""`graphmem patterns`: mine what recurs across episodes, list it, show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from graphmem.cli.opening import note_nothing_found, opened
from graphmem.cli.options import Invocation, WithGlobalOptionsGroup
from graphmem.cli.output import write_json, write_pairs, write_table, write_text
from graphmem.cli.pages import everything
from graphmem.cli.pattern_compare import compare
from graphmem.cli.pattern_filters import pattern_filters, run_limits
from graphmem.cli.pattern_report import report
from graphmem.cli.pattern_text import pattern_lines, query_text
from graphmem.cli.progress import staged

if TYPE_CHECKING:
    from graphmem.memory import GraphMemory

_FULL_ID = 64
"""Characters of a pattern's id; fewer are the begin of one."""


@click.group(cls=WithGlobalOptionsGroup)
def patterns() -> None:
    """Mine and read what recurs across episodes."""


@patterns.command()
@click.option(
    "--min-support", type=click.IntRange(3), metavar="N", help="Fewest episodes of a pattern (3 or more)."
)
@run_limits
@click.option(
    "--time-budget",
    "time_budget_seconds",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="Stop searching then, with what is complete.",
)
@click.option("--workers", type=click.IntRange(1, 1_024), metavar="N", help="Search with N processes.")
@click.option(
    "--partitions", type=click.IntRange(1, 1_024), metavar="N", help="Search the episodes in N parts: less memory."
)
@click.option("--dask", metavar="ADDRESS", help="Search on the Dask cluster of this scheduler.")
@click.pass_obj
def mine(invocation: Invocation, /, **bounds: Any) -> None:
    """Find what recurs across closed episodes and keep it, with its evidence."""
    given = {name: value for name, value in bounds.items() if value is not None}
    with opened(invocation) as memory, staged(invocation, "Mining") as tell:
        answer = memory.patterns.mine(progress=tell, **given).to_dict()
        if not answer["episodes"]:
            note_nothing_found(invocation, memory, "no closed episode to mine")
    if invocation.json:
        write_json(answer)
    else:
        tiers = ", ".join(f"{count} {tier}" for tier, count in answer["tiers"].items())
        aside = answer["set_aside"]
        told = f"{aside['alike']} in the same episodes as others, {aside['beyond']} beyond the number kept"
        shown = {**answer, "tiers": tiers or None, "set_aside": told if any(aside.values()) else None}
        write_pairs(shown.items())


@patterns.command("list")
@pattern_filters
@click.option("--limit", type=click.IntRange(1), help="Patterns at most; else every one.")
@click.pass_obj
def list_patterns(invocation: Invocation, /, limit: int | None, **filters: Any) -> None:
    """List patterns by falling support: those that were tested and, while none is, the candidates."""
    with opened(invocation) as memory:
        found = everything(memory.patterns.list, limit, **filters)
        if not found:
            note_nothing_found(invocation, memory, "no pattern")
    if invocation.json:
        write_json([pattern.model_dump(mode="json") for pattern in found])
    elif found:
        columns = ["id", "tier", "episodes", "success", "domain", "pattern"]
        rows = [
            [item.id[:12], item.tier, item.support, item.success_rate, item.domain, item.title] for item in found
        ]
        if any(item.scope is not None for item in found):
            columns.insert(5, "mined in")
            rows = [[*row[:5], item.scope, row[5]] for row, item in zip(rows, found, strict=True)]
        write_table(columns, rows)


@patterns.command()
@click.argument("id")
@click.option("--cypher", is_flag=True, help="Only its evidence query and the parameters of that.")
@click.pass_obj
def show(invocation: Invocation, id: str, cypher: bool) -> None:  # noqa: A002 (the documented name)
    """Show the pattern ID; the first characters of an id are enough where they name one."""
    with opened(invocation) as memory:
        pattern = memory.patterns.get(_full_id(memory, id))
    if invocation.json:
        whole = pattern.model_dump(mode="json")
        write_json({"cypher": whole["cypher"], "parameters": whole["cypher_parameters"]} if cypher else whole)
    else:
        write_text(query_text(pattern) if cypher else "\n".join(pattern_lines(pattern)))


@patterns.command()
@click.option("--domain", metavar="NAME", help="Only those whose episodes all are of this domain.")
@click.option("--language", type=click.Choice(["ko", "en"]), default="en", show_default=True, help="Of its words.")
@click.option("--budget", type=click.IntRange(0), default=800, show_default=True, help="Tokens at most.")
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True, help="Patterns at most.")
@click.pass_obj
def block(invocation: Invocation, /, **asked: Any) -> None:
    """Write the replicated and significant patterns as a block for a prompt."""
    with opened(invocation) as memory:
        text = memory.patterns.block(**asked)
        if not text:
            note_nothing_found(invocation, memory, "no pattern that was tested")
    if invocation.json:
        write_json({"text": text})
    elif text:
        write_text(text)


patterns.add_command(compare)
patterns.add_command(report)


def _full_id(memory: GraphMemory, given: str) -> str:
    """The id that begins so; the text itself where none or several do."""
    if len(given) >= _FULL_ID or not given.isascii() or not given.isalnum():
        return given
    following = memory.workspace.graph.scan("Pattern", order="id", after=(given, given), limit=2).records
    same = [record.id for record in following if record.id.startswith(given)]
    return same[0] if len(same) == 1 else given
