"""Consolidation with a real chat service, by the command: it answers, answers badly, breaks, or is not asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

import graphmem
from chat_server import PATH, broken_server, completion
from command_shell import Shell
from graphmem.consolidation.plan import ConsolidationReport
from graphmem.llm.budgeted import BudgetedModel
from graphmem.llm.cached import CachedModel
from graphmem.llm.openai import OpenAIModel
from graphmem.llm.retrying import RetryingModel, RetryPolicy

SAID = {
    "Whenever the disk fills up, an outage follows.": ("disk", "outage"),
    "An outage, again: it was the disk.": ("disk", "outage"),
    "메모리가 새면 장애가 난다.": ("메모리", "장애"),
    "장애의 뒤에는 늘 메모리가 있었다.": ("메모리", "장애"),
    "Smoking causes cancer.": ("Smoking", "cancer"),
}
"""What the rules see nothing in, but for the last one, with cause and effect as a model reads them."""


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    for name, value in {"EMBEDDER": "none", "ANALYZER": "plain", "STORE": "memory.db"}.items():
        monkeypatch.setenv(f"GRAPHMEM_{name}", value)
    filled = Shell(tmp_path)
    records = [
        {"type": "message", "id": f"m{day}", "session": f"s{day}", "at": f"2026-03-0{day}T09:00:00Z", "text": text}
        for day, text in enumerate(SAID, 1)
    ]
    filled.ok("import", filled.write("said.jsonl", *records))
    return filled


def name_service(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("GRAPHMEM_LANGUAGE_MODEL", "openai:small")
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")


@pytest.fixture
def served(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> HTTPServer:
    name_service(monkeypatch, httpserver.url_for("/v1"))
    return httpserver


def reads(request: Request) -> Response:
    """A service that knows what was said."""
    asked = json.loads(request.get_data())["messages"][1]["content"]
    relations = [
        {"head": cause, "relation": "causes", "tail": effect, "factuality": "asserted", "quote": text}
        for text, (cause, effect) in SAID.items()
        if text in asked
    ]
    reply = json.dumps({"concepts": [], "relations": relations}, ensure_ascii=False)
    return Response(json.dumps(completion(reply)), content_type="application/json")


def consolidate(shell: Shell, *line: str) -> tuple[dict[str, Any], str]:
    """What the command says: its JSON, and stderr."""
    result = shell.ok("--json", "consolidate", *line)
    return json.loads(result.stdout), result.stderr


ALL = 2 * len(SAID)
"""The messages, and as many episodes that the import has cut out of them: these the rules read."""


def counts(answer: dict[str, Any]) -> tuple[int, ...]:
    return tuple(answer[name] for name in ("read", "read_by_model", "model_calls", "model_failures", "relations"))


def test_the_model_of_the_settings_reads_and_a_second_run_asks_nothing(shell: Shell, served: HTTPServer) -> None:
    served.expect_request(PATH).respond_with_handler(reads)
    plan, _ = consolidate(shell, "--plan", "--max-model-calls", "20")
    assert counts(plan) == (5, 5, 5, 0, 0)
    assert served.log == []
    answer, said = consolidate(shell, "--max-model-calls", "20")
    assert counts(answer) == (ALL, 5, 5, 0, 2)
    assert (answer["faults"], said) == ([], "")
    again, said = consolidate(shell, "--max-model-calls", "20")
    assert counts(again) == (0, 0, 0, 0, 0)
    assert "Nothing new to learn from" in said
    without, _ = consolidate(shell)
    assert without["run"] is None
    assert len(served.log) == 5


def test_without_the_option_nobody_is_asked(shell: Shell, served: HTTPServer) -> None:
    answer, _ = consolidate(shell)
    assert counts(answer) == (ALL, 0, 0, 0, 0)
    assert served.log == []


def test_calls_run_out_and_the_next_run_goes_on(shell: Shell, served: HTTPServer) -> None:
    served.expect_request(PATH).respond_with_handler(reads)
    done: list[tuple[int, ...]] = []
    while not done or done[-1][2]:
        answer, _ = consolidate(shell, "--max-model-calls", "3")
        done.append(counts(answer)[:3])
    # a text that may take two calls is not begun with one left
    assert done == [(ALL, 2, 2), (2, 2, 2), (1, 1, 1), (0, 0, 0)]
    assert shell.json("concepts", "show", "disk")["relations"][0]["tail"] == "outage"


def test_useless_replies_are_read_by_rules_and_not_paid_for_again(shell: Shell, served: HTTPServer) -> None:
    served.expect_request(PATH).respond_with_json(completion("I cannot."))
    answer, said = consolidate(shell, "--max-model-calls", "20")
    assert counts(answer) == (ALL, 0, 10, 5, 0)
    assert len(answer["faults"]) == 1
    assert "read by rules instead" in said
    assert "disk" not in said
    again, _ = consolidate(shell, "--max-model-calls", "20")
    assert (again["run"], again["model_calls"], len(served.log)) == (None, 0, 10)


def test_a_wrong_key_is_tried_three_times_and_everything_is_read_by_rules(
    shell: Shell, served: HTTPServer
) -> None:
    served.expect_request(PATH).respond_with_data("{}", status=401)
    answer, said = consolidate(shell, "--max-model-calls", "20")
    assert counts(answer) == (ALL, 0, 3, 3, 0)
    assert "key" in said
    served.clear()
    served.expect_request(PATH).respond_with_handler(reads)
    answer, _ = consolidate(shell, "--max-model-calls", "20")
    assert counts(answer) == (5, 5, 5, 0, 2)


@pytest.mark.parametrize("broken", [None, b""], ids=["hangs", "closes"])
def test_a_service_that_breaks_is_asked_no_more_and_nothing_is_lost(
    shell: Shell, served: HTTPServer, broken: bytes | None
) -> None:
    with broken_server(broken) as server:
        report = consolidated(shell, OpenAIModel("small", base_url=server.url, api_key="sk-test", timeout=0.05))
        # one text, tried three times, and no other one after it
        assert server.connections == 3
    counted = (report.counts["read"], report.counts["read_by_model"], report.counts["model_failures"])
    assert counted == (ALL, 0, 1)
    (fault,) = report.faults
    assert fault
    served.expect_request(PATH).respond_with_handler(reads)
    later, _ = consolidate(shell, "--max-model-calls", "20")
    assert counts(later) == (5, 5, 5, 0, 2)


def test_a_rate_limit_of_an_hour_ends_the_asking(shell: Shell, served: HTTPServer) -> None:
    served.expect_request(PATH).respond_with_data("{}", status=429, headers={"Retry-After": "3600"})
    answer, said = consolidate(shell, "--max-model-calls", "20")
    assert counts(answer) == (ALL, 0, 1, 1, 0)
    assert len(served.log) == 1
    assert "3,600" in said or "3600" in said


def consolidated(shell: Shell, inner: OpenAIModel) -> ConsolidationReport:
    """A run with this service, wrapped as by `graphmem.open`, without the waiting."""
    policy = RetryPolicy(attempts=3)
    model = CachedModel(RetryingModel(BudgetedModel(inner), policy, sleep=lambda _: None, chance=lambda: 0.0))
    bounds = {"max_model_calls": 20}
    with graphmem.open(shell.folder / "memory.db", language_model=model, consolidation=bounds) as memory:
        return memory.consolidate()


def test_without_a_model_the_command_says_how_to_name_one(shell: Shell) -> None:
    result = shell.run("consolidate", "--max-model-calls", "5")
    assert result.exit_code == 2
    assert "GRAPHMEM_LANGUAGE_MODEL" in result.stderr
    assert shell.ok("consolidate", "--max-model-calls", "0")
