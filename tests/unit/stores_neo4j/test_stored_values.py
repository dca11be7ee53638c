"""Values on their way to the server and back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInputError, SchemaError
from graphmem.stores.neo4j.values import (
    COLUMNS,
    Moments,
    VectorCodec,
    epoch,
    moment,
    own_label,
    properties_of,
    read_node,
)

MOMENTS = st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30), timezones=st.just(UTC))  # noqa: DTZ001 (the strategy adds the zone)


def as_the_server_answers(seconds: int, microseconds: int) -> tuple[int, int, int]:
    """What the server makes of a time: before 1970 it cuts seconds towards 1970."""
    cut = seconds + 1 if seconds < 0 and microseconds else seconds
    return cut, microseconds, seconds % 60


@given(MOMENTS)
def test_a_time_comes_back_to_the_microsecond(given_moment: datetime) -> None:
    assert moment(*as_the_server_answers(*epoch(given_moment))) == given_moment


@pytest.mark.parametrize(
    "edge",
    [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        datetime(1970, 1, 1, 0, 0, 0, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    ],
)
def test_times_at_the_edges_come_back(edge: datetime) -> None:
    assert moment(*as_the_server_answers(*epoch(edge))) == edge


def test_a_time_that_leaves_the_calendar_in_utc_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="1-9999"):
        epoch(datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=9))))


def test_equal_times_are_sent_once() -> None:
    moments = Moments()
    now = datetime(2026, 3, 1, tzinfo=UTC)
    sent = properties_of({"created_at": now, "at": now, "goal": "환불", "index": 3, "tools": ["a"]}, moments)
    assert sent == {"created_at": 0, "at": 0, "goal": "환불", "index": 3, "tools": ["a"]}
    assert moments.rows == [epoch(now)]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 2**63, -(2**63) - 1])
def test_a_number_that_the_server_cannot_hold_is_refused(number: float) -> None:
    with pytest.raises(InvalidInputError, match="weight"):
        properties_of({"weight": number}, Moments())


def test_a_vector_must_have_the_stores_length_and_be_finite() -> None:
    codec = VectorCodec(3, packed=False)
    assert codec.encode(np.array([1, 0, 0], dtype=np.float32)) == [1.0, 0.0, 0.0]
    with pytest.raises(SchemaError, match="3 dimensions"):
        codec.encode(np.zeros(4, dtype=np.float32))
    with pytest.raises(InvalidInputError, match="finite"):
        codec.encode(np.array([1, np.nan, 0], dtype=np.float32))
    with pytest.raises(SchemaError, match="without an embedder"):
        VectorCodec(None, packed=False).encode(np.zeros(3, dtype=np.float32))


def test_a_vector_is_packed_where_the_server_takes_it() -> None:
    packed = VectorCodec(2, packed=True).encode(np.array([0.5, -1], dtype=np.float32))
    assert packed.to_native() == [0.5, -1.0]


def test_a_row_becomes_a_record_without_what_it_does_not_have() -> None:
    names, times = COLUMNS["Tool"]
    values = [{"key": "k", "name": "n"}.get(name) for name in names]
    row = ["t1", values, [[1, 500_000, 1] if name == "created_at" else [None] * 3 for name in times], None]
    record = read_node("Tool", row)
    assert record.properties == {
        "key": "k",
        "name": "n",
        "created_at": datetime(1970, 1, 1, 0, 0, 1, 500_000, tzinfo=UTC),
    }
    assert record.vector is None


def test_a_label_that_an_operator_added_is_passed_over() -> None:
    assert own_label(["Important", "Memory"]) == "Memory"
