from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from chat_server import REQUEST
from graphmem.errors import ModelUnavailableError
from graphmem.llm.budgeted import BudgetedModel
from graphmem.llm.cached import CachedModel
from graphmem.llm.retrying import RetryingModel
from graphmem.ports.language_model import ModelReply
from graphmem.ports.model_usage import Usage
from graphmem.testing.scripted_model import ScriptedModel


def test_the_same_request_reaches_the_model_once_and_costs_once() -> None:
    inner = ScriptedModel([ModelReply("네", 10, 2)])
    cached = CachedModel(inner)
    assert cached.complete(REQUEST) == ModelReply("네", 10, 2)
    assert cached.complete(replace(REQUEST)) == ModelReply("네", 0, 0)
    assert len(inner.requests) == 1


@pytest.mark.parametrize(
    "change",
    [{"prompt": "x"}, {"system": "x"}, {"user": "x"}, {"schema": None}, {"max_tokens": 1}, {"language": "ko"}],
)
def test_a_request_that_differs_anywhere_is_another_one(change: Mapping[str, Any]) -> None:
    cached = CachedModel(ScriptedModel(["one", "two"]))
    cached.complete(REQUEST)
    assert cached.complete(replace(REQUEST, **change)).text == "two"


def test_the_least_recently_used_reply_is_forgotten_first() -> None:
    inner = ScriptedModel(always=lambda request: request.user)
    cached = CachedModel(inner, capacity=2)
    for user in ["a", "b", "a", "c", "a", "b"]:
        cached.complete(replace(REQUEST, user=user))
    assert [request.user for request in inner.requests] == ["a", "b", "c", "b"]


def test_an_error_is_not_remembered() -> None:
    cached = CachedModel(ScriptedModel([ModelUnavailableError("busy"), "fine"]))
    with pytest.raises(ModelUnavailableError):
        cached.complete(REQUEST)
    assert cached.complete(REQUEST).text == "fine"


def test_a_reply_of_no_use_can_be_dropped_and_all_of_them_too() -> None:
    cached = CachedModel(RetryingModel(CachedModel(ScriptedModel(["one", "two", "three"]))))
    cached.complete(REQUEST)
    cached.forget(REQUEST)
    assert cached.complete(REQUEST).text == "two"
    cached.clear()
    assert cached.complete(REQUEST).text == "two"


def test_a_text_that_is_no_utf_8_is_a_key_as_well() -> None:
    cached = CachedModel(ScriptedModel(["one"]))
    cached.complete(replace(REQUEST, user="\ud800"))
    assert cached.complete(replace(REQUEST, user="\ud800")).text == "one"


def test_name_and_counts_are_those_of_the_model() -> None:
    cached = CachedModel(RetryingModel(BudgetedModel(ScriptedModel([ModelReply("x", 3, 4)], name="m"))))
    cached.complete(REQUEST)
    cached.complete(REQUEST)
    assert cached.name == "m"
    assert cached.used == Usage(1, 3, 4)
    assert cached.used.tokens == 7
    assert CachedModel(ScriptedModel()).used == Usage()
