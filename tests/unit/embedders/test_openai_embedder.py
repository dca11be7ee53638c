"""The OpenAI adapter against a real server on a real socket."""

from __future__ import annotations

import builtins
import json
import time
import traceback
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from graphmem.embedders.openai import OpenAIEmbedder
from graphmem.errors import EmbeddingError, GraphMemError, ModelError, ModelUnavailableError

KEY = "sk-very-secret"
Refusal = tuple[int, dict[str, Any], type[GraphMemError], str]
TEXT = "Ada's private sentence"


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def connect(httpserver: HTTPServer) -> Iterator[Callable[..., OpenAIEmbedder]]:
    made: list[OpenAIEmbedder] = []

    def connected(**options: Any) -> OpenAIEmbedder:
        given: dict[str, Any] = {"base_url": httpserver.url_for("/v1"), "api_key": KEY, "retries": 0}
        made.append(OpenAIEmbedder("small", 3, **(given | options)))
        return made[-1]

    yield connected
    for embedder in made:
        embedder.close()


def numbered(request: Request) -> Response:
    """Vectors that point along their text's length, so that order can be checked."""
    texts = json.loads(request.get_data())["input"]
    data = [{"index": i, "object": "embedding", "embedding": [float(len(t)), 1, 0]} for i, t in enumerate(texts)]
    return Response(
        json.dumps({"object": "list", "data": data[::-1], "model": "small"}), content_type="application/json"
    )


def requests_of(httpserver: HTTPServer) -> list[dict[str, Any]]:
    return [json.loads(request.get_data()) for request, _ in httpserver.log]


def test_texts_are_sent_with_model_and_key_and_come_back_in_order(
    httpserver: HTTPServer, connect: Callable[..., OpenAIEmbedder]
) -> None:
    httpserver.expect_request("/v1/embeddings", headers={"Authorization": f"Bearer {KEY}"}).respond_with_handler(
        numbered
    )
    vectors = connect().embed(["a", "환불", "long text"])
    ratios = vectors[:, 0] / vectors[:, 1]
    np.testing.assert_allclose(ratios, [1, 2, 9], rtol=1e-4)
    [body] = requests_of(httpserver)
    assert body == {"model": "small", "input": ["a", "환불", "long text"], "encoding_format": "float"}


def test_many_texts_go_in_batches(httpserver: HTTPServer, connect: Callable[..., OpenAIEmbedder]) -> None:
    httpserver.expect_request("/v1/embeddings").respond_with_handler(numbered)
    texts = ["x" * (i % 7 + 1) for i in range(230)]
    vectors = connect().embed(texts)
    np.testing.assert_allclose(vectors[:, 0] / vectors[:, 1], [len(text) for text in texts], rtol=1e-4)
    assert [len(body["input"]) for body in requests_of(httpserver)] == [100, 100, 30]


def test_long_texts_are_cut_and_share_smaller_batches(
    httpserver: HTTPServer, connect: Callable[..., OpenAIEmbedder]
) -> None:
    httpserver.expect_request("/v1/embeddings").respond_with_handler(numbered)
    connect(max_characters=50_000).embed(["가" * 60_000] * 6)
    assert [[len(text) for text in body["input"]] for body in requests_of(httpserver)] == [
        [50_000] * 4,
        [50_000] * 2,
    ]


def test_a_model_that_can_shorten_is_asked_for_the_dimension(
    httpserver: HTTPServer, connect: Callable[..., OpenAIEmbedder]
) -> None:
    httpserver.expect_request("/v1/embeddings").respond_with_handler(numbered)
    connect(shorten=True).embed(["a"])
    assert requests_of(httpserver)[0]["dimensions"] == 3


def test_a_local_server_needs_no_key(httpserver: HTTPServer, connect: Callable[..., OpenAIEmbedder]) -> None:
    httpserver.expect_request("/v1/embeddings").respond_with_handler(numbered)
    assert connect(api_key=None).embed(["a"]).shape == (1, 3)


def test_base_url_and_key_come_from_the_environment(
    httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", httpserver.url_for("/v1"))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    httpserver.expect_request("/v1/embeddings", headers={"Authorization": f"Bearer {KEY}"}).respond_with_handler(
        numbered
    )
    embedder = OpenAIEmbedder("small", 3, retries=0)
    assert embedder.embed(["a"]).shape == (1, 3)
    embedder.close()
    assert embedder.embed(["a"]).shape == (1, 3)
    embedder.close()


def test_no_key_and_no_server_is_an_error_that_names_the_setting() -> None:
    with pytest.raises(ModelError, match="OPENAI_API_KEY"):
        OpenAIEmbedder("small", 3).embed(["a"])


def test_a_rate_limit_says_how_long_to_wait(
    httpserver: HTTPServer, connect: Callable[..., OpenAIEmbedder]
) -> None:
    httpserver.expect_request("/v1/embeddings").respond_with_data("{}", status=429, headers={"Retry-After": "7"})
    with pytest.raises(ModelUnavailableError) as caught:
        connect().embed([TEXT])
    assert caught.value.retry_after == 7
    assert caught.value.retryable


def test_a_rate_limit_without_a_time_or_with_none_that_can_be_read_leaves_it_open(
    httpserver: HTTPServer, connect: Callable[..., OpenAIEmbedder]
) -> None:
    odd = {"Retry-After": "soon"}
    httpserver.expect_ordered_request("/v1/embeddings").respond_with_data("{}", status=429)
    httpserver.expect_ordered_request("/v1/embeddings").respond_with_data("{}", status=429, headers=odd)
    for _ in range(2):
        with pytest.raises(ModelUnavailableError) as caught:
            connect().embed([TEXT])
        assert caught.value.retry_after is None


