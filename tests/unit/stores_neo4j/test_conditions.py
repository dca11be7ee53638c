"""Filters as conditions: names of the schema, values as parameters, texts by code point."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInputError
from graphmem.graph.records import And, Equals, In, Missing, Range
from graphmem.stores.neo4j.conditions import Conditions, marked, selects_few

TEXTS = st.text(
    st.sampled_from("ab가힣\ud7fb\ue000\ufb01\uffee\U00010000\U0001f600\U0010ffff")
    | st.characters(exclude_categories=["Cs"])
)


def utf16(text: str) -> list[int]:
    """The units by which the server compares a stored text with a parameter."""
    data = text.encode("utf-16-be")
    return [int.from_bytes(data[place : place + 2], "big") for place in range(0, len(data), 2)]


@given(TEXTS, TEXTS)
def test_marked_texts_are_ordered_by_code_point_where_units_are_compared(one: str, other: str) -> None:
    assert (utf16(marked(one)) < utf16(marked(other))) == (one < other)


@given(TEXTS)
def test_the_servers_expression_makes_the_same_of_a_text(text: str) -> None:
    units = utf16(text)
    if not any(unit >= 0xE000 for unit in units):
        made = units
    else:
        made = [part for unit in units for part in ([0xD7FF, unit] if unit >= 0xE000 else [unit])]
    assert made == utf16(marked(text))


def test_no_filter_is_always_true() -> None:
    for where in (None, And(()), And((And(()),))):
        conditions = Conditions().add(where)
        assert (conditions.text, conditions.parameters) == ("true", {})


def test_values_are_parameters_and_never_text() -> None:
    hostile = "x' OR true //"
    where = And((Equals("kind", hostile), In("key", (hostile,)), Range("id", hostile, hostile), Missing("at")))
    conditions = Conditions().add(where)
    assert hostile not in conditions.text
    assert all(f"${name}" in conditions.text for name in conditions.parameters)


def test_one_of_nothing_is_impossible() -> None:
    assert Conditions().add(And((Equals("kind", "a"), In("key", ())))).impossible
    assert not Conditions().add(In("key", ("a",))).impossible


def test_a_range_without_bounds_asks_for_the_property() -> None:
    assert Conditions().add(Range("at")).text == "node.at IS NOT NULL"


def test_times_are_sent_in_utc() -> None:
    seoul = timezone(timedelta(hours=9))
    conditions = Conditions().add(Equals("at", datetime(2026, 3, 1, 18, tzinfo=seoul)))
    (sent,) = conditions.parameters.values()
    assert (sent, sent.tzinfo) == (datetime(2026, 3, 1, 9, tzinfo=UTC), UTC)


def test_a_naive_time_and_an_integer_beyond_64_bits_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="offset"):
        Conditions().add(Equals("at", datetime(2026, 3, 1)))  # noqa: DTZ001 (what is tested)
    with pytest.raises(InvalidInputError, match="64 bits"):
        Conditions().add(Range("index", 2**63))


def test_a_filter_over_an_indexed_property_selects_few() -> None:
    indexed = frozenset({"episode"})
    assert selects_few(And((Equals("kind", "a"), In("episode", ("e",)))), indexed)
    assert selects_few(Equals("id", "a"), indexed)
    assert not selects_few(Equals("kind", "a"), indexed)
    assert not selects_few(Range("episode", "a"), indexed)
    assert not selects_few(None, indexed)
