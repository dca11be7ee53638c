"""patterns and demo: the main job as a newcomer sees it."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from command_shell import Shell
from graphmem.cli.demo import program

PATTERN_FIELDS = {
    *(
        "id",
        "title",
        "domain",
        "nodes",
        "edges",
        "support",
        "tasks",
        "users",
        "outcomes",
        "success_rate",
        "interval",
    ),
    *(
        "baseline",
        "risk_difference",
        "risk_interval",
        "strata",
        "structure_lift",
        "q_structure",
        "p_outcome_adjusted",
    ),
    *(
        "tier",
        "polarity",
        "position",
        "late",
        "recommendation",
        "episodes",
        "generalizes",
        "first_seen",
        "last_seen",
    ),
    "cypher",
}


def run(name: str, *actions: str, **fields: Any) -> dict[str, Any]:
    steps = [{"action": action, "tools": ["Http"]} for action in actions]
    return {"type": "episode", "id": name, "goal": "g", "task": name, "steps": steps, **fields}


def fill(shell: Shell) -> None:
    shell.ok(
        "import",
        shell.write(
            "runs.jsonl",
            *(run(f"ok-{n}", "조회", "환불", domain="support", outcome="success") for n in range(4)),
            *(run(f"bad-{n}", "환불", domain="support", outcome="failure") for n in range(3)),
            run("open-1", "조회", state="open"),
        ),
    )


def test_mining_counts_episodes_patterns_and_tiers(shell: Shell) -> None:
    fill(shell)
    report = shell.json("patterns", "mine")
    assert report["episodes"] == 7
    assert report["patterns"] == sum(report["tiers"].values()) > 0
    assert report["seconds"] >= 0
    again = shell.json("patterns", "mine")
    assert (again["patterns"], again["added"]) == (report["patterns"], 0)
    assert shell.json("patterns", "mine", "--min-support", "5")["patterns"] < report["patterns"]
    assert shell.json("patterns", "mine", "--domain", "other")["episodes"] == 0


def test_patterns_are_listed_with_every_field_of_the_table(shell: Shell) -> None:
    fill(shell)
    shell.ok("patterns", "mine")
    found = shell.json("patterns", "list")
    assert found
    for pattern in found:
        assert pattern.keys() >= PATTERN_FIELDS
        assert pattern["tier"] == "candidate"
        assert pattern["polarity"] is None
        assert pattern["support"] == len(pattern["episodes"])
        assert pattern["episodes"] == sorted(pattern["episodes"])
        assert all({"label", "kind"} <= node.keys() for node in pattern["nodes"])
    labels = {node["label"] for pattern in found for node in pattern["nodes"]}
    assert labels == {"조회", "환불", "Http"}
    assert found == sorted(found, key=lambda pattern: -pattern["support"])
    assert shell.json("patterns", "list", "--domain", "elsewhere") == []
    assert shell.json("patterns", "list", "--tier", "significant") == []
    assert len(shell.json("patterns", "list", "--limit", "1")) == 1
    assert "조회" in shell.ok("patterns", "list").stdout


def test_a_pattern_is_shown_by_the_begin_of_its_id(shell: Shell) -> None:
    fill(shell)
    shell.ok("patterns", "mine")
    wanted = shell.json("patterns", "list")[0]
    assert shell.json("patterns", "show", wanted["id"]) == wanted
    assert shell.json("patterns", "show", wanted["id"][:12]) == wanted
    text = shell.ok("patterns", "show", wanted["id"][:12]).stdout
    assert wanted["title"] in text
    assert "evidence: " in text
    query = shell.json("patterns", "show", wanted["id"], "--cypher")
    assert query["cypher"] == wanted["cypher"]
    assert query["parameters"]["tenant"] == "default"
    assert shell.ok("patterns", "show", wanted["id"], "--cypher").stdout.startswith(":param {")
    for unknown in ("0" * 64, "zz", "*", ""):
        assert shell.run("patterns", "show", unknown).exit_code in {1, 2}


def test_the_report_comes_as_text_markdown_and_json(shell: Shell) -> None:
    fill(shell)
    shell.ok("patterns", "mine")
    assert shell.ok("patterns", "report").stdout.startswith("Patterns of tenant default")
    assert shell.ok("patterns", "report", "--format", "md").stdout.startswith("# Patterns")
    report = shell.json("patterns", "report")
    assert json.loads(shell.ok("patterns", "report", "--format", "json").stdout) == report
    assert report["episodes"] == 7
    assert any("candidate" in note for note in report["notes"])
    for form in ("text", "md", "json"):
        answer = shell.json("patterns", "report", "--format", form, "--output", f"report.{form}")
        assert answer == {"file": f"report.{form}", "format": form}
    assert json.loads((shell.folder / "report.json").read_text(encoding="utf-8")) == report
    assert "환불" in (shell.folder / "report.md").read_text(encoding="utf-8")


def test_hostile_names_are_harmless_in_a_report(shell: Shell) -> None:
    hostile = "\x1b[2J[red]x[/red]|<script>"
    shell.ok("import", shell.write("a.jsonl", *(run(f"e{n}", hostile, hostile, domain=hostile) for n in range(4))))
    shell.ok("patterns", "mine")
    for line in (["list"], ["report"], ["report", "--format", "md"], ["report", "--json"]):
        said = shell.ok("patterns", *line).stdout
        assert "\x1b" not in said
    shell.ok("patterns", "report", "--output", "report.txt")
    assert "\x1b" not in (shell.folder / "report.txt").read_text(encoding="utf-8")


def test_an_empty_tenant_has_no_patterns_and_says_where_it_looked(shell: Shell) -> None:
    fill(shell)
    for line in (["mine"], ["list"], ["report"]):
        result = shell.ok("--tenant", "empty", "patterns", *line)
        assert "tenant 'empty'" in result.stderr
    assert shell.json("--tenant", "empty", "patterns", "list") == []


def files_of(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"graphmem.db-wal", "graphmem.db-shm"}


@pytest.mark.slow
def test_the_demo_runs_the_main_job_and_names_three_commands_that_work(shell: Shell) -> None:
    result = shell.ok("demo")
    folder = shell.folder / "graphmem-demo"
    assert files_of(folder) == {"graphmem.db", "report.html", "report.md", "samples.jsonl"}
    assert "significant" in result.stdout
    assert "가전" in result.stdout
    following = re.findall(r"^  graphmem (.+)$", result.stdout.partition("Try next:")[2], re.MULTILINE)
    assert len(following) == 3
    for line in following:
        assert shell.ok(*shlex.split(line)).stdout
    assert (folder / "report.md").read_text(encoding="utf-8").startswith("# Patterns")
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "report.html" in result.stdout
    again = shell.json("demo")
    assert again["import"]["added"] == 0
    assert again["import"]["refused"] == []
    assert again["mine"]["added"] == 0
    assert len(again["next"]) == 3
    assert shell.json("--store", again["store"], "import", again["samples"])["added"] == 0


def test_commands_to_try_name_the_program_so_that_the_shell_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program_file = tmp_path / "graphmem"
    program_file.write_text("#!/bin/sh\n")
    program_file.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(program_file), "demo"])
    monkeypatch.setenv("PATH", "")
    assert program() == str(program_file)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program() == "graphmem"


def test_the_demo_never_writes_into_a_store_of_ones_own(shell: Shell) -> None:
    shell.ok("remember", "my own memory")
    result = shell.run("demo", ".")
    assert result.exit_code == 1
    assert "of your own" in result.stderr
    assert shell.json("episodes", "list") == []
    assert files_of(shell.folder) == {"graphmem.db"}
    assert shell.run("demo", "--store", "x.db").exit_code == 2
    (shell.folder / "file").write_text("")
    assert shell.run("demo", "file").exit_code == 2
    assert shell.run("demo", "file/inside").exit_code == 1
