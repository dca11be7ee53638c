"""The reference names everything there is, and is what the code says."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import click

import graphmem
from document_blocks import ROOT, documents
from graphmem.cli.main import main
from graphmem.errors import GraphMemError
from graphmem.graph.schema import EDGE_TYPES, NODE_TYPES
from graphmem.queries import query_names
from graphmem.settings import leaves, variables

DOCS = ROOT / "docs"


def _text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def _commands(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _commands(inner, f"{path} {name}")
    else:
        yield path, command


def test_generated_pages_say_what_the_code_says() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "docs.generate", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_every_command_and_each_of_its_options_is_documented() -> None:
    page = _text("reference/cli.md")
    missing = []
    for path, command in _commands(main, "graphmem"):
        section = page.partition(f" {path}\n")[2].partition("\n#")[0]
        options = [name for option in command.params for name in option.opts if isinstance(option, click.Option)]
        missing += [path] if not section else [f"{path} {name}" for name in options if name not in section]
    assert missing == []


def test_every_command_has_words_of_help() -> None:
    assert [path for path, command in _commands(main, "graphmem") if not command.help] == []


def test_every_setting_and_each_of_its_variables_is_documented() -> None:
    page = _text("reference/settings.md")
    names = [name for leaf, _ in leaves() for name in (leaf, *variables(leaf))]
    assert [name for name in names if f"`{name}`" not in page] == []


def test_every_error_is_documented() -> None:
    page = _text("reference/errors.md")
    public = [
        name
        for name in graphmem.__all__
        if isinstance(found := getattr(graphmem, name), type) and issubclass(found, GraphMemError)
    ]
    assert public
    assert [name for name in public if f"\n## {name}\n" not in page] == []


def test_every_statement_is_documented() -> None:
    page = _text("reference/cypher.md")
    reports = [name for name in query_names("reports") if f"\n### {name}\n" not in page]
    assert [*reports, *(name for name in query_names() if name not in page)] == []


def test_the_graph_model_names_every_label_and_relationship() -> None:
    page = _text("explanation/graph-model.md")
    assert [name for name in (*NODE_TYPES, *EDGE_TYPES) if f"`{name}`" not in page] == []


def test_every_benchmark_that_a_page_names_is_there() -> None:
    named = re.findall(r"benchmarks/\w+\.py", "".join(page.read_text(encoding="utf-8") for page in documents()))
    assert named
    assert [name for name in sorted(set(named)) if not (ROOT / name).is_file()] == []
