"""Of objects that can never change the better supported one stays, whatever order and time they are said in."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from claim_strategies import claims, year
from graphmem.graph.timeline import Claim, Period, timeline
from graphmem.graph.unchanging import unchanging_timeline


def surest(claims: Sequence[Claim]) -> float:
    return max(claim.confidence for claim in claims)


_SAID = st.lists(claims(("대구", "부산", "oslo"), (0.5, 0.9)), max_size=7)


def standing(periods: tuple[Period, ...]) -> set[str]:
    """Objects that hold for some time and that nothing was chosen over."""
    followed = {place for period in periods for place in period.follows}
    return {
        one.object_key for place, one in enumerate(periods) if one.until != one.begins and place not in followed
    }


@given(said=_SAID, data=st.data())
def test_order_and_repetition_do_not_count(said: list[Claim], data: st.DataObject) -> None:
    other = data.draw(st.permutations([*said, *said[:2]]))
    assert unchanging_timeline(said, surest) == unchanging_timeline(other, surest)


@given(said=_SAID)
def test_every_claim_is_kept_in_a_period_of_its_object(said: list[Claim]) -> None:
    periods = unchanging_timeline(said, surest)
    assert {claim for period in periods for claim in period.claims} == set(said)
    assert sum(len(period.claims) for period in periods) == len(set(said))
    assert all(one.until is None or one.begins <= one.until for one in periods)
    assert all(one.valid_from is None or one.until is None or one.valid_from <= one.until for one in periods)


@given(said=_SAID)
def test_one_object_alone_is_as_with_predicates_that_accumulate(said: list[Claim]) -> None:
    alone = [claim for claim in said if claim.object_key == "대구"]
    assert unchanging_timeline(alone, surest) == timeline(alone, functional=False)


@given(said=_SAID)
def test_rivals_are_mutual_and_at_least_one_of_them_stays(said: list[Claim]) -> None:
    periods = unchanging_timeline(said, surest)
    rivals = {one.object_key for one in periods if one.rivals}
    for one in periods:
        if one.rivals:
            assert one.rivals == rivals - {one.object_key}
    if rivals:
        assert len(rivals) > 1
        followed = {place for period in periods for place in period.follows}
        assert any(one.rivals and place not in followed for place, one in enumerate(periods))


def said_of(place: str, source: str, at: int, confidence: float = 0.9) -> Claim:
    return Claim(place, source, at=year(at), confidence=confidence)


def test_a_later_one_does_not_win_by_being_later() -> None:
    periods = unchanging_timeline(
        [said_of("대구", "a", 2020), said_of("대구", "b", 2021), said_of("부산", "c", 2025)], surest
    )
    assert standing(periods) == {"대구"}
    assert {one.object_key: one.rivals for one in periods} == {"대구": {"부산"}, "부산": {"대구"}}
    (kept,) = (one for one in periods if one.object_key == "대구")
    assert (kept.valid_from, kept.until) == (None, None)


def test_a_surer_one_wins_over_one_that_is_less_sure() -> None:
    assert standing(
        unchanging_timeline([said_of("대구", "a", 2020, 0.5), said_of("부산", "b", 2021)], surest)
    ) == {"부산"}


def test_those_that_are_supported_alike_stay_beside_each_other() -> None:
    periods = unchanging_timeline([said_of("대구", "a", 2020), said_of("부산", "b", 2021)], surest)
    assert standing(periods) == {"대구", "부산"}
    assert all(one.rivals for one in periods)


def test_what_was_corrected_contradicts_nothing() -> None:
    wrong = Claim("대구", "w", at=year(2020), retired=year(2021))
    periods = unchanging_timeline([wrong, said_of("부산", "r", 2021)], surest)
    assert not any(one.rivals for one in periods)


def test_one_said_at_no_known_time_loses_like_any_other() -> None:
    unknown = Claim("대구", "a", confidence=0.5)
    sure = Claim("부산", "b", confidence=0.9)
    assert standing(unchanging_timeline([unknown, sure], surest)) == {"부산"}
