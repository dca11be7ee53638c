"""Values of the driver become what JSON can hold."""

from __future__ import annotations

import json
from datetime import UTC, timedelta, timezone

import neo4j.spatial
import neo4j.time
import pytest
from neo4j.vector import Vector

from graphmem.stores.neo4j.free_values import plain

SEOUL = timezone(timedelta(hours=9))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (2**63 - 1, 2**63 - 1),
        ("환불", "환불"),
        (0.5, 0.5),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        ([1, [float("inf")]], [1, ["inf"]]),
        ({"a": {"b": None}}, {"a": {"b": None}}),
        (neo4j.time.DateTime(2026, 3, 1, 9, 0, 0, tzinfo=UTC), "2026-03-01T09:00:00Z"),
        (neo4j.time.DateTime(2026, 3, 1, 9, 0, 0, 500_000_000, tzinfo=UTC), "2026-03-01T09:00:00.5Z"),
        (neo4j.time.DateTime(2026, 3, 1, 9, 0, 10, 1, tzinfo=SEOUL), "2026-03-01T09:00:10.000000001+09:00"),
        (neo4j.time.DateTime(2026, 3, 1, 9, 0, 10, 100), "2026-03-01T09:00:10.0000001"),
        (neo4j.time.Date(2026, 10, 10), "2026-10-10"),
        (neo4j.time.Time(9, 10, 0), "09:10:00"),
        (neo4j.time.Duration(months=10, days=20, seconds=100), "P10M20DT1M40S"),
        (neo4j.spatial.CartesianPoint((1.0, 2.0)), {"srid": 7203, "coordinates": [1.0, 2.0]}),
        (Vector([1.0, 0.5], "f32"), [1.0, 0.5]),
        (b"\x00\xff", "00ff"),
    ],
)
def test_a_value_is_written_plainly(value: object, expected: object) -> None:
    shown = plain(value)
    assert shown == expected
    json.dumps(shown, allow_nan=False)
