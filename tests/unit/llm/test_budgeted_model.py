from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from chat_server import REQUEST
from graphmem.errors import ModelError, ModelUnavailableError, ReplyError
from graphmem.llm.budgeted import BudgetedModel
from graphmem.llm.cached import CachedModel
from graphmem.llm.retrying import RetryingModel, RetryPolicy
from graphmem.ports.language_model import LanguageModel, ModelReply
from graphmem.ports.model_usage import Usage, usage_of
from graphmem.testing.scripted_model import ScriptedModel


def test_calls_are_made_up_to_the_bound_and_the_error_names_its_setting() -> None:
    inner = ScriptedModel(always=ModelReply("x", 5, 1))
    model = BudgetedModel(inner, max_calls=2)
    model.complete(REQUEST)
    model.complete(REQUEST)
    with pytest.raises(ModelError, match=r"budget of 2 calls.*max_model_calls") as caught:
        model.complete(REQUEST)
    assert not caught.value.retryable
    assert len(inner.requests) == 2
    assert model.used == Usage(2, 10, 2)


def test_a_budget_of_none_makes_no_call() -> None:
    inner = ScriptedModel(always="x")
    with pytest.raises(ModelError):
        BudgetedModel(inner, max_calls=0).complete(REQUEST)
    assert inner.requests == []


def test_no_call_begins_once_the_tokens_are_spent() -> None:
    inner = ScriptedModel(always=ModelReply("x", 60, 10))
    model = BudgetedModel(inner, max_tokens=100)
    model.complete(REQUEST)
    model.complete(REQUEST)
    with pytest.raises(ModelError, match=r"budget of 100 tokens.*140 used.*max_model_tokens"):
        model.complete(REQUEST)
    assert len(inner.requests) == 2


def test_a_call_that_fails_is_one_and_a_reply_of_no_use_was_paid_for() -> None:
    refused = ReplyError("refused", prompt="p", reply="미안합니다")
    model = BudgetedModel(ScriptedModel([ModelUnavailableError("busy"), refused]))
    with pytest.raises(ModelUnavailableError):
        model.complete(REQUEST)
    assert model.used == Usage(calls=1)
    with pytest.raises(ReplyError):
        model.complete(replace(REQUEST, system="a" * 40, user="가" * 10))
    assert model.used == Usage(2, 20, 5)


def test_threads_share_the_bound() -> None:
    inner = ScriptedModel(always="x")
    model = BudgetedModel(inner, max_calls=10)

    def answered(_: int) -> bool:
        try:
            model.complete(REQUEST)
        except ModelError:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(answered, range(40)))
    assert sum(answers) == len(inner.requests) == model.used.calls == 10


def test_further_attempts_count_and_answers_from_memory_do_not() -> None:
    inner = ScriptedModel([ModelUnavailableError("busy"), ModelUnavailableError("busy"), "fine"])
    model: LanguageModel = CachedModel(
        RetryingModel(BudgetedModel(inner, max_calls=3), sleep=lambda _: None, chance=lambda: 0)
    )
    for _ in range(5):
        assert model.complete(REQUEST).text == "fine"
    assert usage_of(model).calls == len(inner.requests) == 3


def test_a_spent_budget_ends_the_attempts() -> None:
    inner = ScriptedModel(always=ModelUnavailableError("busy"))
    model = RetryingModel(
        BudgetedModel(inner, max_calls=2), RetryPolicy(attempts=9), sleep=lambda _: None, chance=lambda: 0
    )
    with pytest.raises(ModelError, match="max_model_calls"):
        model.complete(REQUEST)
    assert len(inner.requests) == 2


def test_what_a_workflow_used_is_a_difference() -> None:
    assert Usage(3, 20, 5) - Usage(1, 5, 5) == Usage(2, 15, 0)
    assert usage_of(None) == usage_of(ScriptedModel()) == Usage()
