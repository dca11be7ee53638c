from __future__ import annotations

import pytest

from graphmem.openai_api import seconds_to_wait

NOW = "Wed, 21 Oct 2026 07:28:00 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "Wed, 21 Oct 2026 07:30:00 GMT", "date": NOW}, 120.0),
        ({"retry-after": "Wed, 21 Oct 2026 07:00:00 GMT", "date": NOW}, 0.0),
        ({"retry-after": "Wed, 21 Oct 2026 16:29:00 +0900", "date": NOW}, 60.0),
        ({"retry-after": "Wed, 21 Oct 2026 07:30:00 GMT"}, None),
        ({"retry-after": "soon", "date": NOW}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "Wed, 21 Oct 2026 07:30:00", "date": NOW}, None),
    ],
)
def test_a_service_says_how_long_to_wait_in_seconds_or_by_a_date_of_its_own_clock(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert seconds_to_wait(headers) == seconds
