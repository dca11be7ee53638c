"""What a store holds of a subject does not depend on the order in which it was given, said and imported."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import graphmem
from fact_stories import picture, told, year
from recording import Open
from transferring import exported, import_data, lines

SENTENCES = (
    "저는 {place}에 살아요.",
    "2017년부터 {place}에 살고 있어요.",
    "2020년에 {place}로 이사했어요.",
    "이제 {place}에 안 살아요.",
)
PLACES = ("서울", "대구", "제주도")
ABOUT = {"subject": "user", "predicate": "lives_in"}

_TENANTS = count()


@st.composite
def mixed(draw: st.DrawFn) -> list[dict[str, Any]]:
    """What is said in episodes, given, and read from files, about where one user lives."""
    story: list[dict[str, Any]] = []
    for number in range(draw(st.integers(2, 5))):
        place, at = draw(st.sampled_from(PLACES)), year(draw(st.integers(2016, 2022)))
        if draw(st.booleans()):
            story.append(
                {"said": draw(st.sampled_from(SENTENCES)).format(place=place), "id": f"m{number}", "at": at}
            )
            continue
        begin = draw(st.none() | st.integers(2016, 2022).map(year))
        story.append(
            {
                "id": f"f{number}",
                "text": f"{place} {number}",
                "object": place,
                "at": at,
                "valid_from": begin,
                "valid_to": draw(st.none() | st.integers(2022, 2024).map(year)),
                "imported": draw(st.booleans()),
            }
        )
    return story


@given(story=mixed(), data=st.data())
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_order_of_saying_giving_and_importing_counts(
    open_file: Open, story: list[dict[str, Any]], data: st.DataObject
) -> None:
    pictures = []
    for order in (story, data.draw(st.permutations(story))):
        memory = open_file(tenant=f"t{next(_TENANTS)}", embedder="none")
        tell_all(memory, order)
        pictures.append(picture(memory.workspace.graph))
    assert pictures[0] == pictures[1]


STORY = [
    {"said": SENTENCES[0].format(place="서울"), "id": "m1", "at": year(2016)},
    {"id": "f1", "text": "대구", "object": "대구", "at": year(2023), "valid_from": year(2018)},
    {"said": SENTENCES[3].format(place="대구"), "id": "m2", "at": year(2020)},
    {"id": "f2", "text": "서울", "object": "서울", "at": year(2023), "valid_from": year(2021), "imported": True},
    {"said": SENTENCES[0].format(place="서울"), "id": "m3", "at": year(2022)},
]


@pytest.mark.parametrize("order", [(0, 1, 2, 3, 4), (4, 3, 2, 1, 0), (2, 4, 1, 0, 3)])
def test_a_story_told_in_any_order_is_the_same_on_every_store(open_one: Open, order: tuple[int, ...]) -> None:
    memory = open_one()
    tell_all(memory, [STORY[number] for number in order])
    homes = [("서울", None, 2018), ("대구", 2018, 2020), ("서울", 2021, None)]
    assert told(memory.facts.history("user", "lives_in")) == homes
    first, second, third = memory.facts.history("user")
    assert (third.id, third.sources, third.supersedes, second.supersedes) == ("f2", ("m3",), second.id, first.id)
    assert [one.id for one in memory.facts.list()] == ["f2"]
    assert memory.facts.successor(first.id) == second
    again = import_data(memory.workspace, exported(memory.workspace.graph))
    assert (again.added, again.changed, again.refused) == (0, 0, [])
    assert told(memory.facts.history("user", "lives_in")) == homes


def test_what_is_exported_is_the_same_where_it_is_imported(open_one: Open) -> None:
    memory = open_one()
    tell_all(memory, STORY)
    there = exported(memory.workspace.graph)
    before = picture(memory.workspace.graph)
    memory.workspace.graph.erase()
    reversed_lines = b"\n".join(reversed(there.strip().split(b"\n")[1:])) + b"\n"
    import_data(memory.workspace, there.split(b"\n")[0] + b"\n" + reversed_lines)
    assert picture(memory.workspace.graph)["memories"] == before["memories"]


@pytest.mark.parametrize("late", [False, True])
def test_what_was_said_to_be_superseded_stays_so_beside_the_timeline(open_one: Open, *, late: bool) -> None:
    memory = open_one()
    wrong = {"type": "memory", "kind": "fact", "id": "w", "text": "wrong", **ABOUT, "object": "서울"}
    right = {
        "type": "memory",
        "kind": "fact",
        "id": "r",
        "text": "right",
        **ABOUT,
        "object": "대구",
        "supersedes": "w",
    }
    wrong |= {"at": "2020-01-01T00:00:00Z", "valid_from": "2019-01-01T00:00:00Z"}
    right |= {"at": "2021-01-01T00:00:00Z", "valid_from": "2018-01-01T00:00:00Z"}
    for record in (right, wrong) if late else (wrong, right):
        import_data(memory.workspace, lines(record))
    import_data(memory.workspace, lines(right))
    assert [one.id for one in memory.facts.as_of(year(2022))] == ["r"]
    assert [one.id for one in memory.facts.list()] == ["r"]
    memory.facts.forget("r")
    assert memory.facts.list().items == ()


def tell_all(memory: graphmem.GraphMemory, story: Sequence[dict[str, Any]]) -> None:
    """Say, give and import the parts of a story in this order."""
    for part in story:
        fields = {
            name: value for name, value in part.items() if name not in {"said", "imported"} and value is not None
        }
        if "said" in part:
            _say(memory, part["id"], part["said"], part["at"])
        elif part.get("imported"):
            record = {name: _text(value) for name, value in fields.items()}
            import_data(memory.workspace, lines({"type": "memory", "kind": "fact", **ABOUT, **record}))
        else:
            memory.remember(**fields, **ABOUT)


def _say(memory: graphmem.GraphMemory, name: str, text: str, at: datetime) -> None:
    run = memory.episodes.record("g", id=f"e-{name}", started_at=at)
    memory.messages.add(text, id=name, at=at, episode=f"e-{name}")
    run.succeed(at=at)


def _text(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value
