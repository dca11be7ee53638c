"""The rules an episode keeps, whoever makes it."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from graphmem.models.episode import Cause, Episode, EpisodeState, Outcome, Step


def episode(**fields: Any) -> Episode:
    return Episode(**{"id": "e1", "goal": "환불 처리", **fields})


def steps(*afters: Any) -> tuple[Step, ...]:
    return tuple(Step(action=f"a{index}", after=after) for index, after in enumerate(afters))


def test_a_closed_episode_without_an_outcome_is_unknown_and_an_open_one_has_none() -> None:
    assert episode().outcome is Outcome.UNKNOWN
    assert episode(state="open").outcome is None
    with pytest.raises(ValidationError, match="open episode has no outcome"):
        episode(state=EpisodeState.OPEN, outcome="success")


def test_no_steps_is_a_valid_episode() -> None:
    assert episode().steps == ()


def test_a_step_follows_the_one_before_unless_it_says_otherwise() -> None:
    run = episode(steps=steps(None, None, (0,), (1, 2), ()))
    assert [run.predecessors(index) for index in range(5)] == [(), (0,), (0,), (1, 2), ()]


def test_saying_the_default_is_the_same_as_saying_nothing() -> None:
    assert episode(steps=steps((), (0,), (1,))) == episode(steps=steps(None, None, None))


@pytest.mark.parametrize(
    "afters",
    [((0,),), (None, (1,)), (None, (5,)), (None, None, (0, 0)), (None, (-1,)), (None, (0.5,)), (None, (True,))],
)
def test_after_may_only_name_earlier_steps_once(afters: Any) -> None:
    with pytest.raises(ValidationError, match=r"after|greater|integer"):
        episode(steps=steps(*afters))


def test_causes_that_go_in_a_circle_are_refused() -> None:
    with pytest.raises(ValidationError, match="cycle"):
        episode(causes=(Cause(effect="a", cause="b"), Cause(effect="b", cause="a")))
    with pytest.raises(ValidationError, match="cycle"):
        episode(causes=(Cause(effect="a", cause="a"),))


def test_an_end_before_the_begin_is_refused() -> None:
    with pytest.raises(ValidationError, match="ended_at lies before"):
        episode(started_at="2026-03-01T09:00:00Z", ended_at="2026-03-01T08:59:59Z")


def test_durations_are_milliseconds_and_absent_without_times() -> None:
    timed = episode(started_at="2026-03-01T09:00:00Z", ended_at="2026-03-01T09:00:01.5Z")
    assert timed.duration_ms == 1500
    assert not timed.time_unknown
    assert episode().duration_ms is None
    assert episode().time_unknown


def test_tools_used_are_distinct_in_order_of_first_use() -> None:
    run = episode(steps=(Step(action="x", tools=("http", "sql")), Step(action="y", tools=("http", "검색"))))
    assert run.tools_used == ("http", "sql", "검색")


def test_a_variant_is_a_name_or_a_flat_map() -> None:
    assert episode(variant={"model": "m", "prompt": 2}).variant == {"model": "m", "prompt": 2}
    with pytest.raises(ValidationError, match="flat"):
        episode(variant={"model": {"name": "m"}})


def test_unknown_fields_and_loose_types_are_refused() -> None:
    for wrong in ({"outcomes": "success"}, {"satisfaction": "0.5"}, {"satisfaction": 1.5}, {"outcome": "won"}):
        with pytest.raises(ValidationError):
            episode(**wrong)
    with pytest.raises(ValidationError):
        Step(action="x", effective=1)
    with pytest.raises(ValidationError):
        Step(action="  ")
