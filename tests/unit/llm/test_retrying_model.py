from __future__ import annotations

import pytest

from chat_server import REQUEST
from graphmem.errors import ModelError, ModelUnavailableError, ReplyError
from graphmem.llm.retrying import RetryingModel, RetryPolicy
from graphmem.testing.scripted_model import Answer, ScriptedModel


def retried(
    *answers: Answer, always: Answer | None = None, policy: RetryPolicy | None = None, attempt_seconds: float = 0.0
) -> tuple[RetryingModel, ScriptedModel, list[float]]:
    """A retrying model whose clock moves when it sleeps, and with each attempt."""
    inner = ScriptedModel(answers, always=always)
    waits: list[float] = []
    model = RetryingModel(
        inner,
        policy or RetryPolicy(),
        sleep=waits.append,
        chance=lambda: 1.0,
        elapsed=lambda: sum(waits) + attempt_seconds * len(inner.requests),
    )
    return model, inner, waits


def test_what_passes_is_not_seen() -> None:
    model, inner, waits = retried(ModelUnavailableError("busy"), ModelUnavailableError("busy"), "fine")
    assert model.complete(REQUEST).text == "fine"
    assert len(inner.requests) == 3
    assert waits == [1.0, 2.0]


def test_attempts_are_bounded_and_the_last_words_are_kept() -> None:
    model, inner, waits = retried(always=ModelUnavailableError("status 500", retry_after=3))
    with pytest.raises(ModelUnavailableError, match="status 500; given up after 4 attempts") as caught:
        model.complete(REQUEST)
    assert caught.value.retry_after == 3
    assert len(inner.requests) == 4
    assert waits == [3, 3, 4]


def test_the_backoff_doubles_up_to_a_cap_and_half_of_it_is_chance() -> None:
    policy = RetryPolicy(first_wait_seconds=1, max_wait_seconds=5)
    assert [policy.backoff(failed, 1.0) for failed in range(1, 6)] == [1, 2, 4, 5, 5]
    assert [policy.backoff(failed, 0.0) for failed in range(1, 6)] == [0.5, 1, 2, 2.5, 2.5]


def test_a_service_that_asks_for_too_long_a_wait_is_given_up_at_once() -> None:
    model, inner, waits = retried(always=ModelUnavailableError("busy", retry_after=3600))
    with pytest.raises(ModelUnavailableError, match=r"asks to wait 3,600 s, which is more than 30 s") as caught:
        model.complete(REQUEST)
    assert caught.value.retry_after == 3600
    assert len(inner.requests) == 1
    assert waits == []


def test_no_attempt_begins_after_the_whole_time() -> None:
    policy = RetryPolicy(attempts=100, max_total_seconds=60)
    model, inner, waits = retried(always=ModelUnavailableError("hangs"), policy=policy, attempt_seconds=20.0)
    with pytest.raises(ModelUnavailableError, match=r"given up after 63 s and 3 attempts"):
        model.complete(REQUEST)
    assert len(inner.requests) == 3
    assert sum(waits) < 60


def test_a_single_attempt_waits_for_nothing() -> None:
    model, _, waits = retried(always=ModelUnavailableError("busy"), policy=RetryPolicy(attempts=1))
    with pytest.raises(ModelUnavailableError, match=r"after 1 attempt$"):
        model.complete(REQUEST)
    assert waits == []


@pytest.mark.parametrize("error", [ModelError("wrong key"), ReplyError("empty", prompt="p", reply="")])
def test_what_does_not_pass_is_asked_once(error: ModelError) -> None:
    model, inner, _ = retried(always=error)
    with pytest.raises(type(error)) as caught:
        model.complete(REQUEST)
    assert caught.value is error
    assert len(inner.requests) == 1
    assert model.name == "scripted"


def test_an_interrupt_goes_through() -> None:
    def interrupted(_: object) -> str:
        raise KeyboardInterrupt

    model, inner, _ = retried(interrupted)
    with pytest.raises(KeyboardInterrupt):
        model.complete(REQUEST)
    assert len(inner.requests) == 1
