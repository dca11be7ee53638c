"""What the reports on gaps say, where a person would look: contradictions, orphans, causal chains."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import graphmem
from graphmem.graph.predicates import FactPolicy
from graphmem.queries import query

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[graphmem.GraphMemory]:
    with graphmem.open(tmp_path / "memory.db", embedder="none", analyzer="plain") as opened:
        yield opened


def lives_in(memory: graphmem.GraphMemory, who: str, city: str, **fields: Any) -> None:
    said = {"subject": who, "predicate": "lives_in", "object": city, "valid_from": NOW, **fields}
    memory.remember(f"{who}: {city}", **said)


def rows(memory: graphmem.GraphMemory, name: str, **given: int) -> list[dict[str, Any]]:
    return memory.query(f"reports/{name}", **given).to_dicts()


def test_two_homes_at_one_time_contradict_each_other_as_the_facts_say(memory: graphmem.GraphMemory) -> None:
    lives_in(memory, "민수", "서울")
    lives_in(memory, "민수", "부산")
    lives_in(memory, "지우", "대구")
    lives_in(memory, "지우", "광주", valid_from=NOW.replace(year=2027))
    lives_in(memory, "하나", "Seoul")
    lives_in(memory, "하나", "seoul")
    memory.remember("민수: 커피", subject="민수", predicate="likes", object="커피")
    memory.remember("민수: 차", subject="민수", predicate="likes", object="차")
    found = [(row["subject"], {row["object"], row["other"]}) for row in rows(memory, "contradictions")]
    assert found == [("민수", {"서울", "부산"})]
    told = [(one.subject, {fact.object for fact in one.facts}) for one in memory.facts.contradictions()]  # type: ignore[union-attr]
    assert told == found


def test_homes_of_two_users_words_stand_beside_each_other(memory: graphmem.GraphMemory) -> None:
    lives_in(memory, "민수", "서울", user_id="ada")
    lives_in(memory, "민수", "부산", user_id="bob")
    assert rows(memory, "contradictions") == []


def test_the_predicates_of_the_statement_are_the_default_ones() -> None:
    text = query("reports/contradictions").text
    listed = text.partition("IN [")[2].partition("]")[0]
    names = {name.strip().strip("'") for name in listed.split(",")}
    assert names == FactPolicy().functional_keys


def test_a_relation_both_ways_round_is_a_contradiction(memory: graphmem.GraphMemory) -> None:
    memory.concepts.relate("누수", "causes", "곰팡이", evidence=["m1", "m2"])
    memory.concepts.relate("곰팡이", "causes", "누수", evidence=["m3"])
    memory.concepts.relate("비", "similar_to", "눈")
    memory.concepts.relate("눈", "similar_to", "비")
    (row,) = rows(memory, "contradictions")
    assert {row["subject"], row["object"]} == {"누수", "곰팡이"}
    assert {row["supporting"], row["opposing"]} == {1, 2}


def test_orphans_are_what_nothing_explains_or_supports(memory: graphmem.GraphMemory) -> None:
    memory.concepts.add(graphmem.Concept(name="외톨이"))
    memory.concepts.relate("고양이", "is_a", "동물", source="extracted")
    memory.remember("사라진 말", sources=["gone"])
    memory.remember("주어진 말")
    step = graphmem.Step(action="조회", errors=("설명된 것", "모르는 것"))
    cause = graphmem.Cause(effect="설명된 것", cause="까닭")
    memory.episodes.add(graphmem.Episode(id="e", goal="g", steps=(step,), causes=(cause,)))
    found = [(row["what"], row["name"]) for row in rows(memory, "orphans")]
    assert found == [
        ("concept", "외톨이"),
        ("finding", "모르는 것"),
        ("memory", "사라진 말"),
        ("relation", "고양이 is_a 동물"),
    ]


def test_chains_end_in_a_symptom_and_are_bounded(memory: graphmem.GraphMemory) -> None:
    links = [("증상", "하나"), ("하나", "둘"), ("둘", "셋")]
    causes = tuple(graphmem.Cause(effect=effect, cause=cause) for effect, cause in links)
    for number in range(2):
        memory.episodes.add(graphmem.Episode(id=f"e{number}", goal="g", causes=causes))
    found = [(row["chain"], row["evidence"]) for row in rows(memory, "chains", depth=2)]
    assert found == [("둘 → 하나 → 증상", 2), ("하나 → 증상", 2)]
    memory.consolidate()
    levels = {row["level"] for row in rows(memory, "chains") if row["chain"] == "셋 → 둘 → 하나 → 증상"}
    assert levels == {"episode", "concept"}


def test_a_circle_of_causes_ends(memory: graphmem.GraphMemory) -> None:
    memory.episodes.add(graphmem.Episode(id="e", goal="g", steps=(graphmem.Step(action="a", errors=("증상",)),)))
    memory.consolidate()
    for cause, effect in (("가", "나"), ("나", "가"), ("나", "증상")):
        memory.concepts.relate(cause, "causes", effect, tail_kind="finding" if effect == "증상" else None)
    found = [row["chain"] for row in rows(memory, "chains", depth=5)]
    assert found == ["가 → 나 → 증상", "나 → 증상"]
