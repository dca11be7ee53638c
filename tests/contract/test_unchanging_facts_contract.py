"""Birthplaces and birthdays on every store: the better supported one stays, and a second one is shown."""

from __future__ import annotations

import unicodedata
from itertools import count, permutations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import graphmem
from fact_stories import picture, stories, told, year
from graphmem.models.memories import Fact
from recording import Open
from transferring import exported, import_data

BORN = {"subject": "민수", "predicate": "born_in"}

_TENANTS = count()


SAID = (
    ("m1", "저는 대구에서 태어났어요.", 2020),
    ("m2", unicodedata.normalize("NFD", "저는 대구에서 태어났습니다."), 2021),
    ("m3", "저는 Busan에서 태어났어요.", 2024),
)


def say(memory: graphmem.GraphMemory, name: str, text: str, at: int) -> None:
    run = memory.episodes.record("g", id=f"e-{name}", started_at=year(at))
    memory.messages.add(text, id=name, at=year(at), episode=f"e-{name}")
    run.succeed(at=year(at))


def objects(found: Any) -> list[str | None]:
    return [one.object for one in found if isinstance(one, Fact)]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_the_birthplace_that_is_better_supported_stays(open_one: Open, order: tuple[int, ...]) -> None:
    memory = open_one()
    for number in order:
        say(memory, *SAID[number])
    assert objects(memory.facts.list()) == ["대구"]
    for moment in (1990, 2022, 2026):
        assert objects(memory.facts.as_of(year(moment), predicate="출생지")) == ["대구"]
    (found,) = memory.facts.contradictions()
    assert sorted(objects(found.facts), key=str) == ["Busan", "대구"]
    (lost,) = (fact for fact in found.facts if isinstance(fact, Fact) and fact.object == "Busan")
    kept = memory.facts.successor(lost.id)
    assert isinstance(kept, Fact)
    assert (kept.object, kept.valid_from, kept.valid_to) == ("대구", None, None)


def test_more_evidence_turns_it_and_forgetting_turns_it_back(open_one: Open) -> None:
    memory = open_one()
    for part in SAID:
        say(memory, *part)
    say(memory, "m4", "저는 Busan에서 태어났어요.", 2025)
    say(memory, "m5", "저는 Busan에서 태어났어요.", 2026)
    assert objects(memory.facts.list()) == ["Busan"]
    memory.messages.forget("m4")
    memory.messages.forget("m5")
    assert objects(memory.facts.list()) == ["대구"]
    memory.messages.forget("m3")
    assert memory.facts.contradictions() == ()


def test_those_that_are_supported_alike_are_both_kept_until_one_is_corrected(open_one: Open) -> None:
    memory = open_one()
    birthday = {"subject": "민수", "predicate": "생일"}
    memory.remember("5월 3일", id="a", **birthday, object="5월 3일", at=year(2020))
    memory.remember("5월 4일", id="b", **birthday, object="5월 4일", at=year(2021))
    assert {fact.id for fact in memory.facts.list()} == {"a", "b"}
    (found,) = memory.facts.contradictions()
    assert [fact.id for fact in found.facts] == ["a", "b"]
    memory.remember("5월 4일이 맞다", id="c", **birthday, object="5월 4일", at=year(2022), supersedes="a")
    assert memory.facts.contradictions() == ()
    assert objects(memory.facts.as_of(year(2023))) == ["5월 4일"]


def test_homes_still_change(open_one: Open) -> None:
    memory = open_one()
    memory.remember("a", subject="민수", predicate="lives_in", object="서울", valid_from=year(2019))
    memory.remember("b", subject="민수", predicate="lives_in", object="부산", valid_from=year(2021))
    assert told(memory.facts.history("민수", "lives_in")) == [("서울", 2019, 2021), ("부산", 2021, None)]


def test_what_never_changes_is_a_setting(open_one: Open) -> None:
    memory = open_one(facts={"functional": ["headquartered_in", "born_in"], "unchanging": ["본사"]})
    for number, place in enumerate(("서울", "서울", "부산")):
        memory.remember(
            f"{place} {number}", subject="한빛", predicate="본사", object=place, at=year(2020 + number)
        )
        memory.remember(f"{place} {number}", **BORN, object=place, valid_from=year(2020 + number))
    assert objects(memory.facts.list(subject="한빛")) == ["서울"]
    assert told(memory.facts.history("민수")) == [("서울", 2020, 2022), ("부산", 2022, None)]


def test_export_and_import_keep_what_was_chosen(open_one: Open) -> None:
    memory = open_one()
    for part in SAID:
        say(memory, *part)
    before = picture(memory.workspace.graph)
    data = exported(memory.workspace.graph)
    memory.workspace.graph.erase()
    import_data(memory.workspace, data)
    assert picture(memory.workspace.graph)["memories"] == before["memories"]


@given(story=stories(), data=st.data())
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_order_in_which_birthplaces_are_given_does_not_count(
    open_file: Open, story: list[dict[str, Any]], data: st.DataObject
) -> None:
    pictures = []
    for order in (story, data.draw(st.permutations(story))):
        memory = open_file(tenant=f"t{next(_TENANTS)}", embedder="none")
        for fields in order:
            memory.remember(**fields, **BORN)
        pictures.append(picture(memory.workspace.graph))
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_one_that_is_said_at_no_known_time_loses_on_every_order(open_file: Open, order: tuple[int, ...]) -> None:
    memory = open_file(tenant=f"t{next(_TENANTS)}", embedder="none")
    given_ = [
        {"id": "a", "text": "a", "object": "대구", "confidence": 0.5},
        {"id": "b", "text": "b", "object": "부산", "confidence": 0.9},
        {"id": "c", "text": "c", "object": "부산", "confidence": 0.9, "at": year(2021)},
    ]
    for number in order:
        memory.facts.add_many([{"kind": "fact", **given_[number], **BORN}])
    assert objects(memory.facts.list()) == ["부산"]
    assert objects(memory.facts.as_of(year(1990))) == ["부산"]
