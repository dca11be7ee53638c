from __future__ import annotations

import errno

import click
import pytest

from graphmem import errors
from graphmem.cli.diagnostics import Exit, code_for, exit_code_of, say
from graphmem.cli.options import Invocation

ERRORS = [
    (errors.GraphMemError("x"), Exit.FAILED),
    (errors.SettingsError("x"), Exit.USAGE),
    (errors.RecordingError("x"), Exit.FAILED),
    (errors.InvalidInputError("x"), Exit.USAGE),
    (errors.NotFoundError("episode", "x"), Exit.FAILED),
    (errors.StoreError("x"), Exit.FAILED),
    (errors.StoreUnavailableError("x"), Exit.STORE),
    (errors.StoreMissingError("x"), Exit.STORE),
    (errors.SchemaError("x"), Exit.FAILED),
    (errors.StatementError("x", query="q"), Exit.FAILED),
    (errors.ConflictError("x"), Exit.FAILED),
    (errors.ModelError("x"), Exit.FAILED),
    (errors.ModelUnavailableError("x"), Exit.MODEL),
    (errors.EmbeddingError("x"), Exit.FAILED),
    (errors.ReplyError("x", prompt="p", reply="r"), Exit.FAILED),
    (errors.TransferError("x", path="a.jsonl", line=3), Exit.FAILED),
]


def raising(error: BaseException) -> object:
    raise error


@pytest.mark.parametrize(("error", "code"), ERRORS, ids=lambda value: type(value).__name__)
def test_every_error_has_an_exit_code_and_one_line_on_stderr(
    error: errors.GraphMemError, code: Exit, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code_for(error) is code
    assert exit_code_of(lambda: raising(error)) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"Error: {error}\n"


def test_every_error_of_the_tree_is_covered() -> None:
    tree = {value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Exception)}
    assert {type(error) for error, _ in ERRORS} == tree


def test_the_exit_codes_are_the_documented_ones() -> None:
    assert {code.name: code.value for code in Exit} == {
        "OK": 0,
        "FAILED": 1,
        "USAGE": 2,
        "STORE": 3,
        "MODEL": 4,
        "INTERRUPTED": 130,
    }


def test_an_interrupted_command_ends_with_130(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(lambda: raising(click.Abort())) == Exit.INTERRUPTED
    assert capsys.readouterr().err == "Interrupted.\n"


def test_a_full_disk_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        exit_code_of(lambda: raising(OSError(errno.ENOSPC, "No space left on device", "out.jsonl"))) == Exit.FAILED
    )
    assert capsys.readouterr().err == "Error: No space left on device: out.jsonl\n"


def test_a_message_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    exit_code_of(lambda: raising(errors.NotFoundError("episode", "x")))
    exit_code_of(lambda: raising(errors.GraphMemError("bad\x1b[2J")))
    assert "\x1b" not in capsys.readouterr().err


def test_quiet_leaves_out_talk(capsys: pytest.CaptureFixture[str]) -> None:
    say(Invocation(quiet=True), "hello")
    say(Invocation(), "hello\x1b")
    assert capsys.readouterr().err == "hello\\x1b\n"


def test_what_a_command_returns_is_its_exit_code() -> None:
    assert exit_code_of(lambda: None) == 0
    assert exit_code_of(lambda: Exit.FAILED) == 1
