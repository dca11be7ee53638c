"""`graphmem episodes`: list them, show one, find those like a situation.

What they say is in `experience`, what was left open in `pending`, how they ended in `labelling`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from graphmem.cli.diagnostics import Exit
from graphmem.cli.episode_text import episode_lines, episode_row, episode_summary
from graphmem.cli.experience import experience, situation
from graphmem.cli.labelling import label
from graphmem.cli.lines import answer_lines, as_given, number, whole_number
from graphmem.cli.opening import note_nothing_found, opened
from graphmem.cli.options import Invocation, WithGlobalOptionsGroup
from graphmem.cli.output import write_json, write_lines, write_table
from graphmem.cli.pages import first
from graphmem.cli.pending import finalize, pending
from graphmem.cli.values import MOMENT

if TYPE_CHECKING:
    from graphmem.episodes.similar import SimilarEpisode
    from graphmem.models.episode import Episode

_OUTCOMES = click.Choice(["success", "partial", "failure", "unknown"])
_LINE_FIELDS = {"limit": whole_number, "min_similarity": number, "outcome": as_given, "domain": as_given}


@click.group(cls=WithGlobalOptionsGroup)
def episodes() -> None:
    """Look at what was experienced."""


for _command in (experience, situation, pending, finalize, label):
    episodes.add_command(_command)


@episodes.command("list")
@click.option("--domain", metavar="NAME", help="Only of this domain.")
@click.option("--outcome", type=_OUTCOMES, help="Only those that ended so.")
@click.option("--state", type=click.Choice(["open", "closed"]), help="Only those that still run, or not.")
@click.option("--task", metavar="NAME", help="Only runs of this task.")
@click.option("--variant", metavar="NAME", help="Only runs of this agent version, model or prompt.")
@click.option("--session", metavar="ID", help="Only of this session.")
@click.option("--since", type=MOMENT, help="Begun at or after this time.")
@click.option("--until", type=MOMENT, help="Begun at or before this time.")
@click.option("--limit", type=click.IntRange(1), default=100, show_default=True, help="Episodes at most.")
@click.pass_obj
def list_episodes(invocation: Invocation, /, limit: int, **filters: str | datetime | None) -> None:
    """List episodes, the newest first; those without times come last."""
    with opened(invocation) as memory:
        found = first(invocation, memory.episodes.list, limit, **filters)
        if not found:
            note_nothing_found(invocation, memory)
    _present(invocation, [(episode, None) for episode in found])


@episodes.command()
@click.argument("id")
@click.pass_obj
def show(invocation: Invocation, id: str) -> None:  # noqa: A002 (the documented name)
    """Show the episode ID with its steps."""
    with opened(invocation) as memory:
        episode = memory.episodes.get(id)
    if invocation.json:
        write_json(episode.model_dump(mode="json"))
    else:
        write_lines(episode_lines(episode))


@episodes.command()
@click.argument("text")
@click.option("--limit", type=click.IntRange(1, 10_000), default=3, show_default=True, help="Episodes at most.")
@click.option(
    "--min-similarity",
    type=click.FloatRange(0, 1),
    default=0.7,
    show_default=True,
    help="Least likeness; 0.7 and more means the same situation.",
)
@click.option("--outcome", type=_OUTCOMES, help="Only those that ended so.")
@click.option("--domain", metavar="NAME", help="Only of this domain.")
@click.pass_obj
def similar(invocation: Invocation, /, text: str, **asked: Any) -> Exit | None:
    """Find episodes about the same situation as TEXT, best first.

    With - instead of TEXT every line of stdin is a text, or a JSON object with text and, if need be,
    limit, min_similarity, outcome and domain; each is answered with one line of JSON.
    """
    with opened(invocation) as memory:
        if text == "-":
            return answer_lines(
                lambda line, rest: _alike(memory.episodes.similar(line, **{**asked, **rest})), fields=_LINE_FIELDS
            )
        found = memory.episodes.similar(text, **asked)
        if not found:
            note_nothing_found(invocation, memory, f"no episode at least {asked['min_similarity']:g} alike")
    _present(invocation, [(item.episode, item.similarity) for item in found])
    return None


def _alike(found: Iterable[SimilarEpisode]) -> list[dict[str, Any]]:
    return [episode_summary(item.episode, item.similarity) for item in found]


def _present(invocation: Invocation, found: Sequence[tuple[Episode, float | None]]) -> None:
    if invocation.json:
        write_json([episode_summary(*one) for one in found])
    elif found:
        lines = [episode_row(*one) for one in found]
        columns = ["id", "outcome", "domain", "started_at", "goal"]
        if any(line["similarity"] is not None for line in lines):
            columns.insert(0, "similarity")
        write_table(columns, [[line[column] for column in columns] for line in lines])
