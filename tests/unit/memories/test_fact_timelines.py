"""Facts of predicates that hold one object at a time, and of those that accumulate, in whatever order."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from datetime import timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fact_stories import picture, stories, told, year
from graphmem.memories.service import MemoriesService
from workspaces import Desk, desk_without_embedder

LIVES = [
    {"text": "민수는 서울에 산다", "object": "서울", "valid_from": year(2019)},
    {"text": "민수는 부산에 산다", "object": "부산", "valid_from": year(2021)},
    {"text": "민수는 다시 서울에 산다", "object": "서울", "valid_from": year(2024)},
]
MINSU = {"subject": "민수", "predicate": "lives_in"}


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Desk]:
    made = desk_without_embedder(tmp_path)
    yield made
    made.store.close()


@pytest.fixture
def facts(at_hand: Desk) -> MemoriesService:
    return MemoriesService(at_hand.workspace(user="ada"))


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_who_came_back_lived_there_twice(facts: MemoriesService, at_hand: Desk, order: tuple[int, ...]) -> None:
    for number in order:
        facts.remember(**LIVES[number], **MINSU)  # type: ignore[arg-type]
        at_hand.clock.advance(days=1)
    assert told(facts.history("민수", "lives_in")) == [
        ("서울", 2019, 2021),
        ("부산", 2021, 2024),
        ("서울", 2024, None),
    ]
    for moment, place in ((2018, []), (2020, ["서울"]), (2022, ["부산"]), (2025, ["서울"])):
        held = facts.as_of(year(moment), subject="민수", predicate="lives_in")
        assert [object_ for object_, _, _ in told(held)] == place
    first, second, third = facts.history("민수")
    assert (third.supersedes, second.supersedes, first.supersedes) == (second.id, first.id, None)
    assert [memory.id for memory in facts.list()] == [third.id]
    assert facts.successor(first.id) == second


@given(story=stories(), data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_order_in_which_facts_arrive_does_not_count(
    at_hand: Desk, story: list[dict[str, object]], data: st.DataObject
) -> None:
    pictures = []
    for order in (story, data.draw(st.permutations(story))):
        tenant = f"t{next(_NUMBERS)}"
        service = MemoriesService(at_hand.workspace(tenant))
        for fields in order:
            service.remember(**fields, subject="민수", predicate="거주지")  # type: ignore[arg-type]
        pictures.append(picture(at_hand.store.tenant(tenant)))
    assert pictures[0] == pictures[1]


_NUMBERS = iter(range(10**9))


@pytest.mark.parametrize("subject", ["민수", unicodedata.normalize("NFD", "민수"), " 민수 "])
@pytest.mark.parametrize(
    "predicate", ["lives in", "거주지", "Resides_In", unicodedata.normalize("NFD", "사는 곳")]
)
def test_spellings_of_subject_and_predicate_are_one(facts: MemoriesService, subject: str, predicate: str) -> None:
    facts.remember("a", subject="민수", predicate="lives_in", object="서울", valid_from=year(2019))
    facts.remember("b", subject=subject, predicate=predicate, object="부산", valid_from=year(2021))
    assert told(facts.history("민수", "거주지")) == [("서울", 2019, 2021), ("부산", 2021, None)]


def test_other_predicates_accumulate(facts: MemoriesService) -> None:
    for place in ("재즈", "등산", "coffee"):
        facts.remember(f"{place} 좋아함", subject="민수", predicate="likes", object=place)
    assert {memory.object for memory in facts.list()} == {"재즈", "등산", "coffee"}  # type: ignore[union-attr]


def test_only_the_same_subject_predicate_and_user_retire(facts: MemoriesService, at_hand: Desk) -> None:
    facts.remember("a", id="a", subject="민수", predicate="lives_in", object="서울", valid_from=year(2019))
    facts.remember("b", id="b", subject="지아", predicate="lives_in", object="부산", valid_from=year(2021))
    facts.remember("c", id="c", subject="민수", predicate="works_at", object="부산", valid_from=year(2021))
    facts.remember("d", id="d", kind="preference", **MINSU, object="부산", valid_from=year(2021))
    bob = MemoriesService(at_hand.workspace(user="bob"))
    bob.remember("e", id="e", subject="민수", predicate="lives_in", object="대구", valid_from=year(2021))
    MemoriesService(at_hand.workspace("other")).remember(
        "f", id="f", **MINSU, object="대전", valid_from=year(2021)
    )
    assert {memory.id for memory in facts.list()} == {"a", "b", "c", "d"}
    assert [memory.id for memory in bob.list()] == ["e"]


def test_what_is_said_again_is_surer_and_no_second_memory(facts: MemoriesService, at_hand: Desk) -> None:
    said: dict[str, Any] = {**MINSU, "object": "서울", "confidence": 0.7}
    first = facts.remember("민수는 서울에 산다", **said)
    for number in range(1, 4):
        at_hand.clock.advance(days=number)
        again = facts.remember("민수는 서울 산대", **{**said, "object": unicodedata.normalize("NFD", "서울")})
        assert again.id == first.id
        assert again.confidence == pytest.approx((4 * 0.7 + number) / (4 + number), abs=1e-6)
    assert [memory.id for memory in facts.list(superseded=True)] == [first.id]
    assert again.text == first.text
    assert len(again.assertions) == 4  # type: ignore[union-attr]


def test_confidence_grows_up_to_the_cap_and_never_falls(facts: MemoriesService) -> None:
    for number in range(40):
        grown = facts.remember(f"said {number}", **MINSU, object="서울", confidence=0.9, valid_from=year(2020))
    assert 0.9 < grown.confidence <= 0.99
    sure = facts.remember("x", subject="지아", predicate="likes", object="차")
    assert facts.remember("y", subject="지아", predicate="likes", object="차").confidence == sure.confidence == 1.0


def test_one_that_has_an_id_and_says_the_same_is_kept_and_stands_behind(facts: MemoriesService) -> None:
    facts.remember("one", id="f1", **MINSU, object="서울", valid_from=year(2019))
    facts.remember("two", id="f2", **MINSU, object="서울", valid_from=year(2019))
    assert facts.get("f2").text == "two"
    assert [memory.id for memory in facts.list()] == ["f1"]
    assert [memory.id for memory in facts.history("민수")] == ["f1"]
    assert [memory.id for memory in facts.as_of(year(2020))] == ["f1"]
    assert facts.add(facts.get("f2")).unchanged


def test_a_given_fact_is_unchanged_when_it_is_given_again_after_it_was_retired(facts: MemoriesService) -> None:
    seoul = {"id": "s", "text": "x", **MINSU, "object": "서울", "valid_from": year(2019), "at": year(2019)}
    facts.add_many([seoul])
    facts.remember("y", id="b", **MINSU, object="부산", valid_from=year(2021))
    assert facts.get("s").valid_to == year(2021)  # type: ignore[union-attr]
    assert facts.add_many([seoul]).unchanged
    assert facts.add(facts.get("s")).unchanged
    assert facts.get("s").valid_to == year(2021)  # type: ignore[union-attr]


def test_what_a_forgotten_fact_ended_goes_on(facts: MemoriesService) -> None:
    for number, fields in enumerate(LIVES):
        facts.remember(**fields, **MINSU, id=f"f{number}")  # type: ignore[arg-type]
    facts.forget("f1")
    assert told(facts.history("민수")) == [("서울", 2019, None)]
    facts.forget("f0")
    assert facts.history("민수") == ()


def test_a_replaced_fact_takes_its_new_place(facts: MemoriesService) -> None:
    for number, fields in enumerate(LIVES[:2]):
        facts.remember(**fields, **MINSU, id=f"f{number}")  # type: ignore[arg-type]
    moved = facts.get("f1").model_copy(update={"valid_from": year(2023), "assertions": (), "supersedes": None})
    facts.add(moved, replace=True)
    assert told(facts.history("민수")) == [("서울", 2019, 2023), ("부산", 2023, None)]
    facts.add(moved.model_copy(update={"subject": "지아"}), replace=True)
    assert told(facts.history("민수")) == [("서울", 2019, None)]
    assert told(facts.history("지아")) == [("부산", 2023, None)]


def test_an_unknown_beginning_is_when_it_was_said_unless_nothing_came_before(
    facts: MemoriesService, at_hand: Desk
) -> None:
    facts.remember("a", **MINSU, object="서울")
    at_hand.clock.advance(days=400)
    facts.remember("b", **MINSU, object="부산")
    said = at_hand.clock() - timedelta(days=400)
    seoul, busan = facts.history("민수")
    assert (seoul.valid_from, seoul.valid_to, busan.valid_from) == (None, at_hand.clock(), at_hand.clock())  # type: ignore[union-attr]
    assert [memory.id for memory in facts.as_of(said - timedelta(days=9))] == [seoul.id]
