"""`graphmem patterns compare`: two variants of an agent, for a reader."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from graphmem.cli.opening import opened
from graphmem.cli.options import Invocation, WithGlobalOptions
from graphmem.cli.output import write_json, write_lines

if TYPE_CHECKING:
    from graphmem.models.comparison import ComparedWithin, PatternChange, VariantComparison, VariantSide
    from graphmem.models.pattern import Interval


@click.command(cls=WithGlobalOptions)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.pass_obj
def compare(invocation: Invocation, /, first: str, second: str) -> None:
    """Hold variant B of the agent against variant A: success, then each tested pattern.

    Within tasks that both ran, else within domains; a difference is B less A.
    """
    with opened(invocation) as memory:
        found = memory.patterns.compare(first, second)
    if invocation.json:
        write_json(found.model_dump(mode="json"))
    else:
        write_lines(comparison_lines(found))


def comparison_lines(found: VariantComparison) -> Iterator[str]:
    """The comparison as lines: both sides, the difference, the patterns that changed."""
    yield from (_side("A", found.first), _side("B", found.second), "")
    success = found.success
    if success.within is None:
        yield "No task and no domain holds both: nothing can be compared."
        return
    yield f"Compared {_within(success.within)}."
    if success.difference is None or success.p is None:
        yield "Success, B less A: where both ran, all ended alike."
    else:
        yield f"Success, B less A: {_figure(success.difference, success.interval)}, p {_p(success.p)}"
    yield ""
    if not found.patterns:
        yield "No tested pattern occurs in these episodes; run graphmem patterns mine first."
        return
    changed = [change for change in found.patterns if change.changed]
    level = f"{found.significance:g} over all of them"
    yield f"Patterns that changed: {len(changed)} of {len(found.patterns)}, at {level}"
    for change in changed:
        yield from _change(change, found)
    if len(changed) < len(found.patterns):
        yield f"  {len(found.patterns) - len(changed)} others: no change that could be told from chance."


def _side(name: str, side: VariantSide) -> str:
    ends = ", ".join(f"{count} {outcome}" for outcome, count in side.outcomes.model_dump().items() if count)
    rate = "" if side.success_rate is None else f"; success {_figure(side.success_rate, side.interval, sign='')}"
    return (
        f"{name} {side.variant}: {_count(side.episodes, 'episode')} of {_count(side.tasks, 'task')}: {ends}{rate}"
    )


def _within(within: ComparedWithin) -> str:
    parts = [f"{_count(within.tasks, 'task')} that both ran"] if within.tasks else []
    parts += [f"{_count(within.domains, 'domain')} (other tasks, which may be harder)"] if within.domains else []
    return f"within {' and '.join(parts)}, {_count(within.episodes, 'episode')} with a known outcome"


def _change(change: PatternChange, found: VariantComparison) -> Iterator[str]:
    yield f"  {change.title}"
    yield f"    id: {change.pattern[:12]} ({change.tier})"
    often = change.frequency
    counts = f"{often.first} of {found.first.episodes} -> {often.second} of {found.second.episodes} episodes"
    difference = "" if often.difference is None else f"; {_figure(often.difference, often.interval)}"
    yield f"    how often: {counts}{difference}, adjusted p {_p(often.p)}"
    effect = change.effect
    if effect is None:
        yield "    with success: too few episodes with or without it to say"
    else:
        change_of_it = _figure(effect.difference, effect.interval)
        yield (
            f"    with success: {effect.first:+.3f} -> {effect.second:+.3f}; {change_of_it},"
            f" adjusted p {_p(effect.p)}"
        )


def _figure(value: float, interval: Interval | None, sign: str = "+") -> str:
    text = f"{value:{sign}.3f}"
    return text if interval is None else f"{text} ({interval[0]:{sign}.3f} to {interval[1]:{sign}.3f})"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _p(p: float) -> str:
    return f"{p:.3f}"
