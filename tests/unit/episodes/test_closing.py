"""How an episode is to be closed: what is said of it when it ends, kept until it is finalised."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from graphmem.episodes.closing import Closing, closed, closing_text, read_closing
from graphmem.models.episode import Episode, EpisodeState, Outcome, OutcomeChange

BEGIN = datetime(2026, 3, 1, 9, tzinfo=UTC)
END = BEGIN + timedelta(minutes=4)

CLOSINGS = st.builds(
    Closing,
    outcome=st.sampled_from(Outcome),
    source=st.sampled_from(["", "exception", "판정관"]),
    ended_at=st.none() | st.just(END),
    resolution=st.none() | st.sampled_from(["", "환불 완료", 'quote " and \\ and \n']),
    satisfaction=st.none() | st.floats(0, 1),
    lessons=st.lists(st.sampled_from(["재고를 먼저 본다", "a"]), max_size=2).map(tuple),
    error=st.none() | st.just("시간 초과"),
)


def open_episode(**fields: object) -> Episode:
    return Episode(**{"id": "e", "goal": "환불", "state": EpisodeState.OPEN, "started_at": BEGIN, **fields})


@given(CLOSINGS)
def test_it_is_read_back_as_it_was_kept(closing: Closing) -> None:
    assert read_closing({"closing": closing_text(closing)}) == closing


def test_an_episode_that_has_not_ended_has_none() -> None:
    assert read_closing({"goal": "g"}) is None


@settings(deadline=None)
@given(CLOSINGS)
def test_closed_it_has_an_outcome_and_lost_nothing(closing: Closing) -> None:
    before = open_episode(lessons=("a",), resolution="so far", error="E", satisfaction=0.5)
    after = closed(before, closing)
    assert (after.state, after.outcome) == (EpisodeState.CLOSED, closing.outcome)
    assert after.resolution == ("so far" if closing.resolution is None else closing.resolution)
    assert set(after.lessons) == {"a", *closing.lessons}
    assert after.error == (closing.error or "E")
    assert after.satisfaction == (0.5 if closing.satisfaction is None else closing.satisfaction)
    assert after.steps == before.steps


def test_what_others_say_begins_the_history_and_the_agents_own_word_does_not() -> None:
    said = closed(open_episode(), Closing(outcome="failure", source="exception", ended_at=END))
    assert said.outcome_history == (OutcomeChange(outcome="failure", source="exception", at=END),)
    assert closed(open_episode(), Closing(outcome="failure", ended_at=END)).outcome_history == ()


def test_it_cannot_end_before_it_began_but_at_the_same_moment() -> None:
    with pytest.raises(ValidationError, match="before started_at"):
        closed(open_episode(), Closing(outcome="success", ended_at=BEGIN - timedelta(seconds=1)))
    assert closed(open_episode(), Closing(outcome="success", ended_at=BEGIN)).duration_ms == 0
