"""`graphmem episodes pending` and `finalize`: what was left open, and finishing it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from graphmem.cli.diagnostics import Exit, complain
from graphmem.cli.opening import note_nothing_found, opened
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.cli.output import write_json, write_lines, write_pairs, write_table
from graphmem.cli.values import time_text
from graphmem.errors import InvalidInputError, ModelError, NotFoundError, RecordingError

if TYPE_CHECKING:
    from graphmem.episodes.pending import PendingEpisode
    from graphmem.memory import GraphMemory


@click.command(cls=WithGlobalOptions)
@click.pass_obj
def pending(invocation: Invocation) -> None:
    """List the episodes that still run, were left open, or have ended without being finalised."""
    with opened(invocation) as memory:
        found = memory.episodes.pending()
        if not found:
            note_nothing_found(invocation, memory, "no episode waits")
    if invocation.json:
        write_json([_entry(item) for item in found])
    elif found:
        write_table(["id", "ended", "started_at", "goal", "why"], map(_row, found))


@click.command(cls=WithGlobalOptions)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option(
    "--max-model-calls", type=click.IntRange(0), help="Calls to the language model at most, retries included."
)
@click.pass_obj
def finalize(invocation: Invocation, /, ids: tuple[str, ...], max_model_calls: int | None) -> Exit:
    """Finalise episodes that have ended: summary, lessons, facts, embedding.

    Without an ID all that have ended, and every conversation in which nothing was said for half an hour.
    When a model fails, what was done stays, the rest stays pending, and the command ends with 4.
    """
    with opened(invocation, max_model_calls=max_model_calls) as memory:
        report = _by_id(memory, ids) if ids else _all(memory)
        report.model_calls = _calls(memory)
    _present(invocation, report)
    return report.exit


@dataclass(slots=True)
class _Report:
    """What finalising did."""

    finalized: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    """Closed before."""
    refused: list[dict[str, str]] = field(default_factory=list)
    model_calls: int = 0
    error: str | None = None
    """What the model's failure was."""

    @property
    def exit(self) -> Exit:
        """How the command ends."""
        if self.error is not None:
            return Exit.MODEL
        return Exit.FAILED if self.refused else Exit.OK


def _all(memory: GraphMemory) -> _Report:
    before = {item.id for item in memory.episodes.pending()}
    try:
        return _Report(list(memory.episodes.finalize()))
    except ModelError as fault:
        still = {item.id for item in memory.episodes.pending()}
        return _Report(sorted(before - still), error=str(fault))


def _by_id(memory: GraphMemory, ids: tuple[str, ...]) -> _Report:
    report = _Report()
    for one in dict.fromkeys(ids):
        try:
            (report.finalized if memory.episodes.finalize(one) else report.unchanged).append(one)
        except (NotFoundError, RecordingError, InvalidInputError) as fault:
            report.refused.append({"id": one, "reason": str(fault)})
        except ModelError as fault:
            report.error = f"episode {one!r}: {fault}"
            break
    return report


def _calls(memory: GraphMemory) -> int:
    """Calls that this command made: its memory was opened for it."""
    from graphmem.ports.model_usage import usage_of  # noqa: PLC0415 (few commands need it)

    return usage_of(memory.workspace.language_model).calls


def _present(invocation: Invocation, report: _Report) -> None:
    if invocation.json:
        document: dict[str, Any] = {
            name: getattr(report, name) for name in ("finalized", "unchanged", "refused", "model_calls")
        }
        write_json(document if report.error is None else {**document, "error": report.error})
    else:
        write_lines(f"finalized {one}" for one in report.finalized)
        write_pairs([("finalized", len(report.finalized)), ("model calls", report.model_calls)])
    for one in report.refused:
        complain(one["reason"])
    if report.error is not None:
        complain(report.error)


def _row(item: PendingEpisode) -> tuple[object, ...]:
    episode = item.episode
    return item.id, item.is_ended, time_text(episode.local_started_at), episode.goal, item.why


def _entry(item: PendingEpisode) -> dict[str, Any]:
    return {
        "id": item.id,
        "goal": item.episode.goal,
        "domain": item.episode.domain,
        "started_at": time_text(item.episode.started_at),
        "steps": len(item.episode.steps),
        "ended": item.is_ended,
        "why": item.why,
    }
