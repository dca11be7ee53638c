"""The outermost group: loads a command when it runs, and turns every ending into an exit code."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click

from graphmem.cli.options import WithGlobalOptionsGroup


@dataclass(frozen=True, slots=True)
class Entry:
    """A command that is not loaded yet."""

    target: str
    """Module and attribute, as `module:attribute`."""
    summary: str
    """Its line in the list of commands."""

    def load(self) -> click.Command:
        """The command itself."""
        module, _, attribute = self.target.partition(":")
        command = getattr(import_module(module), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{self.target} is no command")
        return command


class LazyGroup(WithGlobalOptionsGroup):
    """A group that knows its commands by a table."""

    def __init__(self, *arguments: Any, entries: Mapping[str, Entry], **attributes: Any) -> None:
        super().__init__(*arguments, **attributes, context_settings={"help_option_names": ["-h", "--help"]})
        self.entries = entries

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """The commands in the order of the table."""
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 (as above)
        """The command of this name, loaded."""
        entry = self.entries.get(cmd_name)
        return entry.load() if entry else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the line names; one that does not exist is told with the nearest names."""
        name = args[0]
        if name not in self.entries and not name.startswith("-"):
            from difflib import get_close_matches  # noqa: PLC0415 (only a wrong name needs it)

            near = get_close_matches(name, self.entries, n=2)
            hint = f"did you mean {' or '.join(near)}?" if near else "graphmem --help lists them all."
            ctx.fail(f"There is no command {name!r}; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 (as above)
        """Write the table without loading what is in it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in self.entries.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a reader that closes the pipe early ends it quietly."""
        from graphmem.cli.diagnostics import listen, quiet_pipe, speak_safely, stand_in  # noqa: PLC0415 (help does without)

        stand_in()
        speak_safely()
        listen(ctx)
        with quiet_pipe():
            return super().invoke(ctx)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = "graphmem",
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run as a program: every error becomes a message on stderr and an exit code."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        from graphmem.cli.diagnostics import exit_code_of  # noqa: PLC0415 (loaded once the line is known)

        sys.exit(
            exit_code_of(
                lambda: super(LazyGroup, self).main(args, prog_name, complete_var, standalone_mode=False, **extra)
            )
        )
