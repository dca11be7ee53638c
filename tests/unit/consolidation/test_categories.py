"""Which argument values become concepts, and which never do."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.consolidation.categories import categories_of, count_categories
from graphmem.consolidation.policy import ConsolidationPolicy

POLICY = ConsolidationPolicy()


def over_tasks(value: Any, tasks: int = 3, argument: str = "cabin") -> frozenset[str]:
    return count_categories([(f"task-{index}", {argument: value}) for index in range(tasks)], POLICY)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("economy", "cabin=economy"),
        ("일반석", "cabin=일반석"),
        (True, "cabin=true"),
        (False, "cabin=false"),
        ("round trip", "cabin=round trip"),
        (" economy ", "cabin=economy"),
    ],
)
def test_a_short_value_that_recurs_over_three_tasks_is_a_category(value: Any, name: str) -> None:
    assert over_tasks(value) == {name}


@pytest.mark.parametrize(
    "value",
    [
        "HAT136",
        "2026-03-01",
        "ada@example.org",
        "에이다@예시",
        "4111 1111",
        "x" * 33,
        "",
        "  ",
        "two\nlines",
        17,
        1.5,
        None,
        ["economy"],
        {"class": "economy"},
    ],
)
def test_identifiers_numbers_free_text_and_nested_values_are_none(value: Any) -> None:
    assert over_tasks(value, tasks=10) == frozenset()


def test_two_tasks_are_not_enough_however_often_they_repeat() -> None:
    steps = [(f"task-{index % 2}", {"cabin": "economy"}) for index in range(100)]
    assert count_categories(steps, POLICY) == frozenset()


def test_an_argument_with_more_than_twenty_values_is_free_text() -> None:
    names = [f"{first}{second}" for first in "abcde" for second in "가나다라마"]
    few = [(f"task-{task}", {"name": value}) for value in names[:20] for task in range(3)]
    many = [(f"task-{task}", {"name": value}) for value in names[:21] for task in range(3)]
    assert len(count_categories(few, POLICY)) == 20
    assert count_categories(many, POLICY) == frozenset()


def test_numbers_count_among_the_values_of_an_argument() -> None:
    steps: list[tuple[str, dict[str, Any]]] = [(f"task-{task}", {"amount": task}) for task in range(25)]
    steps += [(f"task-{task}", {"amount": "all"}) for task in range(25)]
    assert count_categories(steps, POLICY) == frozenset()


def test_a_step_falls_into_the_categories_of_its_own_arguments_only() -> None:
    categories = frozenset({"cabin=economy", "insured=true"})
    assert categories_of({"cabin": "economy", "insured": False, "id": "X1"}, categories, POLICY) == [
        "cabin=economy"
    ]


arguments = st.dictionaries(
    st.sampled_from(["cabin", "이유", "insured"]), st.sampled_from(["economy", "고장", True, 3, "a@b"]), max_size=3
)


@given(st.lists(st.tuples(st.sampled_from("abcd"), arguments)), st.randoms())
def test_the_order_of_steps_does_not_matter(steps: list[tuple[str, dict[str, Any]]], random: Any) -> None:
    shuffled = list(steps)
    random.shuffle(shuffled)
    assert count_categories(steps, POLICY) == count_categories(shuffled, POLICY)
