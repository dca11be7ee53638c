"""How a memory comes to its language model: settings, keywords, and what is put around it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

import graphmem
from chat_server import PATH, REQUEST, completion
from graphmem.errors import ModelError, ModelUnavailableError, SettingsError
from graphmem.llm.cached import CachedModel
from graphmem.llm.retrying import RetryingModel
from graphmem.ports.model_usage import usage_of
from graphmem.testing.scripted_model import ScriptedModel


def test_there_is_none_unless_one_is_named(tmp_path: Path) -> None:
    assert graphmem.open(tmp_path / "a.db").workspace.language_model is None
    assert graphmem.open(tmp_path / "a.db", language_model="none").workspace.language_model is None


@pytest.mark.parametrize("name", ["gpt", "openai", "openai:", "openai:a b", ""])
def test_a_name_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError, match="language_model"):
        graphmem.open(tmp_path / "a.db", language_model=name)


def test_it_is_named_by_keyword_settings_or_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def name_of(memory: graphmem.GraphMemory) -> str | None:
        model = memory.workspace.language_model
        return None if model is None else model.name

    named = graphmem.open(tmp_path / "a.db", language_model="openai:small")
    assert name_of(named) == "openai/small"
    settings = graphmem.Settings(store=str(tmp_path / "a.db"), language_model="openai:other")
    assert name_of(graphmem.open(settings)) == "openai/other"
    assert name_of(graphmem.open(settings, language_model="none")) is None
    monkeypatch.setenv("GRAPHMEM_LANGUAGE_MODEL", "openai:third")
    assert name_of(graphmem.open(tmp_path / "a.db")) == "openai/third"


def test_a_named_one_is_asked_for_nothing_before_it_is_needed(tmp_path: Path) -> None:
    code = (
        "import sys, graphmem\n"
        f"memory = graphmem.open({str(tmp_path / 'a.db')!r}, embedder='hashing', language_model='openai:small')\n"
        "memory.remember('x')\n"
        "print('openai' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_an_object_is_bounded_and_remembered_by_the_settings(tmp_path: Path) -> None:
    inner = ScriptedModel(always="네")
    model = graphmem.open(tmp_path / "a.db", language_model=inner, max_model_calls=1).workspace.language_model
    assert isinstance(model, CachedModel)
    assert [model.complete(REQUEST).text for _ in range(3)] == ["네"] * 3
    assert usage_of(model).calls == len(inner.requests) == 1
    model.clear()
    with pytest.raises(ModelError, match="max_model_calls"):
        model.complete(REQUEST)


def test_memory_of_replies_can_be_turned_off_and_tokens_bounded(tmp_path: Path) -> None:
    inner = ScriptedModel(always="x" * 400)
    model = graphmem.open(
        tmp_path / "a.db", language_model=inner, language_model_cache=False, max_model_tokens=150
    ).workspace.language_model
    assert isinstance(model, RetryingModel)
    model.complete(REQUEST)
    model.complete(REQUEST)
    with pytest.raises(ModelError, match="max_model_tokens"):
        model.complete(REQUEST)


def test_who_wraps_by_hand_is_left_alone(tmp_path: Path) -> None:
    own = RetryingModel(ScriptedModel())
    assert graphmem.open(tmp_path / "a.db", language_model=own).workspace.language_model is own


def test_it_shares_server_and_key_of_the_embedder_unless_it_has_its_own(
    tmp_path: Path, httpserver: HTTPServer
) -> None:
    httpserver.expect_request(PATH).respond_with_json(completion("hello"))
    here, elsewhere = httpserver.url_for("/v1"), "http://127.0.0.1:9/v1"

    def key_sent(**settings: Any) -> str:
        with graphmem.open(tmp_path / "a.db", language_model="openai:small", **settings) as memory:
            model = memory.workspace.language_model
            assert model is not None
            model.complete(REQUEST)
        return httpserver.log[-1][0].headers["Authorization"].removeprefix("Bearer ")

    assert key_sent(openai_base_url=here, openai_api_key="shared") == "shared"
    assert key_sent(openai_base_url=here, openai_api_key="shared", language_model_api_key="own") == "own"
    own = {"openai_base_url": elsewhere, "language_model_base_url": here}
    assert key_sent(**own, openai_api_key="shared", language_model_api_key="own") == "own"


def test_the_key_of_one_service_is_never_sent_to_another(
    tmp_path: Path, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "shared")
    httpserver.expect_request(PATH).respond_with_json(completion("hello"))
    model = graphmem.open(
        tmp_path / "a.db", language_model="openai:small", language_model_base_url=httpserver.url_for("/v1")
    ).workspace.language_model
    assert model is not None
    model.complete(REQUEST)
    assert "shared" not in json.dumps(dict(httpserver.log[-1][0].headers))


def test_keys_are_not_shown(tmp_path: Path) -> None:
    settings = graphmem.Settings(store=str(tmp_path / "a.db"), language_model_api_key="sk-secret")
    assert "sk-secret" not in repr(settings)
    assert "sk-secret" not in str([row.value for row in settings.rows()])


def test_a_scripted_model_keeps_its_order_and_says_when_it_has_no_more() -> None:
    model = ScriptedModel(["one", ModelUnavailableError("busy"), lambda request: request.user], name="m")
    assert model.name == "m"
    assert model.complete(REQUEST).text == "one"
    with pytest.raises(ModelUnavailableError):
        model.complete(REQUEST)
    assert model.complete(REQUEST).text == REQUEST.user
    with pytest.raises(ModelError, match="no answer to call 4"):
        model.complete(REQUEST)
    assert model.requests == [REQUEST] * 4
