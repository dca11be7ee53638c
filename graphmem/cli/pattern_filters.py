"""Options that say which episodes are mined and which patterns are shown, shared by the commands on patterns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from graphmem.cli.values import MOMENT

Command = TypeVar("Command", bound=Callable[..., Any])

TIERS = click.Choice(["replicated", "significant", "recurrent", "candidate"])
_POLARITIES = click.Choice(["positive", "negative"])


def run_limits(command: Command) -> Command:
    """Options that limit a mining run; runs of other limits keep their patterns."""
    return _with(
        command,
        click.option("--domain", metavar="NAME", help="Mine the episodes of this domain alone."),
        click.option("--task", metavar="NAME", help="Mine the runs of this task alone."),
        click.option("--since", type=MOMENT, help="Mine episodes begun at or after this time."),
        click.option("--until", type=MOMENT, help="Mine episodes begun at or before this time."),
    )


def pattern_filters(command: Command) -> Command:
    """Options that say which patterns are shown; all of them hold."""
    return _with(
        command,
        click.option("--tier", type=TIERS, help="Only of this tier."),
        click.option("--domain", metavar="NAME", help="Only those whose episodes all are of this domain."),
        click.option("--polarity", type=_POLARITIES, help="Only those that went with success, or with failure."),
        click.option("--about", metavar="NAME", help="Only with this concept, symptom or cause, or what is one."),
        click.option("--tool", metavar="NAME", help="Only with this tool, or what is one."),
        click.option("--goal", metavar="TEXT", help="Only with evidence in an episode with a goal like this."),
        click.option("--task", metavar="NAME", help="Only with evidence in a run of this task."),
        click.option("--since", type=MOMENT, help="Only with evidence begun at or after this time."),
        click.option("--until", type=MOMENT, help="Only with evidence begun at or before this time."),
    )


def _with(command: Command, *options: Callable[[Command], Command]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command
