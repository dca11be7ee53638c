"""Talk on stderr, exit codes, and what each error means to whoever typed the command.

Nothing here writes to stdout: that is data.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import Any

import click

from graphmem.cli.escaping import visible
from graphmem.cli.options import Invocation
from graphmem.errors import (
    GraphMemError,
    InvalidInputError,
    ModelUnavailableError,
    SettingsError,
    StoreUnavailableError,
)


class Exit(IntEnum):
    """How a command ended."""

    OK = 0
    FAILED = 1
    """The command ran and could not do all that was asked."""
    USAGE = 2
    """The line or a setting is wrong; nothing was done."""
    STORE = 3
    """The store cannot be reached, or is not there."""
    MODEL = 4
    """A language or embedding model cannot be reached."""
    INTERRUPTED = 130
    """Ctrl-C."""


_CODES = {
    SettingsError: Exit.USAGE,
    InvalidInputError: Exit.USAGE,
    StoreUnavailableError: Exit.STORE,
    ModelUnavailableError: Exit.MODEL,
}


def code_for(error: GraphMemError) -> Exit:
    """The exit code of an error."""
    return next((code for kind, code in _CODES.items() if isinstance(error, kind)), Exit.FAILED)


def say(invocation: Invocation, message: str) -> None:
    """Tell something that may be of use; -q leaves it out."""
    if not invocation.quiet:
        click.echo(visible(message), err=True)


def complain(message: str) -> None:
    """Tell what went wrong; nothing leaves it out."""
    click.echo(f"Error: {visible(message)}", err=True)


def exit_code_of(run: Callable[[], Any]) -> int:
    """Run a command and turn its ending into an exit code.

    Args:
        run: Does the work; it may return an `Exit`.
    """
    try:
        return int(run() or Exit.OK)
    except GraphMemError as error:
        complain(str(error))
        return code_for(error)
    except click.Abort:
        click.echo("Interrupted.", err=True)
        return Exit.INTERRUPTED
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except OSError as error:
        complain(f"{error.strerror or type(error).__name__}{f': {error.filename}' if error.filename else ''}")
        return Exit.FAILED


@contextmanager
def quiet_pipe() -> Iterator[None]:
    """Ends a command without a word when nobody reads its output any more."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # the interpreter flushes once more when it ends: into nothing
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise click.exceptions.Exit(Exit.OK) from None


def stand_in() -> None:
    """Put the null device in the place of each stream that was closed before the program began.

    Python sets these to None; a file opened later would get their numbers.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 (open until the end)


def speak_safely() -> None:
    """Let no character that the terminal's encoding lacks end a command: it is shown as an escape."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def listen(context: click.Context) -> None:
    """Send the library's log to stderr: warnings, with -v what it does, with -vv in detail."""
    import logging  # noqa: PLC0415 (help does without)

    invocation = context.ensure_object(Invocation)
    levels = (logging.WARNING, logging.INFO, logging.DEBUG)
    level = logging.ERROR if invocation.quiet else levels[min(invocation.verbose, 2)]
    handler = logging.StreamHandler(_Visible())
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    log = logging.getLogger("graphmem")
    log.addHandler(handler)
    log.setLevel(level)
    context.call_on_close(lambda: log.removeHandler(handler))


class _Visible:
    """Stderr for log lines, whose control characters are shown, not obeyed."""

    def write(self, text: str) -> None:
        """Write lines."""
        sys.stderr.write(visible(text, keep="\n"))

    def flush(self) -> None:
        """Send what is written on its way."""
        sys.stderr.flush()
