"""No command shows or changes anything of another tenant; `query cypher` alone may, where it is allowed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from command_shell import Shell
from graphmem.cli.main import main

CANARY = "canary-7741"


def fill(shell: Shell) -> str:
    steps = [{"action": f"act-{CANARY}", "tools": [f"tool-{CANARY}"], "errors": [f"error-{CANARY}"]}]
    records: list[dict[str, Any]] = [
        {"type": "concept", "name": f"concept {CANARY}"},
        {"type": "relation", "head": f"concept {CANARY}", "relation": "is_a", "tail": f"kind {CANARY}"},
        *(
            {"type": "episode", "id": f"e{n}", "goal": f"goal {CANARY}", "steps": steps, "domain": CANARY}
            | {"task": "shared", "variant": f"v{n % 2}"}
            for n in range(6)
        ),
        {"type": "message", "id": "m1", "text": f"said {CANARY}", "at": "2026-03-01T09:00:00Z"},
        {"type": "memory", "id": "f1", "kind": "fact", "text": f"fact {CANARY}"},
        {"type": "procedure", "id": "p1", "name": f"procedure {CANARY}", "steps": ["look"]},
    ]
    shell.ok("--tenant", "theirs", "import", shell.write("theirs.jsonl", *records))
    shell.ok("--tenant", "theirs", "consolidate")
    shell.ok("--tenant", "theirs", "patterns", "mine")
    shell.ok("--tenant", "mine", "remember", "my own fact", "--id", "f2")
    own = [
        {"type": "episode", "id": f"own{n}", "goal": "g", "steps": [], "variant": f"v{n % 2}"} for n in range(6)
    ]
    shell.ok("--tenant", "mine", "import", shell.write("own.jsonl", *own))
    pattern = shell.json("--tenant", "theirs", "patterns", "list")[0]["id"]
    assert isinstance(pattern, str)
    return pattern


def everything(shell: Shell) -> bytes:
    return shell.ok("--tenant", "theirs", "export", "--full").stdout_bytes


NAMED = ("causes", "concepts", "findings", "growth", "outcomes", "tools")

LINES = [
    ["recall", "CANARY"],
    ["recall", "CANARY", "--explain", "--limit", "1000"],
    ["context", "CANARY"],
    ["episodes", "list"],
    ["episodes", "show", "e1"],
    ["episodes", "similar", "goal", "--min-similarity", "0"],
    ["episodes", "experience", "goal", "--min-similarity", "0"],
    ["episodes", "situation", "goal", "--min-similarity", "0"],
    ["boundary", "-"],
    ["extract", "-"],
    ["episodes", "pending"],
    ["episodes", "finalize"],
    ["episodes", "finalize", "e1"],
    ["episodes", "label", "labels.csv"],
    ["patterns", "block"],
    ["concepts", "list"],
    ["concepts", "show", "concept CANARY"],
    ["concepts", "tree", "concept CANARY"],
    ["concepts", "tree", "concept CANARY", "--format", "html", "--evidence"],
    ["concepts", "export", "mine.graphml"],
    ["concepts", "export", "mine.graphml", "--name", "concept CANARY"],
    ["concepts", "relate", "my concept", "is_a", "my kind"],
    ["concepts", "merge", "concept CANARY", "kind CANARY"],
    ["concepts", "split", "concept CANARY"],
    ["concepts", "merges"],
    ["concepts", "candidates"],
    ["consolidate", "--plan"],
    ["consolidate"],
    ["patterns", "mine"],
    ["patterns", "list"],
    ["patterns", "show", "PATTERN"],
    ["patterns", "list", "--about", "error-CANARY", "--tool", "tool-CANARY", "--goal", "goal"],
    ["patterns", "list", "--task", "shared", "--domain", "CANARY"],
    ["patterns", "mine", "--task", "shared"],
    ["patterns", "compare", "v0", "v1"],
    ["patterns", "report"],
    ["facts", "list", "--superseded"],
    ["facts", "history", "subject CANARY"],
    ["facts", "as-of", "2026-06-01T00:00:00Z"],
    ["facts", "contradictions"],
    ["procedures", "history", "p1"],
    ["procedures", "list"],
    ["procedures", "show", "p1"],
    ["import", "mine.jsonl"],
    ["export"],
    ["export", "--full"],
    ["copy", "--from", "graphmem.db", "--to", "copied.db"],
    ["--store", "copied.db", "export", "--full"],
    ["query", "list"],
    ["query", "show", "reports/growth"],
    *(["query", "run", f"reports/{name}"] for name in NAMED),
    ["doctor"],
    ["settings", "show"],
    ["schema", "status"],
    ["schema", "migrate"],
    ["schema", "reindex"],
    *(["forget", kind, name] for kind, name in (("message", "m1"), ("fact", "f1"), ("episode", "e1"))),
    ["forget", "procedure", "p1"],
    ["forget", "pattern", "PATTERN"],
    ["forget", "concept", "concept CANARY"],
    ["remember", "mine", "--supersedes", "f1"],
    ["erase", "--tenant", "mine", "--yes"],
]
"""Every command, asked about what is another tenant's."""

ACROSS = {"query cypher"}
"""The one exception: an operator's free Cypher sees every tenant. It is off unless the settings allow it."""

NOT_TRIED = {"demo", "schema reembed"}
"""The first one has a store of its own; the second gives all tenants other vectors, and shows none of them."""


def commands(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if not isinstance(command, click.Group):
        yield path
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from commands(inner, (*path, name))


def test_every_command_is_tried_but_the_one_that_sees_every_tenant() -> None:
    everyone = {" ".join(path) for path in commands(main)}
    typed = [" ".join(word for word in line if word not in {"--store", "copied.db"}) for line in LINES]
    tried = {name for name in everyone if any(f"{line} ".startswith(f"{name} ") for line in typed)}
    assert everyone - tried == ACROSS | NOT_TRIED


def test_the_command_that_sees_every_tenant_is_off(shell: Shell) -> None:
    fill(shell)
    for words in ([], ["--all-tenants"]):
        result = shell.run("--tenant", "mine", "query", "cypher", "MATCH (n) RETURN n", *words)
        assert result.exit_code == 2
        assert CANARY not in result.output


def test_no_command_reads_or_writes_across_the_wall(shell: Shell) -> None:
    pattern = fill(shell)
    shell.write("mine.jsonl", {"type": "memory", "id": "f3", "kind": "fact", "text": "mine as well"})
    (shell.folder / "labels.csv").write_text("episode,outcome\ne1,failure\n", encoding="utf-8")
    before = everything(shell)
    for line in LINES:
        for form in ([], ["--json"]):
            if "export" in line and form:
                continue
            given_line = [word.replace("CANARY", CANARY).replace("PATTERN", pattern) for word in line]
            result = shell.run("--tenant", "mine", *form, *given_line)
            assert result.exit_code in {0, 1}, (line, result.output)
            assert CANARY not in result.stdout, line
    assert everything(shell) == before


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tenant=st.text(max_size=12))
def test_a_hostile_tenant_name_is_refused_or_is_a_tenant_of_its_own(shell: Shell, tenant: str) -> None:
    if not (shell.folder / "theirs.jsonl").exists():
        fill(shell)
    result = shell.run(f"--tenant={tenant}", "recall", CANARY)
    assert result.exit_code in {0, 2}
    assert CANARY not in result.stdout
