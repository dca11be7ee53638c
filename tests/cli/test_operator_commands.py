"""query, settings, schema, doctor."""

from __future__ import annotations

import csv
import io

import pytest

from command_shell import Shell


def test_settings_show_value_and_source_and_no_secret(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "hunter2-secret")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-verysecret")
    monkeypatch.setenv("GRAPHMEM_TENANT", "acme")
    (shell.folder / "graphmem.toml").write_text("max_refused = 3\n[mining]\nmax_nodes = 4\n")
    rows = {row["name"]: row for row in shell.json("--user", "ada", "settings", "show")}
    assert (rows["tenant"]["value"], rows["tenant"]["source"]) == ("acme", "environment GRAPHMEM_TENANT")
    assert (rows["user"]["value"], rows["user"]["source"]) == ("ada", "argument")
    assert (rows["max_refused"]["value"], rows["max_refused"]["source"]) == (3, "file graphmem.toml")
    assert rows["mining.max_nodes"]["value"] == 4
    assert rows["store"]["source"] == "default"
    assert rows["password"]["source"] == "environment NEO4J_PASSWORD"
    for line in (["settings", "show"], ["settings", "show", "--json"], ["settings", "show", "-vv"]):
        result = shell.ok(*line)
        assert "hunter2" not in result.output
        assert "verysecret" not in result.output


def test_a_password_in_an_address_is_refused_and_not_repeated(shell: Shell) -> None:
    result = shell.run("--store", "neo4j://neo4j:hunter2@localhost:7687", "recall", "x")
    assert result.exit_code == 2
    assert "hunter2" not in result.output


def test_a_wrong_settings_file_is_told_by_name(shell: Shell) -> None:
    (shell.folder / "own.toml").write_text("tennant = 'x'\n")
    result = shell.run("--config", "own.toml", "settings", "show")
    assert result.exit_code == 2
    assert "own.toml" in result.stderr
    assert "'tenant'" in result.stderr


def test_schema_status_migrate_and_reindex(shell: Shell) -> None:
    created = shell.json("schema", "migrate")
    assert created["before"] == 0
    status = shell.json("schema", "status")
    assert (status["kind"], status["state"]) == ("sqlite", "current")
    assert status["schema_version"] == status["program_version"] == created["after"]
    assert shell.json("schema", "migrate") == {"before": created["after"], "after": created["after"]}
    shell.ok("remember", "환불 요청", "--id", "m1")
    shell.ok("schema", "reindex")
    assert shell.json("recall", "환불")[0]["id"] == "m1"
    assert shell.json("schema", "status")["embedder"]["name"]


def test_doctor_tells_each_check_and_ends_well(shell: Shell) -> None:
    shell.ok("remember", "x")
    checks = shell.json("doctor")
    assert all(check["ok"] for check in checks)
    assert {"connection", "version", "indexes", "dimension", "orphans"} <= {check["check"] for check in checks}


def test_doctor_says_what_to_do_about_another_embedder(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.ok("remember", "x")
    monkeypatch.setenv("GRAPHMEM_EMBEDDER", "use")
    result = shell.run("doctor")
    assert result.exit_code == 1
    assert "graphmem schema reembed" in result.stdout


def test_doctor_without_a_store_ends_with_3(shell: Shell) -> None:
    result = shell.run("doctor")
    assert result.exit_code == 3
    assert "graphmem.db" in result.stdout
    assert not list(shell.folder.iterdir())


def tool_runs(*tools: str) -> list[dict[str, object]]:
    return [
        {
            "type": "episode",
            "id": f"e{at}",
            "goal": "g",
            "outcome": "success",
            "steps": [{"action": "a", "tools": [name]}],
        }
        for at, name in enumerate(tools)
    ]


def test_queries_are_listed_shown_and_run(shell: Shell) -> None:
    listed = {each["name"]: each for each in shell.json("query", "list")}
    assert listed["reports/growth"]["params"] == {"days": 30}
    shown = shell.json("query", "show", "reports/growth")
    assert shown["mode"] == "read"
    assert shell.ok("query", "show", "reports/growth").stdout.startswith("// ")
    shell.ok("import", shell.write("a.jsonl", *tool_runs("http", "http", "환불API")))
    rows = shell.json("query", "run", "reports/tools")
    assert list(rows[0]) == list(shell.json("query", "show", "reports/tools")["returns"])
    assert shell.json("query", "run", "reports/tools", "--format", "json") == rows
    assert len(shell.json("query", "run", "reports/tools", "--param", "limit=1")) == 1
    table = shell.ok("query", "run", "reports/tools").stdout
    assert "환불" in table


def test_csv_of_a_query_holds_no_formula_and_no_escape(shell: Shell) -> None:
    domains = ["=cmd|'/c calc'!A1", "\x1b[2J", 'a "b", c', "환불"]
    runs = [
        {"type": "episode", "id": f"e{at}", "goal": "g", "steps": [], "domain": domain}
        for at, domain in enumerate(domains)
    ]
    shell.ok("import", shell.write("a.jsonl", *runs))
    text = shell.ok("query", "run", "reports/outcomes", "--format", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["domain"] for row in rows} == {"'=cmd|'/c calc'!A1", "\\x1b[2J", 'a "b", c', "환불"}
    assert "\x1b" not in text


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        (["query", "run", "reports/growt"], "reports/growth"),
        (["query", "show", "../pyproject"], "no query"),
        (["query", "run", "reports/growth", "--param", "days=soon"], "whole number"),
        (["query", "run", "reports/growth", "--param", "name=1"], "no parameter 'name'"),
        (["query", "run", "reports/growth", "--param", "days"], "name=value"),
        (["query", "run", "reports/growth", "--param", "days=1", "--param", "days=2"], "twice"),
    ],
)
def test_a_wrong_query_is_a_usage_error(shell: Shell, line: list[str], hint: str) -> None:
    shell.ok("remember", "x")
    result = shell.run(*line)
    assert result.exit_code == 2
    assert hint in result.stderr
