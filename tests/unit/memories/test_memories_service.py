from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import ConflictError, InvalidInputError, NotFoundError
from graphmem.graph.mapping.concept import concept_ref
from graphmem.graph.mapping.memory import memory_record
from graphmem.graph.records import And, Equals, Filter, In, Missing, NodeRecord, NodeRef, Range
from graphmem.graph.validity import holding, holds, retired, standing
from graphmem.memories.service import MemoriesService
from graphmem.messages.service import MessagesService
from graphmem.models.fields import OPEN_END
from graphmem.models.memories import MEMORY_KINDS, Fact, Lesson, Memory, Preference
from graphmem.testing.clock import START
from workspaces import Desk, desk


def _year(year: int) -> datetime:
    return datetime(year, 1, 1, tzinfo=UTC)


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Desk]:
    found = desk(tmp_path)
    yield found
    found.store.close()


@pytest.fixture
def facts(at_hand: Desk) -> MemoriesService:
    return MemoriesService(at_hand.workspace())


@pytest.mark.parametrize("kind", MEMORY_KINDS)
def test_a_memory_of_any_kind_comes_back_as_it_was_kept(facts: MemoriesService, kind: str) -> None:
    kept = facts.remember("아다는 이메일을 좋아한다", kind=kind, why="그렇게 말했다", confidence=0.8)
    assert facts.get(kept.id) == kept
    assert (kept.kind, kept.at) == (kind, START)


def test_a_memory_is_a_fact_unless_said_otherwise(facts: MemoriesService) -> None:
    assert isinstance(facts.remember("Water boils at 100 degrees"), Fact)


def test_two_memories_get_two_ids(facts: MemoriesService) -> None:
    assert facts.remember("one").id != facts.remember("one").id


