"""The timeline of a subject and predicate is a function of what was said, not of its order."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claim_strategies import claims, year
from graphmem.graph.timeline import Claim, Period, timeline

_SAID = st.lists(claims(("서울", "부산", "oslo"), (0.5, 1.0)), max_size=7)


def shown(periods: tuple[Period, ...]) -> list[tuple[str, int | None, int | None]]:
    """Object, year in which it began, and year in which it ended."""
    return [
        (one.object_key, one.valid_from.year if one.valid_from else None, one.until.year if one.until else None)
        for one in periods
    ]


@given(said=_SAID, data=st.data(), functional=st.booleans())
def test_the_order_of_claims_and_their_repetition_do_not_count(
    said: list[Claim], data: st.DataObject, *, functional: bool
) -> None:
    other = data.draw(st.permutations([*said, *said[:2]]))
    assert timeline(said, functional=functional) == timeline(other, functional=functional)


@given(said=_SAID, functional=st.booleans())
def test_every_claim_is_part_of_a_period_of_its_object(said: list[Claim], *, functional: bool) -> None:
    periods = timeline(said, functional=functional)
    assert {claim for period in periods for claim in period.claims} == set(said)
    assert sum(len(period.claims) for period in periods) == len(set(said))
    assert all(claim.object_key == period.object_key for period in periods for claim in period.claims)
    assert all(period.until is None or period.begins <= period.until for period in periods)


@given(said=_SAID, moment=st.integers(1999, 2008).map(year))
def test_two_objects_hold_at_one_moment_only_where_they_are_marked(said: list[Claim], moment: datetime) -> None:
    held = [one for one in timeline(said, functional=True) if _holds(one, moment)]
    for one in held:
        for other in held:
            assert one is other or other.object_key in one.rivals


@given(said=_SAID)
def test_periods_of_one_object_never_overlap(said: list[Claim]) -> None:
    for functional in (True, False):
        periods = timeline(said, functional=functional)
        for key in {one.object_key for one in periods}:
            own = [one for one in periods if one.object_key == key and one.begins != one.until]
            own.sort(key=lambda one: one.begins)
            assert all(one.until is not None and one.until <= after.begins for one, after in pairwise(own))


@given(said=_SAID, functional=st.booleans())
def test_what_follows_begins_when_what_it_follows_is_over(said: list[Claim], *, functional: bool) -> None:
    periods = timeline(said, functional=functional)
    for place, period in enumerate(periods):
        assert place not in period.follows
        for older in (periods[before] for before in period.follows):
            assert older.until is not None
            assert older.until <= period.begins


@given(said=_SAID)
def test_with_other_predicates_objects_do_not_bear_on_each_other(said: list[Claim]) -> None:
    together = timeline(said, functional=False)
    for key in {claim.object_key for claim in said}:
        alone = timeline([claim for claim in said if claim.object_key == key], functional=False)
        own = [one for one in together if one.object_key == key]
        assert shown(tuple(own)) == shown(alone)
        assert not any(one.rivals for one in own)


SEOUL, BUSAN, DAEGU = "서울", "부산", "대구"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param(
            [Claim(SEOUL, "a", year(2026), year(2019)), Claim(BUSAN, "b", year(2026), year(2021))],
            [(SEOUL, 2019, 2021), (BUSAN, 2021, None)],
            id="a newer one ends the older one",
        ),
        pytest.param(
            [Claim(SEOUL, "a", year(2020)), Claim(SEOUL, "b", year(2026), year(2019))],
            [(SEOUL, 2019, None)],
            id="a beginning that is told later is the beginning",
        ),
        pytest.param(
            [Claim(SEOUL, "a", year(2019)), Claim(BUSAN, "b", year(2021)), Claim(SEOUL, "c", year(2024))],
            [(SEOUL, None, 2021), (BUSAN, 2021, 2024), (SEOUL, 2024, None)],
            id="beginnings that are not told are when it was said",
        ),
        pytest.param(
            [Claim(SEOUL, "a", year(2019)), Claim(SEOUL, "b", year(2022), None, year(2022))],
            [(SEOUL, None, 2022)],
            id="an end ends it",
        ),
        pytest.param([Claim(SEOUL, "b", year(2022), None, year(2022))], [(SEOUL, None, 2022)], id="an end alone"),
        pytest.param(
            [Claim(SEOUL, "b", year(2025), None, year(2025)), Claim(BUSAN, "a", year(2021), year(2021))],
            [(SEOUL, None, 2021), (BUSAN, 2021, None)],
            id="what ended while another one held had held before it",
        ),
        pytest.param(
            [
                Claim(SEOUL, "a", year(2026), year(2015), year(2018)),
                Claim(DAEGU, "b", year(2026), None, year(2020)),
                Claim(BUSAN, "c", year(2026), year(2022)),
            ],
            [(SEOUL, 2015, 2018), (DAEGU, 2018, 2020), (BUSAN, 2022, None)],
            id="what ended while nothing held had held since then",
        ),
        pytest.param(
            [Claim(SEOUL, "a", year(2026), year(2019), year(2030)), Claim(BUSAN, "b", year(2026), year(2021))],
            [(SEOUL, 2019, 2021), (BUSAN, 2021, None)],
            id="a newer one ends what was to last longer",
        ),
    ],
)
def test_a_story_of_homes(said: list[Claim], expected: list[tuple[str, int | None, int | None]]) -> None:
    assert shown(timeline(said, functional=True)) == expected


def test_what_holds_for_no_time_ends_nothing() -> None:
    wrong = Claim(SEOUL, "w", year(2020), year(2019), retired=year(2018))
    found = timeline([wrong, Claim(BUSAN, "r", year(2021), year(2018))], functional=True)
    assert shown(found) == [(BUSAN, 2018, None), (SEOUL, 2019, 2019)]
    assert [one.follows for one in found] == [[], []]


def test_objects_that_begin_at_once_are_rivals_and_so_is_what_was_to_last() -> None:
    at_once = timeline([Claim(SEOUL, "a", year(2020)), Claim(BUSAN, "b", year(2020))], functional=True)
    assert [one.rivals for one in at_once] == [{SEOUL}, {BUSAN}]
    assert [one.until for one in at_once] == [None, None]
    overrun = timeline(
        [Claim(SEOUL, "a", None, year(2019), year(2030)), Claim(BUSAN, "b", None, year(2021))], functional=True
    )
    assert [one.rivals for one in overrun] == [{BUSAN}, {SEOUL}]


def _holds(period: Period, moment: datetime) -> bool:
    begun = period.valid_from is None or period.valid_from <= moment
    return begun and (period.until is None or moment < period.until)
