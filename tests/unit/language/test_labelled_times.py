"""Relative times in sentences that were labelled before the code was asked (tests/data/facts/times.jsonl)."""

from __future__ import annotations

import unicodedata
from datetime import datetime

import pytest

from graphmem.language.relative_time import resolve_when
from labelled_times import Labelled, found, read_labelled

SAID = datetime.fromisoformat("2026-12-01T09:00:00+09:00")


@pytest.mark.parametrize("korean", [False, True], ids=["English", "Korean"])
def test_nineteen_of_twenty_labelled_times_are_right(*, korean: bool) -> None:
    labelled = [one for one in read_labelled() if one.is_korean is korean]
    wrong = [one.text for one in labelled if found(one) != one.expected]
    assert len(labelled) >= 70
    assert len(wrong) <= 0.05 * len(labelled), wrong


@pytest.mark.parametrize("one", [one for one in read_labelled() if one.is_korean], ids=lambda one: one.text)
def test_composed_and_decomposed_hangul_name_the_same_time(one: Labelled) -> None:
    forms = (unicodedata.normalize(form, one.text) for form in ("NFC", "NFD"))
    assert len({resolve_when(text, one.said_at) for text in forms}) == 1


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("We will ship in three days.", "2026-12-04"),
        ("Three days from now we ship.", "2026-12-04"),
        ("The lease ends in two months.", "2027-02-01"),
        ("두 달 뒤에 귀국해요.", "2027-02-01"),
    ],
)
def test_a_count_of_days_ahead_is_a_time(text: str, day: str) -> None:
    interval = resolve_when(text, SAID)
    assert interval is not None
    assert interval.start.astimezone(SAID.tzinfo).date().isoformat() == day


@pytest.mark.parametrize(
    "text",
    [
        "I learned it in three days.",
        "You can learn it in two weeks.",
        "3일 뒤에 다시 만났어요.",
        "The summer of 2020 was hot.",
        "In the spring of last year it rained.",
        "2020년 여름에 더웠어요.",
    ],
)
def test_a_duration_a_story_and_a_season_name_no_time(text: str) -> None:
    assert resolve_when(text, SAID) is None


def test_a_fact_with_an_english_time_and_a_korean_particle_is_dated() -> None:
    interval = resolve_when("last Friday부터 쉬어요.", SAID)
    assert interval is not None
    assert interval.end is None
