"""`query cypher`: off unless it is allowed, asked for by name, and honest about an answer that is cut off."""

from __future__ import annotations

import csv
import io
import json

import pytest

import graphmem
from command_shell import Shell
from neo4j_servers import Neo4jServer

ALL = ["query", "cypher", "--all-tenants"]


def test_without_all_tenants_it_is_a_usage_error(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMEM_ALLOW_CYPHER", "true")
    result = shell.run("--store", "bolt://127.0.0.1:1", "query", "cypher", "RETURN 1")
    assert result.exit_code == 2
    assert "--all-tenants" in result.stderr
    assert "every tenant" in result.stderr


def test_it_is_off_until_the_settings_allow_it(shell: Shell) -> None:
    result = shell.run("--store", "bolt://127.0.0.1:1", *ALL, "RETURN 1")
    assert result.exit_code == 2
    assert "allow_cypher" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("allowed", ["true", "false"])
def test_a_file_says_that_it_runs_no_cypher(shell: Shell, monkeypatch: pytest.MonkeyPatch, allowed: str) -> None:
    monkeypatch.setenv("GRAPHMEM_ALLOW_CYPHER", allowed)
    result = shell.run(*ALL, "RETURN 1")
    assert result.exit_code == 2
    assert "needs a store on Neo4j" in result.stderr
    assert not list(shell.folder.iterdir())


@pytest.fixture
def operator(
    shell: Shell, neo4j_server: Neo4jServer, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> tuple[Shell, str]:
    monkeypatch.setenv("GRAPHMEM_STORE", neo4j_server.uri)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_server.password)
    monkeypatch.setenv("GRAPHMEM_ALLOW_CYPHER", "true")
    for name in (tenant, f"{tenant}-other"):
        with graphmem.open(tenant=name, embedder="none") as memory:
            memory.remember("=환불()\x1b[2J", id="f1")
    return shell, tenant


OWN = "MATCH (m:Memory) WHERE m.tenant STARTS WITH $t RETURN m.tenant AS tenant, m.text AS text ORDER BY tenant"


def test_rows_come_as_json_csv_and_table(operator: tuple[Shell, str]) -> None:
    shell, tenant = operator
    line = [*ALL, OWN, "--param", f"t={tenant}"]
    rows = [{"tenant": name, "text": "=환불()\x1b[2J"} for name in (tenant, f"{tenant}-other")]
    answer = shell.json(*line)
    assert answer == {"columns": ["tenant", "text"], "rows": rows, "truncated": None}
    assert json.loads(shell.ok(*line, "--format", "json").stdout) == answer
    written = shell.ok(*line, "--format", "csv").stdout
    assert [row["text"] for row in csv.DictReader(io.StringIO(written))] == ["'=환불()\\x1b[2J"] * 2
    table = shell.ok(*line).stdout
    assert "환불" in table
    assert "\x1b" not in table + written


def test_parameters_are_numbers_lists_and_texts(operator: tuple[Shell, str]) -> None:
    shell, _ = operator
    given = ["--param", "a=[1, 2]", "--param", "b=0.5", "--param", "c=환불"]
    answer = shell.json(*ALL, "RETURN $a AS a, $b AS b, $c AS c", *given)
    assert answer["rows"] == [{"a": [1, 2], "b": 0.5, "c": "환불"}]


@pytest.mark.parametrize("setting", ["rows", "bytes"])
def test_an_answer_that_is_cut_off_says_so_even_when_quiet(
    operator: tuple[Shell, str], monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    shell, _ = operator
    monkeypatch.setenv("GRAPHMEM_CYPHER_MAX_ROWS", "3" if setting == "rows" else "1000")
    monkeypatch.setenv("GRAPHMEM_CYPHER_MAX_BYTES", "1024")
    text = "UNWIND range(1, 500) AS x RETURN x"
    answer = shell.json(*ALL, text)
    assert answer["truncated"] == setting
    assert len(answer["rows"]) < 500
    for form in ("table", "csv"):
        result = shell.ok("-q", *ALL, text, "--format", form)
        assert f"cypher_max_{setting}" in result.stderr
        assert "cut off" not in result.stdout


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("MATCH (n) DETACH DELETE n", "writes"),
        ("RETURN CASE WHEN EXISTS { LOAD CSV FROM 'file:///x' AS l RETURN l } THEN 1 END AS x", "LOAD CSV"),
        ("RETURN $missing", "$missing"),
        ("MATCH (n) RETURN m", "column 18"),
    ],
)
def test_what_is_refused_is_a_usage_error_with_its_reason(
    operator: tuple[Shell, str], text: str, reason: str
) -> None:
    shell, _ = operator
    result = shell.run(*ALL, text)
    assert result.exit_code == 2
    assert reason in result.stderr
    assert result.stdout == ""


def test_no_rows_are_no_error(operator: tuple[Shell, str]) -> None:
    shell, _ = operator
    assert shell.json(*ALL, "UNWIND [] AS x RETURN x") == {"columns": ["x"], "rows": [], "truncated": None}
    assert shell.ok(*ALL, "MATCH (n) FINISH").stdout == ""
