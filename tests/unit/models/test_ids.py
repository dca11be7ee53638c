"""What an id may look like, and that derived ids are the same for everybody."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInputError
from graphmem.models.ids import MAX_ID_LENGTH, check_id, concept_id, uuid7

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("value", ["a", "run-17", "사용자-1", "conv-26:D1:3", "a.b", "é", "x" * MAX_ID_LENGTH])
def test_ordinary_ids_are_kept_as_they_are(value: str) -> None:
    assert check_id(value) == value


@pytest.mark.parametrize(
    "value",
    [
        "",
        "x" * (MAX_ID_LENGTH + 1),
        "a b",
        "a\tb",
        "a\u00a0b",
        "a\u200bb",
        "a\u202eb",
        "a\x00b",
        "a/b",
        "..",
        "a..b",
        "{a}",
        "a}",
        "e\u0301",
        "\u1112\u1161\u11ab",
        "\ud800",
        "\ue000",
    ],
)
def test_an_id_that_a_store_or_template_could_not_hold_is_refused(value: str) -> None:
    with pytest.raises(InvalidInputError, match="tenant"):
        check_id(value, "tenant")


@given(
    st.integers(0, 7_000_000_000_000).map(lambda ms: EPOCH + timedelta(milliseconds=ms)),
    st.binary(min_size=10, max_size=10),
)
def test_a_uuid7_is_a_valid_uuid_that_carries_its_millisecond(moment: datetime, entropy: bytes) -> None:
    value = uuid.UUID(uuid7(moment, entropy))
    assert value.version == 7
    assert value.variant == uuid.RFC_4122
    assert value.int >> 80 == (moment - EPOCH) // timedelta(milliseconds=1)


def test_uuid7s_of_later_milliseconds_sort_later() -> None:
    entropy = bytes(range(10))
    ids = [uuid7(NOON + timedelta(milliseconds=index), entropy) for index in range(50)]
    assert ids == sorted(ids)


def test_a_concept_has_one_id_a_key_and_kind() -> None:
    assert concept_id("timeout", "concept") == concept_id("timeout", "concept")
    assert concept_id("timeout", "concept") != concept_id("timeout", "tool")
    assert concept_id("가전", "concept") != concept_id("가구", "concept")
