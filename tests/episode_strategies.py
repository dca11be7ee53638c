"""Hypothesis strategies of episodes whose steps fail, are mended and repeat each other, in both languages."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from graphmem.models.episode import Cause, Episode, OutcomeChange, Step

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)

NAMES = st.sampled_from(
    ["call_api", "시간 초과", unicodedata.normalize("NFD", "재시도"), "풀 고갈", "Timeout", "C++"]
)
TEXTS = st.sampled_from(
    [
        "",
        "ok",
        "Refund order 17. Then tell Ada! Is it done?",
        unicodedata.normalize("NFD", "환불해 주세요."),
        "a\n\nb",
    ]
)


@st.composite
def steps(draw: st.DrawFn, index: int) -> Step:
    """A step at this place."""
    names = st.lists(NAMES, max_size=2).map(tuple)
    earlier = st.lists(st.integers(0, index - 1), unique=True, max_size=2).map(tuple) if index else st.just(())
    return Step(
        action=draw(NAMES),
        result=draw(TEXTS),
        effective=draw(st.booleans()),
        tools=draw(names),
        concepts=draw(names),
        errors=draw(names),
        fixes=draw(names),
        after=draw(st.none() | earlier),
    )


@st.composite
def episodes(draw: st.DrawFn, *, is_open: bool = False) -> Episode:
    """An episode, open or closed."""
    outcomes = st.sampled_from(["success", "partial", "failure", "unknown"])
    history = st.lists(st.builds(OutcomeChange, outcome=outcomes, previous=outcomes), max_size=2).map(tuple)
    said = () if is_open else draw(history)
    last = said[-1].outcome if said else draw(outcomes)
    return Episode(
        id="e1",
        goal=draw(TEXTS),
        trigger=draw(st.none() | TEXTS),
        steps=tuple(draw(steps(index)) for index in range(draw(st.integers(0, 5)))),
        state="open" if is_open else "closed",
        outcome=None if is_open else last,
        outcome_history=said,
        started_at=draw(st.none() | st.integers(0, 99).map(lambda hours: NOON + timedelta(hours=hours))),
        session=draw(st.none() | st.just("s1")),
        resolution=draw(st.none() | TEXTS),
        summary=draw(st.none() | TEXTS),
        error=draw(st.none() | NAMES),
        lessons=draw(st.lists(TEXTS, max_size=2).map(tuple)),
        causes=draw(st.sampled_from([(), (Cause(effect="Timeout", cause="풀 고갈"),)])),
    )
