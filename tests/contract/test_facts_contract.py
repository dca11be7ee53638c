"""Facts on every store: writers at once, contradictions, settings, and what a forgotten message leaves."""

from __future__ import annotations

from threading import Thread
from typing import Any

import pytest

import graphmem
from fact_stories import told, year
from graphmem.errors import SettingsError
from recording import Open

WORKS = {"subject": "지아", "predicate": "works_at"}


def test_writers_at_once_leave_one_timeline(open_one: Open) -> None:
    open_one().remember("첫 사실", subject="지아", predicate="likes", object="차")
    faults: list[BaseException] = []

    def write(memory: graphmem.GraphMemory, number: int) -> None:
        try:
            for part in range(3):
                start = year(2000 + 5 * number + part)
                memory.remember(f"{number} {part}", **WORKS, object=f"회사 {number}", valid_from=start)
        except BaseException as fault:  # noqa: BLE001 (shown by the test itself)
            faults.append(fault)

    writers = [Thread(target=write, args=(open_one(), number)) for number in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert faults == []
    memory = open_one()
    jobs = [("회사 0", 2000, 2005), ("회사 1", 2005, 2010), ("회사 2", 2010, None)]
    assert told(memory.facts.history("지아", "works_at")) == jobs


def test_facts_that_begin_at_once_are_shown_until_one_supersedes_the_other(open_one: Open) -> None:
    memory = open_one()
    memory.remember("한빛", id="h", **WORKS, object="한빛", valid_from=year(2020))
    memory.remember("누리", id="n", **WORKS, object="누리", valid_from=year(2020))
    memory.remember("서울", id="s", subject="민수", predicate="lives_in", object="서울", valid_from=year(2019))
    memory.remember("부산", id="b", subject="민수", predicate="lives_in", object="부산", valid_from=year(2021))
    memory.remember("차", id="c", subject="민수", predicate="likes", object="차", valid_from=year(2021))
    memory.remember("물", id="w", subject="민수", predicate="likes", object="물", valid_from=year(2021))
    (found,) = memory.facts.contradictions()
    assert (found.subject, found.predicate, [fact.id for fact in found.facts]) == ("지아", "works_at", ["h", "n"])
    assert {fact.id for fact in memory.facts.list()} == {"h", "n", "b", "c", "w"}
    assert [fact.id for fact in memory.facts.as_of(year(2022), subject="지아")] == ["h", "n"]
    memory.remember("누리가 맞다", id="r", **WORKS, object="누리", valid_from=year(2020), supersedes="h")
    assert memory.facts.contradictions() == ()
    assert [fact.id for fact in memory.facts.as_of(year(2022), subject="지아")] == ["n"]


def test_what_was_to_last_longer_is_shown_with_what_ended_it(open_one: Open) -> None:
    memory = open_one()
    memory.remember("a", id="a", **WORKS, object="한빛", valid_from=year(2019), valid_to=year(2030))
    memory.remember("b", id="b", **WORKS, object="누리", valid_from=year(2021))
    (found,) = memory.facts.contradictions(subject="지아", predicate="직장")
    assert [fact.id for fact in found.facts] == ["a", "b"]
    assert told(memory.facts.history("지아")) == [("한빛", 2019, 2021), ("누리", 2021, None)]


def test_a_user_sees_no_contradiction_of_another_one(open_one: Open) -> None:
    for place in ("한빛", "누리"):
        open_one(user="bob").remember(place, **WORKS, object=place, valid_from=year(2020))
    open_one(user="ada").remember("다온", **WORKS, object="다온", valid_from=year(2020))
    assert open_one(user="ada").facts.contradictions() == ()
    assert len(open_one(user="bob").facts.contradictions()) == 1


def test_which_predicates_hold_one_object_is_a_setting(open_one: Open) -> None:
    memory = open_one(facts={"functional": ["담당자"]})
    for number, name in enumerate(("민수", "지아")):
        memory.remember(name, subject="환불", predicate="담당자", object=name, valid_from=year(2020 + number))
        memory.remember(name, subject="환불", predicate="lives_in", object=name, valid_from=year(2020 + number))
    assert told(memory.facts.history("환불", "담당자")) == [("민수", 2020, 2021), ("지아", 2021, None)]
    assert told(memory.facts.history("환불", "lives_in")) == [("민수", 2020, None), ("지아", 2021, None)]
    with pytest.raises(SettingsError, match="functionl"):
        open_one(facts={"functionl": []})


def test_a_fact_given_with_sources_outlives_a_forgotten_one_and_loses_its_name(open_one: Open) -> None:
    memory = open_one()
    memory.messages.add("누리에 다녀요", id="m1", at=year(2021))
    memory.messages.add("네, 누리요", id="m2", at=year(2022))
    memory.remember("누리", id="n", **WORKS, object="누리", sources=["m1", "m2"])
    memory.messages.forget("m1")
    assert memory.facts.get("n").sources == ("m2",)
    assert told(memory.facts.history("지아")) == [("누리", None, None)]


def test_a_memory_and_a_message_of_one_id_are_two_sources(open_one: Open) -> None:
    memory = open_one()
    run = memory.episodes.record("g", id="e", started_at=year(2021))
    memory.messages.add("저는 서울에 살아요.", id="one", at=year(2021), episode="e")
    run.succeed(at=year(2021))
    memory.remember("부산", id="one", subject="user", predicate="lives_in", object="부산", valid_from=year(2023))
    assert told(memory.facts.history("user")) == [("서울", None, 2023), ("부산", 2023, None)]
    memory.messages.forget("one")
    assert told(memory.facts.history("user")) == [("부산", 2023, None)]
    memory.facts.forget("one")
    assert memory.facts.history("user") == ()


def test_a_message_that_is_replaced_says_what_it_says_now(open_one: Open) -> None:
    memory = open_one(user="ada")
    said: dict[str, Any] = {"session": "s", "at": year(2021), "id": "m1"}
    memory.messages.add("저는 서울에 살아요.", **said)
    memory.messages.add("감사합니다, 해결됐습니다!", session="s", at=year(2021), id="m2")
    assert told(memory.facts.history("user")) == [("서울", None, None)]
    memory.messages.add("저는 부산에 살아요.", **said, replace=True)
    memory.episodes.finalize()
    assert told(memory.facts.history("user")) == [("부산", None, None)]


def test_what_has_ended_is_recalled_of_its_own_time_alone(open_one: Open) -> None:
    memory = open_one(user="ada")
    for number, text in ((2020, "저는 서울에 살아요."), (2022, "이제 서울에 안 살아요.")):
        run = memory.episodes.record("g", id=f"e{number}", started_at=year(number))
        memory.messages.add(text, id=f"m{number}", at=year(number), episode=f"e{number}")
        run.succeed(at=year(number))
    assert memory.recall("서울에 살아요", kinds=["fact"]).items == ()
    assert memory.facts.list().items == ()
    then = memory.recall("서울에 살아요", kinds=["fact"], as_of=year(2021))
    assert [item.text for item in then] == ["저는 서울에 살아요."]
    assert memory.recall("서울에 살아요", kinds=["fact"], as_of=year(2023)).items == ()
    assert told(memory.facts.history("user")) == [("서울", None, 2022)]
