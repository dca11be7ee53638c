"""The same commands against a real server: equal answers on both stores, and what a server may refuse."""

from __future__ import annotations

import json
from typing import Any

import pytest

from command_shell import Shell
from neo4j_servers import Neo4jServer


def records() -> list[dict[str, Any]]:
    runs = []
    for n in range(8):
        good = n % 2 == 0
        steps = [
            {"action": "조회", "tools": ["Http"], "arguments": {"cabin": "economy"}},
            {"action": "환불", "errors": [] if good else ["Timeout"], "fixes": ["PoolExhausted"] if good else []},
        ]
        runs.append(
            {
                "type": "episode",
                "id": f"run-{n}",
                "goal": f"환불 주문 {n}",
                "task": f"task-{n % 4}",
                "domain": "support",
                "outcome": "success" if good else "failure",
                "started_at": f"2026-03-0{n + 1}T09:00:00Z",
                "steps": steps,
            }
        )
    return [
        {"type": "relation", "head": "Timeout", "relation": "is_a", "tail": "NetworkError"},
        {"type": "memory", "id": "f1", "kind": "fact", "text": "환불은 사흘 걸린다"},
        *runs,
    ]


def main_job(shell: Shell, *where: str) -> dict[str, Any]:
    shell.write("runs.jsonl", *records())
    answers = {
        "import": shell.json(*where, "import", "runs.jsonl"),
        "again": shell.json(*where, "import", "runs.jsonl"),
        "consolidate": shell.json(*where, "consolidate"),
        "mine": shell.json(*where, "patterns", "mine"),
    }
    for answer in answers.values():
        answer.pop("seconds")
        answer.pop("run", None)
    patterns = shell.json(*where, "patterns", "list")
    for pattern in patterns:
        pattern.pop("run")
        pattern["cypher_parameters"].pop("tenant")
    export = shell.ok(*where, "export").stdout
    names = [item["id"] for item in shell.json(*where, "recall", "환불 주문", "--limit", "5")]
    tools = shell.json(*where, "query", "run", "reports/tools")
    return {**answers, "patterns": patterns, "export": export, "recall": names, "tools": tools}


def test_the_main_job_answers_alike_on_both_stores(
    shell: Shell, neo4j_server: Neo4jServer, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_server.password)
    on_a_file = main_job(shell)
    on_a_server = main_job(shell, "--store", neo4j_server.uri, "--tenant", tenant)
    for name, answer in on_a_file.items():
        assert on_a_server[name] == answer, name
    assert on_a_file["patterns"]


def test_copies_lose_nothing_on_the_way_there_and_back(
    shell: Shell, neo4j_server: Neo4jServer, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_server.password)
    shell.ok("--tenant", tenant, "import", shell.write("runs.jsonl", *records()))
    shell.ok("--tenant", tenant, "consolidate")
    shell.ok("--tenant", tenant, "patterns", "mine")
    there = shell.json("copy", "--from", "graphmem.db", "--to", neo4j_server.uri, "--tenant", tenant)
    back = shell.json("copy", "--from", neo4j_server.uri, "--to", "back.db", "--tenant", tenant)
    assert there["complete"]
    assert back["complete"]
    assert there["counts"] == back["counts"]
    whole = shell.ok("--tenant", tenant, "export", "--full").stdout
    assert shell.ok("--tenant", tenant, "--store", "back.db", "export", "--full").stdout == whole
    erased = shell.json("--store", neo4j_server.uri, "erase", "--tenant", tenant, "--yes")["erased"]
    assert erased["Episode"] == len([record for record in records() if record["type"] == "episode"])
    assert shell.json("--store", neo4j_server.uri, "--tenant", tenant, "episodes", "list") == []


def test_a_wrong_password_is_told_without_repeating_it(
    shell: Shell, neo4j_server: Neo4jServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "hunter2-wrong")
    result = shell.run("--store", neo4j_server.uri, "recall", "x")
    assert result.exit_code == 3
    assert neo4j_server.uri in result.stderr
    assert "hunter2" not in result.output


def test_doctor_and_status_know_the_server(
    shell: Shell, neo4j_server: Neo4jServer, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_server.password)
    shell.ok("--store", neo4j_server.uri, "--tenant", tenant, "remember", "x")
    # other tests share the server, and some of them write nodes without an owner on purpose
    told = shell.run("--json", "--store", neo4j_server.uri, "doctor").stdout
    checks = {check["check"]: check["ok"] for check in json.loads(told)}
    assert {name for name, ok in checks.items() if not ok} <= {"orphans"}
    assert {"connection", "edition", "indexes"} <= checks.keys()
    status = shell.json("--store", neo4j_server.uri, "schema", "status")
    assert (status["kind"], status["state"]) == ("neo4j", "current")
    monkeypatch.setenv("NEO4J_URI", neo4j_server.uri)
    assert shell.json("--store", "neo4j", "schema", "status") == status


def test_a_server_that_is_down_is_told_by_its_address(shell: Shell) -> None:
    result = shell.run("--store", "bolt://127.0.0.1:1", "recall", "x")
    assert result.exit_code == 3
    assert "bolt://127.0.0.1:1" in result.stderr
    assert result.stdout == ""