def test_the_same_memory_twice_changes_nothing_and_another_text_is_refused(facts: MemoriesService) -> None:
    facts.remember("one", id="f1", at=START)
    facts.remember("one", id="f1", at=START)
    with pytest.raises(ConflictError):
        facts.remember("two", id="f1", at=START)
    assert [memory.text for memory in facts.list()] == ["one"]
    facts.add(Fact(id="f1", text="two"), replace=True)
    assert facts.get("f1").text == "two"


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "opinion"},
        {"kind": "lesson", "subject": "Ada"},
        {"confidence": 2.0},
        {"text": ""},
        {"valid_from": _year(2021), "valid_to": _year(2020)},
        {"id": "a b"},
        {"colour": "red"},
        {"valid_from": datetime(2021, 1, 1)},  # noqa: DTZ001 (naive on purpose)
    ],
)
def test_a_wrong_value_is_refused_without_repeating_the_text(
    facts: MemoriesService, wrong: dict[str, Any]
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        facts.remember(**{"text": "a secret", **wrong})
    assert "secret" not in str(caught.value)


def test_memories_are_listed_newest_first_by_kind_and_statement(facts: MemoriesService, at_hand: Desk) -> None:
    facts.remember("a", id="a", subject="민수", predicate="lives_in", object="부산")
    at_hand.clock.advance(minutes=1)
    facts.remember("b", id="b", kind="lesson")
    assert _ids(facts.list()) == ["b", "a"]
    assert _ids(facts.list(kind="fact")) == ["a"]
    assert _ids(facts.list(subject="민수")) == ["a"]
    assert _ids(facts.list(subject="민수", predicate="Lives_In")) == ["a"]
    assert _ids(facts.list(predicate="works_at")) == []
    assert _ids(facts.list(subject="\u3164")) == []
    with pytest.raises(InvalidInputError, match="kind 'opinion'"):
        facts.list(kind="opinion")


def test_a_superseded_fact_leaves_the_list_and_stays_in_the_history(facts: MemoriesService, at_hand: Desk) -> None:
    _moved(facts, at_hand)
    assert _ids(facts.list()) == ["seoul"]
    assert _ids(facts.list(superseded=True)) == ["seoul", "busan"]
    assert _ids(facts.history("민수", "lives_in")) == ["busan", "seoul"]
    assert _ids(facts.history("민수")) == ["busan", "seoul"]
    assert facts.history("Ada") == ()


def test_what_held_at_a_moment_is_known_after_it_changed(facts: MemoriesService, at_hand: Desk) -> None:
    _moved(facts, at_hand)
    for moment, expected in (
        (2019, []),
        (2020, ["busan"]),
        (2023, ["busan"]),
        (2024, ["seoul"]),
        (2026, ["seoul"]),
    ):
        assert _ids(facts.as_of(_year(moment), subject="민수", predicate="lives_in")) == expected
    with pytest.raises(InvalidInputError):
        facts.as_of(datetime(2020, 1, 1))  # noqa: DTZ001 (naive on purpose)
    with pytest.raises(InvalidInputError):
        facts.as_of(None)  # type: ignore[arg-type]


def test_a_superseded_fact_ends_where_the_newer_one_begins(facts: MemoriesService, at_hand: Desk) -> None:
    _moved(facts, at_hand)
    older = facts.get("busan")
    assert isinstance(older, Fact)
    assert older.valid_to == _year(2024)
    assert (newer := facts.successor("busan")) is not None
    assert newer.id == "seoul"
    assert facts.successor("seoul") is None


def test_a_superseded_lesson_stood_until_it_was_superseded(facts: MemoriesService, at_hand: Desk) -> None:
    facts.remember("retry twice", id="old", kind="lesson")
    at_hand.clock.advance(days=10)
    facts.remember("retry never", id="new", kind="lesson", supersedes="old")
    assert _ids(facts.as_of(START + timedelta(days=1))) == ["old"]
    assert _ids(facts.as_of(START + timedelta(days=11))) == ["new"]
    assert _ids(facts.as_of(START - timedelta(days=1))) == []


def test_superseding_what_is_not_there_is_refused_and_keeps_nothing(facts: MemoriesService) -> None:
    with pytest.raises(NotFoundError, match="'gone'"):
        facts.remember("x", id="x", supersedes="gone")
    facts.remember("y")
    with pytest.raises(NotFoundError):
        facts.get("x")
    with pytest.raises(ConflictError, match="itself"):
        facts.remember("z", id="z", supersedes="z")


def test_a_memory_of_many_can_supersede_an_earlier_one_of_them(facts: MemoriesService) -> None:
    saved = facts.add_many(
        [Fact(id="a", text="one"), {"id": "b", "text": "two", "supersedes": "a"}, Preference(id="c", text="three")]
    )
    assert len(saved.added) == 3
    assert sorted(_ids(facts.list())) == ["b", "c"]


def test_a_memory_is_linked_to_what_it_is_about_and_where_it_was_said(
    facts: MemoriesService, at_hand: Desk
) -> None:
    MessagesService(at_hand.workspace()).add("x", id="m1")
    facts.remember("x", id="f1", about=["timeout", "Timeouts", "결제"], sources=["m1", "nowhere"])
    edges = at_hand.workspace().graph.edges([NodeRef("Memory", "f1")])
    assert sorted((edge.type, edge.target.label) for edge in edges) == [
        ("ABOUT", "Concept"),
        ("ABOUT", "Concept"),
        ("ASSERTED_IN", "Message"),
    ]


def test_a_forgotten_memory_is_gone_and_must_be_of_the_kind_that_is_named(facts: MemoriesService) -> None:
    facts.remember("x", id="f1")
    with pytest.raises(NotFoundError) as caught:
        facts.forget("f1", kind="lesson")
    assert caught.value.kind == "lesson"
    facts.forget("f1", kind="fact")
    with pytest.raises(NotFoundError):
        facts.forget("f1")


def test_a_user_sees_his_own_memories_and_those_of_nobody(at_hand: Desk) -> None:
    ada, bob, all_ = (MemoriesService(at_hand.workspace(user=user)) for user in ("ada", "bob", None))
    ada.remember("hers", id="a1")
    bob.remember("his", id="b1")
    all_.remember("everybody's", id="c1")
    assert sorted(_ids(ada.list())) == ["a1", "c1"]
    assert sorted(_ids(all_.list())) == ["a1", "b1", "c1"]
    assert ada.get("a1").user_id == "ada"
    for call in (ada.get, ada.forget, ada.successor):
        with pytest.raises(NotFoundError):
            call("b1")
    with pytest.raises(NotFoundError):
        ada.remember("x", supersedes="b1")
    assert sorted(_ids(bob.as_of(START))) == ["b1", "c1"]


def test_pages_over_ones_own_and_common_memories_hold_each_once_in_order(at_hand: Desk) -> None:
    ada, everybody = MemoriesService(at_hand.workspace(user="ada")), MemoriesService(at_hand.workspace())
    for number in range(23):
        (ada if number % 3 else everybody).remember("x", id=f"m{number:02}")
        at_hand.clock.advance(minutes=number % 2)
    for order in ("id", "-created_at", "created_at", "-valid_from"):
        seen: list[str] = []
        page = ada.list(order=order, limit=4)
        seen += _ids(page)
        while page.next is not None:
            page = ada.list(order=order, limit=4, after=page.next)
            seen += _ids(page)
        assert sorted(seen) == [f"m{number:02}" for number in range(23)]
        assert seen == _ids(ada.list(order=order, limit=1000))


def test_another_tenant_has_other_memories(facts: MemoriesService, at_hand: Desk) -> None:
    facts.remember("x", id="f1")
    other = MemoriesService(at_hand.workspace("other"))
    other.remember("y", id="f2")
    assert _ids(other.list()) == ["f2"]
    with pytest.raises(NotFoundError):
        other.get("f1")
    with pytest.raises(NotFoundError):
        other.remember("z", supersedes="f1")


def _fact(start: datetime | None, end: datetime | None) -> Fact:
    forward = None if start and end and end < start else end
    return Fact(id="m", text="t", valid_from=start, valid_to=forward)


_TIMES = st.sampled_from([_year(year) for year in range(2019, 2025)])


@given(
    memory=st.one_of(
        st.builds(_fact, st.none() | _TIMES, st.none() | _TIMES),
        st.builds(lambda at: Lesson(id="m", text="t", at=at), st.none() | _TIMES),
    ),
    superseded=st.none() | _TIMES,
    moment=_TIMES,
    kinds=st.none() | st.sets(st.sampled_from(MEMORY_KINDS)),
)
def test_the_filters_of_a_moment_let_through_exactly_what_held_and_only_once(
    memory: Memory, superseded: datetime | None, moment: datetime, kinds: set[str] | None
) -> None:
    record = memory_record(memory, START)
    if superseded is not None:
        record = NodeRecord("Memory", "m", {**record.properties, "superseded_at": superseded})
    matching = [where for where in holding(moment, kinds) if _matches(record, where)]
    wanted = kinds is None or memory.kind in kinds
    assert len(matching) == (1 if wanted and holds(record, moment) else 0)
    assert _matches(record, standing(kinds)) == (wanted and superseded is None)


def test_the_end_of_time_has_a_view_too() -> None:
    assert all(isinstance(where, And) for where in holding(OPEN_END))


@given(start=st.none() | _TIMES, newer=st.none() | _TIMES)
def test_what_is_retired_never_ends_before_it_began(start: datetime | None, newer: datetime | None) -> None:
    older = memory_record(Fact(id="a", text="t", valid_from=start), START)
    changes = retired(older, Fact(id="b", text="u", valid_from=newer), START)
    end = changes["valid_to"]
    assert isinstance(end, datetime)
    assert start is None or end >= start
    assert changes["superseded_at"] == START


def test_what_was_retired_before_keeps_its_moment() -> None:
    older = memory_record(Lesson(id="a", text="t"), START)
    gone = NodeRecord("Memory", "a", {**older.properties, "superseded_at": _year(2021)})
    assert retired(gone, Lesson(id="b", text="u"), START) == {"superseded_at": _year(2021)}


def _moved(facts: MemoriesService, at_hand: Desk) -> None:
    """민수 lived in Busan from 2020, and in Seoul from 2024."""
    said = {"subject": "민수", "predicate": "lives_in"}
    facts.remember("민수는 부산에 산다", id="busan", object="부산", valid_from=_year(2020), **said)
    at_hand.clock.advance(days=1)
    facts.remember(
        "민수는 서울에 산다", id="seoul", object="서울", valid_from=_year(2024), supersedes="busan", **said
    )


def _ids(found: Iterable[Memory]) -> list[str]:
    return [memory.id for memory in found]


def _matches(record: NodeRecord, where: Filter) -> bool:
    """The filters' meaning, written down once more."""
    match where:
        case Equals(name, value):
            return record.properties.get(name) == value
        case In(name, values):
            return record.properties.get(name) in values
        case Missing(name):
            return name not in record.properties
        case Range(name, low, high):
            held: Any = record.properties.get(name)
            bounds: Any = (low, high)
            return held is not None and (low is None or held >= bounds[0]) and (high is None or held <= bounds[1])
        case And(parts):
            return all(_matches(record, part) for part in parts)


def test_what_superseded_a_forgotten_memory_no_longer_names_it(facts: MemoriesService, at_hand: Desk) -> None:
    _moved(facts, at_hand)
    facts.forget("busan")
    assert facts.get("seoul").supersedes is None
    assert _ids(facts.history("민수")) == ["seoul"]


def test_a_replaced_memory_is_about_what_it_says(facts: MemoriesService, at_hand: Desk) -> None:
    facts.add(Fact(id="f1", text="one", about=("timeout",)))
    facts.add(Fact(id="f1", text="two", about=("결제",)), replace=True)
    edges = at_hand.workspace().graph.edges([NodeRef("Memory", "f1")], ["ABOUT"])
    assert [edge.target for edge in edges] == [concept_ref("결제")]


def test_what_ended_before_the_newer_one_began_keeps_its_end() -> None:
    older = memory_record(Fact(id="a", text="t", valid_to=_year(2020)), START)
    assert "valid_to" not in retired(older, Fact(id="b", text="u", valid_from=_year(2024)), START)
