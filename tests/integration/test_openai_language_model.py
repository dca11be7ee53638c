"""The OpenAI adapter, bare and wrapped, against real sockets: each bad answer gives its documented error."""

from __future__ import annotations

import builtins
import json
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from chat_server import PATH, REQUEST, bodies, broken_server, completion, refusing
from graphmem.errors import ModelError, ModelUnavailableError, ReplyError
from graphmem.llm.budgeted import BudgetedModel
from graphmem.llm.openai import MORE_REQUESTS, OpenAIModel
from graphmem.llm.retrying import RetryingModel, RetryPolicy

KEY = "sk-very-secret"
Connect = Callable[..., OpenAIModel]


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def connect(httpserver: HTTPServer) -> Iterator[Connect]:
    made: list[OpenAIModel] = []

    def connected(**options: Any) -> OpenAIModel:
        given: dict[str, Any] = {"base_url": httpserver.url_for("/v1"), "api_key": KEY}
        made.append(OpenAIModel("small", **(given | options)))
        return made[-1]

    yield connected
    for model in made:
        model.close()


def patient(model: OpenAIModel, attempts: int = 3) -> RetryingModel:
    """A retrying model that waits for nothing."""
    return RetryingModel(model, RetryPolicy(attempts=attempts), sleep=lambda _: None, chance=lambda: 0.0)


def test_a_request_is_sent_with_key_and_schema_and_its_reply_comes_back_with_counts(
    httpserver: HTTPServer, connect: Connect
) -> None:
    httpserver.expect_request(PATH, headers={"Authorization": f"Bearer {KEY}"}).respond_with_json(
        completion("네, 환불했습니다")
    )
    reply = connect().complete(REQUEST)
    assert (reply.text, reply.input_tokens, reply.output_tokens) == ("네, 환불했습니다", 11, 7)
    [body] = bodies(httpserver)
    assert body == {
        "model": "small",
        "messages": [
            {"role": "system", "content": "Reply with JSON."},
            {"role": "user", "content": "private words of Ada"},
        ],
        "max_tokens": 100,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "greeting", "strict": True, "schema": dict(REQUEST.schema or {})},
        },
    }


def test_without_a_schema_no_form_is_asked_for(httpserver: HTTPServer, connect: Connect) -> None:
    httpserver.expect_request(PATH).respond_with_json(completion("hello"))
    connect().complete(replace(REQUEST, schema=None))
    assert "response_format" not in bodies(httpserver)[0]


def test_tokens_that_a_service_does_not_count_are_estimated(httpserver: HTTPServer, connect: Connect) -> None:
    httpserver.expect_request(PATH).respond_with_json(completion("네네", usage=None))
    reply = connect().complete(replace(REQUEST, system="a" * 8, user="가나다"))
    assert (reply.input_tokens, reply.output_tokens) == (5, 2)


@pytest.mark.parametrize("status", [400, 404, 422])
def test_a_service_that_refuses_structured_output_is_asked_in_plain_words_from_then_on(
    httpserver: HTTPServer, connect: Connect, status: int
) -> None:
    httpserver.expect_request(PATH).respond_with_handler(refusing("response_format", status=status))
    model = connect()
    for _ in range(3):
        assert model.complete(REQUEST).text == '{"a": 1}'
    assert ["response_format" in body for body in bodies(httpserver)] == [True, False, False, False]


def test_the_refusal_is_known_by_its_words_where_it_names_no_argument(
    httpserver: HTTPServer, connect: Connect
) -> None:
    words = "this model has no Structured Outputs"
    httpserver.expect_request(PATH).respond_with_handler(refusing("response_format", words=words))
    assert connect().complete(REQUEST).text == '{"a": 1}'


def test_a_model_that_wants_the_other_bound_of_tokens_gets_it_with_room_for_reasoning(
    httpserver: HTTPServer, connect: Connect
) -> None:
    words = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    httpserver.expect_request(PATH).respond_with_handler(refusing("max_tokens", words=words))
    model = connect()
    model.complete(REQUEST)
    model.complete(REQUEST)
    assert [body.get("max_completion_tokens") for body in bodies(httpserver)] == [None, 400, 400]


def test_requests_stay_within_one_a_call_and_those_that_find_out(httpserver: HTTPServer, connect: Connect) -> None:
    def strict(request: Request) -> Response:
        given = json.loads(request.get_data())
        if "response_format" in given:
            return Response('{"error": {"message": "response_format"}}', 400, content_type="application/json")
        if "max_tokens" in given:
            words = "max_tokens: use max_completion_tokens"
            return Response(json.dumps({"error": {"message": words}}), 400, content_type="application/json")
        return Response(status=503)

    httpserver.expect_request(PATH).respond_with_handler(strict)
    budgeted = BudgetedModel(connect(), max_calls=5)
    model = RetryingModel(budgeted, RetryPolicy(attempts=4), sleep=lambda _: None, chance=lambda: 0.0)
    with pytest.raises(ModelUnavailableError):
        model.complete(REQUEST)
    with pytest.raises(ModelError, match="max_model_calls"):
        model.complete(REQUEST)
    assert len(httpserver.log) == 5 + MORE_REQUESTS


