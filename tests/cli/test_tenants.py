"""No command shows or changes anything of another tenant."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from command_shell import Shell

CANARY = "canary-7741"


def fill(shell: Shell) -> str:
    steps = [{"action": f"act-{CANARY}", "tools": [f"tool-{CANARY}"], "errors": [f"error-{CANARY}"]}]
    records: list[dict[str, Any]] = [
        {"type": "concept", "name": f"concept {CANARY}"},
        {"type": "relation", "head": f"concept {CANARY}", "relation": "is_a", "tail": f"kind {CANARY}"},
        *(
            {"type": "episode", "id": f"e{n}", "goal": f"goal {CANARY}", "steps": steps, "domain": CANARY}
            for n in range(4)
        ),
        {"type": "message", "id": "m1", "text": f"said {CANARY}", "at": "2026-03-01T09:00:00Z"},
        {"type": "memory", "id": "f1", "kind": "fact", "text": f"fact {CANARY}"},
        {"type": "procedure", "id": "p1", "name": f"procedure {CANARY}", "steps": ["look"]},
    ]
    shell.ok("--tenant", "theirs", "import", shell.write("theirs.jsonl", *records))
    shell.ok("--tenant", "theirs", "consolidate")
    shell.ok("--tenant", "theirs", "patterns", "mine")
    shell.ok("--tenant", "mine", "remember", "my own fact", "--id", "f2")
    pattern = shell.json("--tenant", "theirs", "patterns", "list")[0]["id"]
    assert isinstance(pattern, str)
    return pattern


def everything(shell: Shell) -> bytes:
    return shell.ok("--tenant", "theirs", "export", "--full").stdout_bytes


def test_no_command_reads_or_writes_across_the_wall(shell: Shell) -> None:
    pattern = fill(shell)
    before = everything(shell)
    lines = [
        ["recall", "CANARY"],
        ["recall", "CANARY", "--explain", "--limit", "1000"],
        ["context", "CANARY"],
        ["episodes", "list"],
        ["episodes", "show", "e1"],
        ["episodes", "similar", "goal", "--min-similarity", "0"],
        ["concepts", "list"],
        ["concepts", "show", "concept CANARY"],
        ["concepts", "tree", "concept CANARY"],
        ["consolidate", "--plan"],
        ["consolidate"],
        ["patterns", "mine"],
        ["patterns", "list"],
        ["patterns", "show", pattern],
        ["patterns", "report"],
        ["export"],
        ["export", "--full"],
        *(
            ["query", "run", f"reports/{name}"]
            for name in ("causes", "concepts", "findings", "growth", "outcomes", "tools")
        ),
        *(["forget", kind, name] for kind, name in (("message", "m1"), ("fact", "f1"), ("episode", "e1"))),
        ["forget", "procedure", "p1"],
        ["forget", "pattern", pattern],
        ["forget", "concept", "concept CANARY"],
        ["remember", "mine", "--supersedes", "f1"],
        ["erase", "--tenant", "mine", "--yes"],
    ]
    for line in lines:
        for form in ([], ["--json"]):
            if line[0] == "export" and form:
                continue
            given_line = [word.replace("CANARY", CANARY) for word in line]
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
