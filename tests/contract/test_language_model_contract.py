from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_httpserver import HTTPServer

from chat_server import PATH, completion
from graphmem.llm.budgeted import BudgetedModel
from graphmem.llm.cached import CachedModel
from graphmem.llm.openai import OpenAIModel
from graphmem.llm.retrying import RetryingModel
from graphmem.ports.language_model import LanguageModel
from graphmem.testing.language_models import LanguageModelContract
from graphmem.testing.scripted_model import ScriptedModel


class TestScripted(LanguageModelContract):
    @pytest.fixture
    def model(self) -> LanguageModel:
        return ScriptedModel(always="서울")


class TestWrapped(LanguageModelContract):
    @pytest.fixture
    def model(self) -> LanguageModel:
        inner = ScriptedModel(always='{"answer": "Seoul"}')
        return CachedModel(RetryingModel(BudgetedModel(inner, max_calls=100)), capacity=2)


class TestOpenAI(LanguageModelContract):
    @pytest.fixture
    def model(self, httpserver: HTTPServer) -> Iterator[LanguageModel]:
        httpserver.expect_request(PATH, method="POST").respond_with_json(completion('{"answer": "서울"}'))
        model = OpenAIModel("small", base_url=httpserver.url_for("/v1"))
        yield model
        model.close()