def test_a_local_server_needs_no_key_and_the_environment_names_server_and_key(
    httpserver: HTTPServer, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    httpserver.expect_request(PATH).respond_with_json(completion("hello"))
    assert connect(api_key=None).complete(REQUEST).text == "hello"
    monkeypatch.setenv("OPENAI_BASE_URL", httpserver.url_for("/v1"))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    model = connect(base_url=None, api_key=None)
    assert model.complete(REQUEST).text == "hello"
    model.close()
    assert model.complete(REQUEST).text == "hello"
    assert httpserver.log[-1][0].headers["Authorization"] == f"Bearer {KEY}"


def test_no_key_and_no_server_is_an_error_that_names_the_setting() -> None:
    with pytest.raises(ModelError, match="OPENAI_API_KEY"):
        OpenAIModel("small").complete(REQUEST)


def test_without_the_package_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    plain_import = builtins.__import__

    def without_openai(name: str, *arguments: Any, **rest: Any) -> ModuleType:
        if name == "openai":
            raise ImportError(name)
        return plain_import(name, *arguments, **rest)

    monkeypatch.setattr(builtins, "__import__", without_openai)
    with pytest.raises(ModelError, match=r"graphmem\[openai\]"):
        OpenAIModel("small").complete(REQUEST)


UNAVAILABLE = [
    (429, {"Retry-After": "7"}, 7.0),
    (429, {}, None),
    (503, {"Retry-After": "2"}, 2.0),
    (500, {}, None),
    (408, {}, None),
]


@pytest.mark.parametrize(("status", "headers", "wait"), UNAVAILABLE)
def test_what_may_pass_is_unavailable_sent_once_and_says_how_long_to_wait(
    httpserver: HTTPServer, connect: Connect, status: int, headers: dict[str, str], wait: float | None
) -> None:
    httpserver.expect_request(PATH).respond_with_data("{}", status=status, headers=headers)
    with pytest.raises(ModelUnavailableError) as caught:
        connect().complete(REQUEST)
    assert caught.value.retry_after == wait
    assert len(httpserver.log) == 1


def test_a_date_to_wait_for_is_measured_by_the_services_own_clock(connect: Connect) -> None:
    answer = (
        b"HTTP/1.1 429 Too Many Requests\r\nDate: Wed, 21 Oct 2026 07:28:00 GMT\r\n"
        b"Retry-After: Wed, 21 Oct 2026 07:28:30 GMT\r\nContent-Length: 0\r\n\r\n"
    )
    with broken_server(answer) as server, pytest.raises(ModelUnavailableError) as caught:
        connect(base_url=server.url).complete(REQUEST)
    assert caught.value.retry_after == 30


def test_a_rate_limit_that_passes_is_not_seen(httpserver: HTTPServer, connect: Connect) -> None:
    httpserver.expect_ordered_request(PATH).respond_with_data("{}", status=429, headers={"Retry-After": "20"})
    httpserver.expect_ordered_request(PATH).respond_with_json(completion("fine"))
    waits: list[float] = []
    model = RetryingModel(connect(), sleep=waits.append, chance=lambda: 0.0)
    assert model.complete(REQUEST).text == "fine"
    assert waits == [20.0]


def test_a_fault_that_stays_is_given_up_within_the_attempts(httpserver: HTTPServer, connect: Connect) -> None:
    httpserver.expect_request(PATH).respond_with_data("oh", status=500)
    with pytest.raises(ModelUnavailableError, match=r"status 500.*given up after 3 attempts"):
        patient(connect()).complete(REQUEST)
    assert len(httpserver.log) == 3


def test_a_wait_that_is_too_long_is_told_after_one_request(httpserver: HTTPServer, connect: Connect) -> None:
    httpserver.expect_request(PATH).respond_with_data("{}", status=429, headers={"Retry-After": "86400"})
    with pytest.raises(ModelUnavailableError, match="86,400 s") as caught:
        patient(connect()).complete(REQUEST)
    assert caught.value.retry_after == 86_400
    assert len(httpserver.log) == 1


REFUSALS = [
    (401, {"error": {"message": f"Incorrect key {KEY}"}}, "OPENAI_API_KEY"),
    (403, {"error": {"message": f"No rights for {KEY}"}}, "OPENAI_API_KEY"),
    (404, {"error": {"message": "no such model"}}, "model's name"),
    (400, {"error": {"message": f"too long: {REQUEST.user}"}}, "status 400.*length of the text"),
    (429, {"error": {"code": "insufficient_quota", "message": "q"}}, "quota"),
]


@pytest.mark.parametrize(("status", "body", "words"), REFUSALS)
def test_a_refusal_is_told_after_one_request_without_the_services_words(
    httpserver: HTTPServer, connect: Connect, status: int, body: dict[str, Any], words: str
) -> None:
    httpserver.expect_request(PATH).respond_with_json(body, status=status)
    with pytest.raises(ModelError, match=words) as caught:
        patient(connect()).complete(REQUEST)
    assert type(caught.value) is ModelError
    assert "'small' at localhost" in str(caught.value)
    assert_no_secret(caught.value)
    assert len(httpserver.log) == 1


REPLIES = [
    (completion(""), "the reply is empty"),
    (completion(None), "the reply is empty"),
    (completion("\n \t"), "the reply is empty"),
    (completion('{"summary": "Ada', finish_reason="length"), "cut off"),
    (completion(None, finish_reason="content_filter"), "filter"),
    (completion(None, refusal="I cannot help Ada"), "refuses to answer"),
]


@pytest.mark.parametrize(("payload", "words"), REPLIES)
def test_a_reply_of_no_use_is_a_reply_error_after_one_request(
    httpserver: HTTPServer, connect: Connect, payload: dict[str, Any], words: str
) -> None:
    httpserver.expect_request(PATH).respond_with_json(payload)
    with pytest.raises(ReplyError, match=words) as caught:
        patient(connect()).complete(REQUEST)
    assert caught.value.prompt == "greeting"
    message = payload["choices"][0]["message"]
    assert caught.value.reply == (message["content"] or message["refusal"] or "")
    assert_no_secret(caught.value)
    assert len(httpserver.log) == 1


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<html>", "text/html"),
        ("<html>", "application/json"),
        ('{"hello": "world"}', "application/json"),
        ("[1, 2]", "application/json"),
        ('{"choices": []}', "application/json"),
        ('{"choices": [{"message": null}]}', "application/json"),
        ("null", "application/json"),
    ],
)
def test_an_answer_that_is_no_chat_completion_asks_for_the_base_url(
    httpserver: HTTPServer, connect: Connect, body: str, content_type: str
) -> None:
    httpserver.expect_request(PATH).respond_with_data(body, content_type=content_type)
    with pytest.raises(ModelError, match="base URL") as caught:
        patient(connect()).complete(REQUEST)
    assert type(caught.value) is ModelError
    assert len(httpserver.log) == 1


