"""The contract of a language model as tests: inherit, and give a fixture named `model`.

::

    class TestMyModel(LanguageModelContract):
        @pytest.fixture
        def model(self) -> LanguageModel:
            return MyModel()

The model may say what it likes, but it answers.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from graphmem.ports.language_model import LanguageModel, ModelReply, ModelRequest

_SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
    "additionalProperties": False,
}
REQUEST = ModelRequest(
    prompt="contract",
    system='Reply with a JSON object {"answer": "..."} and nothing else.',
    user="What is the capital of Korea?",
    schema=_SCHEMA,
    max_tokens=200,
    language="en",
)


class LanguageModelContract:
    """What graphmem expects of every language model."""

    def test_the_name_is_stable_and_not_blank(self, model: LanguageModel) -> None:
        assert model.name == model.name
        assert model.name.strip()

    def test_a_reply_has_text_and_counts_of_tokens(self, model: LanguageModel) -> None:
        _check(model.complete(REQUEST))

    def test_a_request_without_a_schema_is_answered_too(self, model: LanguageModel) -> None:
        _check(model.complete(replace(REQUEST, schema=None)))

    def test_the_same_request_is_answered_again(self, model: LanguageModel) -> None:
        _check(model.complete(REQUEST))
        _check(model.complete(REQUEST))

    @pytest.mark.parametrize(
        "text", ["서울은 어디입니까?", "\u1109\u1165\u110b\u116e\u11af", "🎉\u202e\n\t", "a" * 5_000]
    )
    def test_any_text_can_be_asked(self, model: LanguageModel, text: str) -> None:
        _check(model.complete(replace(REQUEST, user=text, language="ko")))

    def test_threads_are_answered_at_the_same_time(self, model: LanguageModel) -> None:
        requests = [replace(REQUEST, user=f"question {number}") for number in range(8)]
        with ThreadPoolExecutor(4) as threads:
            for reply in threads.map(model.complete, requests):
                _check(reply)


def _check(reply: ModelReply) -> None:
    assert reply.text.strip()
    assert reply.input_tokens >= 0
    assert reply.output_tokens >= 0
