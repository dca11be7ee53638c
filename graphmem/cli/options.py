"""The global options: accepted before the command and after it, the later one holds.

Environment variables and files are left to the settings: here is only what was typed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import click


@dataclass
class Invocation:
    """What the global options of this call say; it fills up while click reads the line."""

    store: str | None = None
    """None, here and below: not given on the line."""
    tenant: str | None = None
    user: str | None = None
    database: str | None = None
    config: str | None = None
    json: bool = False
    verbose: int = 0
    quiet: bool = False
    no_progress: bool = False


_OWN = "global_"
"""Keeps the names of global options apart from those of a command's own ones."""


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value and parameter.name:
        name = parameter.name.removeprefix(_OWN)
        setattr(context.find_root().ensure_object(Invocation), name, value)


def _print_version(context: click.Context, _: click.Parameter, value: bool) -> None:
    if not value or context.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 (loads a mail parser)

    try:
        click.echo(f"graphmem {version('graphmem')}")
    except PackageNotFoundError:
        click.echo("graphmem, run from a checkout that is not installed")
    context.exit()


@lru_cache(maxsize=1)
def global_options() -> tuple[click.Option, ...]:
    """The options that every command takes."""

    def option(*names: str, call: Callable[..., Any] = _keep, **attributes: Any) -> click.Option:
        own = f"{_OWN}{names[-1].lstrip('-').replace('-', '_')}"
        return click.Option([*names, own], expose_value=False, callback=call, **attributes)

    return (
        option("--store", metavar="URL|PATH", help="A file, or a Neo4j address. [GRAPHMEM_STORE, graphmem.db]"),
        option("--tenant", metavar="NAME", help="Whose memory it is: a wall. [GRAPHMEM_TENANT, default]"),
        option("--user", metavar="NAME", help="Stamps what is written, filters what is read. [GRAPHMEM_USER]"),
        option("--database", metavar="NAME", help="The database on a Neo4j server. [NEO4J_DATABASE]"),
        option("--config", metavar="FILE", help="Settings file. [graphmem.toml, when it is there]"),
        option("--json", is_flag=True, help="Print JSON: one document; a line each for `-`."),
        option("-v", "--verbose", count=True, help="Say more on stderr; twice: much more."),
        option("-q", "--quiet", is_flag=True, help="Say nothing on stderr but errors."),
        option("--no-progress", is_flag=True, help="Show no progress bars."),
        option("--version", is_flag=True, is_eager=True, call=_print_version, help="Print the version."),
    )


class WithGlobalOptions(click.Command):
    """A command that takes the global options as well; its own help names them in one line."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own parameters, then the global ones, then help."""
        *own, last = super().get_params(ctx)
        return [*own, *global_options(), last]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those of every command in full only where the help begins."""
        shared = global_options()
        own = [parameter for parameter in self.get_params(ctx) if parameter not in shared]
        _write_options(ctx, formatter, "Options", own)
        if ctx.parent is None:
            _write_options(ctx, formatter, "Options of every command, before or after it", list(shared))
        else:
            with formatter.section("Options of every command"):
                formatter.write_text(f"{' '.join(option.opts[0] for option in shared)}: see graphmem --help")


class WithGlobalOptionsGroup(WithGlobalOptions, click.Group):
    """A group of commands that take the global options."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands before the options: they are what the help is asked for."""
        self.format_commands(ctx, formatter)
        WithGlobalOptions.format_options(self, ctx, formatter)


WithGlobalOptionsGroup.command_class = WithGlobalOptions


def _write_options(
    ctx: click.Context, formatter: click.HelpFormatter, title: str, parameters: list[click.Parameter]
) -> None:
    records = [parameter.get_help_record(ctx) for parameter in parameters if isinstance(parameter, click.Option)]
    with formatter.section(title):
        formatter.write_dl([record for record in records if record is not None])