def test_a_server_that_hangs_is_unavailable_within_the_attempts(connect: Connect) -> None:
    with broken_server(None) as server:
        model = connect(base_url=server.url, timeout=0.05)
        with pytest.raises(ModelUnavailableError, match=r"in time.*given up after 2 attempts"):
            patient(model, attempts=2).complete(REQUEST)
        assert server.connections == 2


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{",
        b"nonsense\r\n\r\n",
    ],
    ids=["at once", "in the middle", "after nonsense"],
)
def test_a_connection_that_is_closed_is_unavailable_within_the_attempts(connect: Connect, answer: bytes) -> None:
    with broken_server(answer) as server:
        with pytest.raises(ModelUnavailableError, match="given up after 3 attempts") as caught:
            patient(connect(base_url=server.url)).complete(REQUEST)
        assert server.connections == 3
    assert_no_secret(caught.value)


def test_a_server_that_is_not_there_is_unavailable_and_its_password_is_not_told(connect: Connect) -> None:
    with pytest.raises(ModelUnavailableError, match=r"127\.0\.0\.1:9 cannot be reached") as caught:
        connect(base_url="http://ada:horse@127.0.0.1:9/v1").complete(REQUEST)
    assert "horse" not in str(caught.value)


def test_threads_share_one_model(httpserver: HTTPServer, connect: Connect) -> None:
    def echoed(request: Request) -> Response:
        time.sleep(0.01)
        user = json.loads(request.get_data())["messages"][1]["content"]
        return Response(json.dumps(completion(user)), content_type="application/json")

    httpserver.expect_request(PATH).respond_with_handler(echoed)
    model = connect()
    users = [f"질문 {number}" for number in range(8)]
    with ThreadPoolExecutor(4) as threads:
        replies = list(threads.map(lambda user: model.complete(replace(REQUEST, user=user)).text, users))
    assert replies == users


def assert_no_secret(error: Exception) -> None:
    told = "".join(traceback.format_exception(error))
    assert KEY not in told
    assert REQUEST.user not in told
    assert "Ada" not in told
