"""import and episodes: counts, refused records, progress, listing, showing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from command_shell import Shell


def episode(name: str, **fields: Any) -> dict[str, Any]:
    return {"type": "episode", "id": name, "goal": f"goal of {name}", "steps": [{"action": "look"}], **fields}


def test_import_counts_and_a_second_one_adds_nothing(shell: Shell) -> None:
    path = shell.write("runs.jsonl", episode("e1"), episode("e2", colour="red"))
    first = shell.json("import", path)
    assert list(first) == ["read", "added", "unchanged", "changed", "refused", "extra", "seconds"]
    assert (first["read"], first["added"], first["unchanged"], first["refused"]) == (2, 2, 0, [])
    assert first["extra"] == {"colour": 1}
    second = shell.json("import", path)
    assert (second["added"], second["unchanged"]) == (0, 2)


def test_changed_content_is_reported_and_replaced_with_update(shell: Shell) -> None:
    shell.ok("import", shell.write("a.jsonl", episode("e1")))
    other = shell.write("b.jsonl", episode("e1", outcome="failure"))
    told = shell.ok("import", other)
    assert "--update" in told.stderr
    assert shell.json("import", other)["changed"] == 1
    assert shell.json("episodes", "show", "e1")["outcome"] == "unknown"
    assert "--update" not in shell.ok("import", other, "--update").stderr
    assert shell.json("episodes", "show", "e1")["outcome"] == "failure"


def test_a_bad_record_is_told_with_its_line_and_stops_nothing(shell: Shell) -> None:
    shell.write("runs.jsonl", episode("e1"), {"type": "house"}, episode("e2"))
    result = shell.run("import", "runs.jsonl")
    assert result.exit_code == 1
    assert "runs.jsonl:2:" in result.stderr
    report = json.loads(shell.run("--json", "import", "runs.jsonl").stdout)
    (refused,) = report["refused"]
    assert (refused["path"], refused["line"]) == ("runs.jsonl", 2)
    assert "house" in refused["reason"]
    assert shell.run("import", "runs.jsonl", "--max-refused", "1").exit_code == 0
    assert [item["id"] for item in shell.json("episodes", "list")] == ["e1", "e2"]


def test_standard_input_is_a_file_called_dash(shell: Shell) -> None:
    record = json.dumps(episode("환불-1", goal="환불 요청"), ensure_ascii=False)
    result = shell.run("--json", "import", "-", stdin=f"{record}\nnot json\n".encode())
    report = json.loads(result.stdout)
    assert (report["added"], report["refused"][0]["path"], report["refused"][0]["line"]) == (1, "-", 2)
    assert shell.json("episodes", "list")[0]["goal"] == "환불 요청"


def test_a_dry_run_writes_nothing(shell: Shell) -> None:
    shell.ok("remember", "so that there is a store")
    report = shell.json("import", shell.write("a.jsonl", episode("e1")), "--dry-run")
    assert report["added"] == 1
    assert shell.json("episodes", "list") == []


def test_chat_runs_are_read_by_their_own_names(shell: Shell) -> None:
    call = {"id": "c1", "function": {"name": "refund", "arguments": "{}"}}
    runs = [
        {
            "traj": [
                {"role": "user", "content": "환불해 주세요"},
                {"role": "assistant", "content": "", "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "c1", "content": "ok"},
            ],
            "reward": 1.0,
            "task_id": 0,
        }
    ]
    (shell.folder / "runs.json").write_text(json.dumps(runs), encoding="utf-8")
    fields = ["--field", "messages=traj", "--field", "outcome=reward", "--field", "task=task_id"]
    assert shell.json("import", "runs.json", "--format", "chat", *fields)["added"] == 1
    (found,) = shell.json("episodes", "list")
    assert (found["goal"], found["outcome"]) == ("환불해 주세요", "success")
    assert shell.json("episodes", "show", found["id"])["task"] == "0"


@pytest.mark.parametrize(
    "line",
    [
        ["import"],
        ["import", "missing.jsonl"],
        ["import", "a.jsonl", "--field", "messages"],
        ["import", "a.jsonl", "--field", "messages=traj"],
        ["import", "a.jsonl", "--format", "chat", "--field", "colour=red"],
        ["import", "a.jsonl", "--format", "chat", "--field", "task=a", "--field", "task=b"],
        ["import", "a.jsonl", "--format", "chat", "--outcome-scale", "up"],
        ["import", "a.jsonl", "--format", "xml"],
    ],
    ids=" ".join,
)
def test_a_wrong_import_writes_nothing(shell: Shell, line: list[str]) -> None:
    shell.write("a.jsonl", episode("e1"))
    result = shell.run(*line)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert [path.name for path in shell.folder.iterdir()] == ["a.jsonl"]


def test_episodes_are_listed_as_the_table_says_and_filtered(shell: Shell) -> None:
    shell.ok(
        "import",
        shell.write(
            "a.jsonl",
            episode("e1", domain="support", outcome="success", started_at="2026-03-01T09:00:00Z"),
            episode("e2", domain="coding", outcome="failure", started_at="2026-03-02T09:00:00+09:00"),
            episode("e3"),
        ),
    )
    found = shell.json("episodes", "list")
    assert [item["id"] for item in found] == ["e2", "e1", "e3"]
    assert found[1] == {
        "id": "e1",
        "goal": "goal of e1",
        "domain": "support",
        "outcome": "success",
        "started_at": "2026-03-01T09:00:00Z",
        "similarity": None,
    }
    assert [item["id"] for item in shell.json("episodes", "list", "--domain", "coding")] == ["e2"]
    assert [item["id"] for item in shell.json("episodes", "list", "--since", "2026-03-01T12:00:00Z")] == ["e2"]
    first = shell.ok("episodes", "list", "--limit", "1")
    assert "There are more" in first.stderr
    assert len(first.stdout.splitlines()) == 2


def test_an_episode_is_shown_with_its_steps(shell: Shell) -> None:
    steps = [
        {"action": "call_api", "tools": ["http"], "errors": ["Timeout"], "effective": False, "reasoning": "확인"},
        {"action": "raise_pool", "fixes": ["PoolExhausted"], "after": []},
    ]
    causes = [{"effect": "Timeout", "cause": "PoolExhausted"}]
    shell.ok("import", shell.write("a.jsonl", episode("e1", outcome="partial", steps=steps, causes=causes)))
    text = shell.ok("episodes", "show", "e1").stdout
    for part in (
        "e1  partial",
        "[0] call_api  (ineffective)",
        "tools: http",
        "errors: Timeout",
        "why: 확인",
        "[1] raise_pool after nothing",
        "Timeout was caused by PoolExhausted",
    ):
        assert part in text
    document = shell.json("episodes", "show", "e1")
    assert document["steps"][0]["action"] == "call_api"
    missing = shell.run("episodes", "show", "e9")
    assert missing.exit_code == 1
    assert "e9" in missing.stderr


def test_hostile_episodes_are_harmless_to_look_at(shell: Shell) -> None:
    hostile = "\x1b[2J[red]x[/red]"
    steps = [{"action": hostile, "result": hostile}]
    shell.ok("import", shell.write("a.jsonl", episode("e1", goal=hostile, steps=steps, domain=hostile)))
    for line in (["list"], ["show", "e1"], ["show", "e1", "--json"]):
        said = shell.ok("episodes", *line).stdout
        assert "\x1b" not in said
        assert "[red]x[/red]" in said


def test_similar_episodes_come_with_their_similarity(shell: Shell) -> None:
    shell.ok(
        "import", shell.write("a.jsonl", episode("e1", goal="refund order 17"), episode("e2", goal="날씨 조회"))
    )
    found = shell.json("episodes", "similar", "refund order 17", "--min-similarity", "0.1")
    assert found[0]["id"] == "e1"
    assert 0.1 <= found[0]["similarity"] <= 1
    lines = shell.lines(
        "episodes", "similar", "-", stdin='{"text":"refund order 17","min_similarity":0.1,"limit":1}\n'
    )
    assert [item["id"] for item in lines[0]] == ["e1"]
    nothing = shell.ok("episodes", "similar", "quantum chromodynamics", "--min-similarity", "1")
    assert nothing.stdout == ""
    assert "tenant 'default'" in nothing.stderr
