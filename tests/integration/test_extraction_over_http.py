"""Extraction by a model behind a real HTTP server, from Python and from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from chat_server import PATH, bodies, broken_server, completion
from command_shell import Shell
from graphmem.errors import ModelError, ModelUnavailableError
from graphmem.llm.budgeted import BudgetedModel
from graphmem.llm.openai import OpenAIModel
from graphmem.prompts.extract_relations import extract_relations

TEXT = "A full disk caused the outage. 고래는 포유류의 일종이다."
REPLY = {
    "concepts": [{"name": "outage", "aliases": []}],
    "relations": [
        {
            "head": "full disk",
            "relation": "causes",
            "tail": "outage",
            "factuality": "asserted",
            "quote": TEXT[:30],
        },
        {"head": "고래", "relation": "is_a", "tail": "moon", "factuality": "asserted", "quote": "고래는 포유류의"},
    ],
}


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path)


@pytest.fixture
def served(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> HTTPServer:
    monkeypatch.setenv("GRAPHMEM_LANGUAGE_MODEL", "openai:small")
    monkeypatch.setenv("OPENAI_BASE_URL", httpserver.url_for("/v1"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    return httpserver


def test_a_reply_over_http_is_held_against_the_text(httpserver: HTTPServer) -> None:
    httpserver.expect_request(PATH).respond_with_json(completion(json.dumps(REPLY)))
    found = extract_relations(OpenAIModel("small", base_url=httpserver.url_for("/v1"), api_key="sk-test"), TEXT)
    assert [(one.head.key, one.relation.value, one.tail.key) for one in found.relations] == [
        ("full disk", "causes", "outage")
    ]
    assert [one.reason for one in found.rejected] == ["the tail does not stand in the text"]
    [sent] = bodies(httpserver)
    assert "full disk" not in sent["messages"][0]["content"]


def test_a_bad_reply_costs_one_more_call_and_the_budget_holds(httpserver: HTTPServer) -> None:
    httpserver.expect_request(PATH).respond_with_json(completion("I cannot."))
    inner = OpenAIModel("small", base_url=httpserver.url_for("/v1"), api_key="sk-test")
    with pytest.raises(ModelError):
        extract_relations(BudgetedModel(inner, max_calls=1), TEXT)
    assert len(httpserver.log) == 1


def test_a_service_that_breaks_is_named_as_such() -> None:
    with broken_server(b"") as server, pytest.raises(ModelUnavailableError):
        extract_relations(OpenAIModel("small", base_url=server.url, api_key="sk-test", timeout=2), TEXT)


def test_the_command_asks_the_model_of_the_settings(shell: Shell, served: HTTPServer) -> None:
    served.expect_request(PATH).respond_with_json(completion(json.dumps(REPLY)))
    found = shell.json("extract", "--model", TEXT)
    assert [(one["head"], one["relation"], one["tail"]) for one in found["relations"]] == [
        ("full disk", "causes", "outage")
    ]
    assert found["relations"][0]["rule"] == "extract_relations"
    assert [one["reason"] for one in found["rejected"]] == ["the tail does not stand in the text"]


def test_a_line_that_the_model_fails_on_is_answered_with_the_reason(shell: Shell, served: HTTPServer) -> None:
    served.expect_ordered_request(PATH).respond_with_json(completion("no"))
    served.expect_ordered_request(PATH).respond_with_json(completion("no"))
    served.expect_ordered_request(PATH).respond_with_json(completion(json.dumps(REPLY)))
    result = shell.run("extract", "--model", "-", stdin=f"Something else.\n{TEXT}\n")
    first, second = (json.loads(line) for line in result.stdout.splitlines())
    assert "does not fit" in first["error"]
    assert len(second["relations"]) == 1
    assert result.exit_code == 1


def test_without_a_model_the_command_says_how_to_name_one(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRAPHMEM_LANGUAGE_MODEL", raising=False)
    result = shell.run("extract", "--model", "x")
    assert result.exit_code == 2
    assert "GRAPHMEM_LANGUAGE_MODEL" in result.stderr