def test_a_rate_limit_that_passes_is_not_seen(
    httpserver: HTTPServer, connect: Callable[..., OpenAIEmbedder]
) -> None:
    once = {"Retry-After": "0", "Retry-After-Ms": "1"}
    httpserver.expect_ordered_request("/v1/embeddings").respond_with_data("{}", status=429, headers=once)
    httpserver.expect_ordered_request("/v1/embeddings").respond_with_handler(numbered)
    assert connect(retries=1).embed([TEXT]).shape == (1, 3)


@pytest.mark.parametrize(
    "refusal",
    [
        (429, {"error": {"code": "insufficient_quota", "message": "q"}}, ModelError, "quota"),
        (500, {}, ModelUnavailableError, "status 500"),
        (503, {}, ModelUnavailableError, "status 503"),
        (401, {"error": {"message": f"Incorrect key {KEY}"}}, ModelError, "OPENAI_API_KEY"),
        (403, {"error": {"message": f"No rights for {KEY}"}}, ModelError, "OPENAI_API_KEY"),
        (404, {"error": {"message": "no such model"}}, ModelError, "model's name"),
        (400, {"error": {"message": f"bad input: {TEXT}"}}, ModelError, "status 400"),
    ],
)
def test_refusals_are_translated_without_the_services_words(
    httpserver: HTTPServer, connect: Callable[..., OpenAIEmbedder], refusal: Refusal
) -> None:
    status, body, kind, words = refusal
    httpserver.expect_request("/v1/embeddings").respond_with_json(body, status=status)
    with pytest.raises(kind, match=words) as caught:
        connect().embed([TEXT])
    assert type(caught.value) is kind
    assert "'small' at localhost" in str(caught.value)
    shown = "".join(traceback.format_exception(caught.value))
    assert KEY not in shown
    assert TEXT not in shown


def test_a_server_that_is_not_there_is_unavailable() -> None:
    embedder = OpenAIEmbedder("small", 3, base_url="http://ada:pass@127.0.0.1:9/v1", retries=0)
    with pytest.raises(ModelUnavailableError, match="cannot be reached") as caught:
        embedder.embed(["a"])
    assert "127.0.0.1:9" in str(caught.value)
    assert "pass" not in str(caught.value)
    embedder.close()


def test_a_server_that_hangs_is_unavailable(
    httpserver: HTTPServer, connect: Callable[..., OpenAIEmbedder]
) -> None:
    def slow(request: Request) -> Response:
        time.sleep(0.5)
        return numbered(request)

    httpserver.expect_request("/v1/embeddings").respond_with_handler(slow)
    with pytest.raises(ModelUnavailableError, match="in time"):
        connect(timeout=0.05).embed(["a"])


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ({"data": [{"index": 0, "embedding": [1, 2]}]}, "2 dimensions"),
        ({"data": []}, "0 vectors"),
        ({"data": [{"index": 0, "embedding": [1, 2, 3]}] * 2}, "2 vectors"),
        ({"data": [{"index": 0, "embedding": None}]}, "no embeddings"),
        ({"data": [{"index": 0, "embedding": [0, 0, 0]}]}, "no direction"),
        ({"data": [{"index": 0, "embedding": [None, 0, 1]}]}, "numbers|finite"),
        ({"hello": "world"}, "no embeddings"),
        ([1, 2], "no embeddings"),
    ],
)
def test_answers_that_are_not_what_was_asked_for_are_refused(
    httpserver: HTTPServer, connect: Callable[..., OpenAIEmbedder], payload: object, words: str
) -> None:
    httpserver.expect_request("/v1/embeddings").respond_with_json(payload)
    with pytest.raises(EmbeddingError, match=words):
        connect().embed([TEXT])


@pytest.mark.parametrize("content_type", ["text/html", "application/json"])
def test_a_page_instead_of_an_api_is_refused(
    httpserver: HTTPServer, connect: Callable[..., OpenAIEmbedder], content_type: str
) -> None:
    httpserver.expect_request("/v1/embeddings").respond_with_data("<html>", content_type=content_type)
    with pytest.raises(EmbeddingError, match="base URL"):
        connect().embed([TEXT])


def test_a_vector_that_is_not_finite_is_refused(
    httpserver: HTTPServer, connect: Callable[..., OpenAIEmbedder]
) -> None:
    body = '{"data": [{"index": 0, "embedding": [NaN, 0.0, 1.0]}]}'
    httpserver.expect_request("/v1/embeddings").respond_with_data(body, content_type="application/json")
    with pytest.raises(EmbeddingError):
        connect().embed([TEXT])


def test_answers_without_an_index_are_taken_in_order(
    httpserver: HTTPServer, connect: Callable[..., OpenAIEmbedder]
) -> None:
    data = [{"embedding": [1, 0, 0]}, {"embedding": [0, 1, 0]}]
    httpserver.expect_request("/v1/embeddings").respond_with_json({"data": data})
    np.testing.assert_array_equal(connect().embed(["a", "b"]), [[1, 0, 0], [0, 1, 0]])


def test_without_the_package_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    plain_import = builtins.__import__

    def without_openai(name: str, *arguments: Any, **rest: Any) -> ModuleType:
        if name == "openai":
            raise ImportError(name)
        return plain_import(name, *arguments, **rest)

    monkeypatch.setattr(builtins, "__import__", without_openai)
    with pytest.raises(ModelError, match=r"graphmem\[openai\]"):
        OpenAIEmbedder("small", 3).embed(["a"])


def test_name_dimension_and_scale_are_known_without_a_connection() -> None:
    embedder = OpenAIEmbedder("small", 3)
    assert (embedder.spec.name, embedder.spec.dimension) == ("openai/small", 3)
    assert embedder.calibrate(0.4) == pytest.approx(0.4)
    embedder.close()
