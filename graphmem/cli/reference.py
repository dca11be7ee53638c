"""The reference page of the command line, out of the commands themselves.

`make docs` writes it to docs/reference/cli.md; a test compares the two.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator

import click

from graphmem.cli.diagnostics import Exit
from graphmem.cli.main import COMMANDS, main
from graphmem.cli.options import global_options

_ENDINGS = {
    Exit.OK: "done",
    Exit.FAILED: "ran and could not do all that was asked",
    Exit.USAGE: "the line or a setting is wrong; nothing was done",
    Exit.STORE: "the store cannot be reached, or is not there",
    Exit.MODEL: "a language or embedding model cannot be reached",
    Exit.INTERRUPTED: "interrupted with Ctrl-C",
}

_HEAD = """\
# The command line

Written by `make docs` out of the commands themselves.

`graphmem COMMAND --help` tells the same for one command; `python -m graphmem` is the same program. Data goes
to stdout, talk and progress to stderr. With `--json` stdout is one JSON document and nothing else. A command
given `-` in place of its text reads stdin, a text or a JSON object a line, and answers each with one line of
JSON. Stored text is never read as markup; its control characters are shown as escapes. A reader that closes
the pipe early ends a command quietly, with 0.
"""


def page() -> str:
    """The page in Markdown."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield _HEAD
    yield "## Options of every command"
    yield ""
    yield "Before the command or after it; the later one holds."
    yield ""
    yield from _options(click.Context(main, info_name="graphmem"), list(global_options()))
    yield "## Exit codes"
    yield ""
    yield from _table(("code", "meaning"), [(str(int(code)), words) for code, words in _ENDINGS.items()])
    for name, entry in COMMANDS.items():
        yield from _command(entry.load(), f"graphmem {name}", level=2)


def _command(command: click.Command, path: str, level: int) -> Iterator[str]:
    context = click.Context(command, info_name=path)
    own = [option for option in command.params if isinstance(option, click.Option)]
    yield f"{'#' * level} {path}"
    yield ""
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        yield paragraph
        yield ""
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                yield from _command(inner, f"{path} {name}", level + 1)
        return
    yield "```text"
    arguments = [
        parameter.make_metavar(context) for parameter in command.params if isinstance(parameter, click.Argument)
    ]
    yield " ".join([path, *(["[OPTIONS]"] if own else []), *arguments])
    yield "```"
    yield ""
    if own:
        yield from _options(context, own)


def _options(context: click.Context, options: list[click.Option]) -> Iterator[str]:
    records = [record for option in options if (record := option.get_help_record(context)) is not None]
    yield from _table(("option", "what it does"), [(f"`{name}`", words) for name, words in records])


def _table(head: tuple[str, str], rows: list[tuple[str, str]]) -> Iterator[str]:
    yield f"| {head[0]} | {head[1]} |"
    yield "|---|---|"
    for left, right in rows:
        # a bar inside a cell would end it
        yield f"| {left.replace('|', chr(92) + '|')} | {' '.join(right.replace('|', chr(92) + '|').split())} |"
    yield ""


if __name__ == "__main__":
    sys.stdout.write(page())
