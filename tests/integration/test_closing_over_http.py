"""Episodes closed with a real chat service that answers well, badly or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

import graphmem
from chat_server import PATH, broken_server, completion
from graphmem.episodes.recorder import Recorder
from graphmem.errors import GraphMemError, ModelError, ModelUnavailableError, ReplyError
from graphmem.llm.budgeted import BudgetedModel
from graphmem.llm.cached import CachedModel
from graphmem.llm.openai import OpenAIModel
from graphmem.llm.retrying import RetryingModel, RetryPolicy
from graphmem.models.episode import EpisodeState, Outcome
from graphmem.prompts.asking import CALLS_AT_MOST
from graphmem.testing.clock import FakeClock

BEGIN = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
ATTEMPTS = 3
GOOD = {
    "summary": "환불을 원했습니다. 조회했습니다. 환불이 완료되었습니다.",
    "lessons": ["재고를 먼저 확인한다."],
    "outcome": {"value": "success", "reason": "완료되었다고 한다.", "quote": "환불이 완료되었습니다."},
    "facts": [],
}


def memory_of(folder: Path, url: str, timeout: float = 5.0, max_calls: int | None = None) -> graphmem.GraphMemory:
    """A memory with a service at this address, wrapped as `graphmem.open` does, without the waiting."""
    inner = BudgetedModel(
        OpenAIModel("small", base_url=url, api_key="sk-test", timeout=timeout), max_calls=max_calls
    )
    trying = RetryingModel(inner, RetryPolicy(attempts=ATTEMPTS), sleep=lambda _: None, chance=lambda: 0.0)
    model = CachedModel(trying)
    return graphmem.open(folder / "memory.db", embedder="hashing", language_model=model, clock=FakeClock())


@pytest.fixture
def memory(httpserver: HTTPServer, tmp_path: Path) -> Iterator[graphmem.GraphMemory]:
    with memory_of(tmp_path, httpserver.url_for("/v1")) as opened:
        yield opened


def recorded(memory: graphmem.GraphMemory, name: str = "e") -> Recorder:
    run = memory.episodes.record("주문 17번 환불", id=name, started_at=BEGIN)
    run.step("환불", result="환불이 완료되었습니다.")
    return run


def kept_and_finished_later(memory: graphmem.GraphMemory, httpserver: HTTPServer) -> None:
    """Nothing of it is half-written, and a service that answers well finishes it."""
    kept = memory.episodes.get("e")
    assert (kept.state, kept.summary, kept.lessons, len(kept.steps)) == (EpisodeState.OPEN, None, (), 1)
    assert [(waiting.id, waiting.is_ended) for waiting in memory.episodes.pending()] == [("e", True)]
    httpserver.clear()
    httpserver.expect_request(PATH).respond_with_json(completion(json.dumps(GOOD)))
    assert memory.episodes.finalize() == ("e",)
    assert len(httpserver.log) == 1
    stored = memory.episodes.get("e")
    assert (stored.outcome, stored.summary, stored.resolution) == (Outcome.SUCCESS, GOOD["summary"], "환불했다")


def test_a_good_answer_takes_one_request(httpserver: HTTPServer, memory: graphmem.GraphMemory) -> None:
    httpserver.expect_request(PATH).respond_with_json(completion(json.dumps(GOOD)))
    recorded(memory).close(resolution="환불했다")
    assert memory.episodes.finalize() == ()
    assert len(httpserver.log) == 1
    stored = memory.episodes.get("e")
    assert (stored.outcome, stored.lessons) == (Outcome.SUCCESS, ("재고를 먼저 확인한다.",))
    assert stored.outcome_history[0].source == "openai/small"


BAD: dict[str, tuple[dict[str, Any], type[GraphMemError], int]] = {
    "empty": ({"response_json": completion("")}, ReplyError, CALLS_AT_MOST),
    "not JSON": ({"response_json": completion("환불이 완료되었습니다.")}, ReplyError, CALLS_AT_MOST),
    "too long": ({"response_json": completion("가" * 100_000)}, ReplyError, CALLS_AT_MOST),
    "cut off": ({"response_json": completion("{", finish_reason="length")}, ReplyError, CALLS_AT_MOST),
    "another language": (
        {"response_json": completion(json.dumps({**GOOD, "summary": "A refund was issued."}))},
        ReplyError,
        CALLS_AT_MOST,
    ),
    "a refusal": ({"response_json": completion(None, refusal="I cannot")}, ReplyError, CALLS_AT_MOST),
    "429": (
        {"response_data": "{}", "status": 429, "headers": {"Retry-After": "1"}},
        ModelUnavailableError,
        ATTEMPTS,
    ),
    "429 for an hour": (
        {"response_data": "{}", "status": 429, "headers": {"Retry-After": "3600"}},
        ModelUnavailableError,
        1,
    ),
    "500": ({"response_data": "{}", "status": 500}, ModelUnavailableError, ATTEMPTS),
    "401": ({"response_data": "{}", "status": 401}, ModelError, 1),
}


@pytest.mark.parametrize(("answer", "kind", "requests"), BAD.values(), ids=BAD.keys())
def test_a_bad_answer_loses_nothing_and_costs_what_was_said(
    httpserver: HTTPServer,
    memory: graphmem.GraphMemory,
    answer: dict[str, Any],
    kind: type[GraphMemError],
    requests: int,
) -> None:
    handler = httpserver.expect_request(PATH)
    respond = handler.respond_with_json if "response_json" in answer else handler.respond_with_data
    respond(**answer)
    with pytest.raises(kind) as caught, recorded(memory) as run:
        run.close(resolution="환불했다")
    assert type(caught.value) is kind
    assert len(httpserver.log) == requests
    kept_and_finished_later(memory, httpserver)


@pytest.mark.parametrize("answer", [None, b""], ids=["hangs", "closes"])
def test_a_connection_that_hangs_or_closes_loses_nothing(
    httpserver: HTTPServer, memory: graphmem.GraphMemory, tmp_path: Path, answer: bytes | None
) -> None:
    with broken_server(answer) as server:
        with memory_of(tmp_path, server.url, timeout=0.05) as broken:
            run = recorded(broken)
            with pytest.raises(ModelUnavailableError):
                run.close(resolution="환불했다")
        assert server.connections == ATTEMPTS
    kept_and_finished_later(memory, httpserver)


def test_a_spent_budget_leaves_the_rest_pending(httpserver: HTTPServer, tmp_path: Path) -> None:
    httpserver.expect_request(PATH).respond_with_json(completion(json.dumps(GOOD)))
    with memory_of(tmp_path, httpserver.url_for("/v1"), max_calls=1) as memory:
        recorded(memory, "first").close()
        run = memory.episodes.record("다른 일", id="second")
        with pytest.raises(ModelError, match=r"budget|calls"):
            run.close()
        assert [waiting.id for waiting in memory.episodes.pending()] == ["second"]
    assert len(httpserver.log) == 1
