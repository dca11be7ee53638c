"""Values that are refused: said in graphmem's own error, without the values."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphmem.errors import InvalidInputError
from graphmem.models.checking import refusals
from graphmem.models.episode import Episode


def test_a_refused_model_is_told_without_its_values() -> None:
    begin, end = datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC)
    with pytest.raises(InvalidInputError) as caught, refusals():
        Episode(id="e", goal="비밀 010-1234-5678", started_at=begin, ended_at=end)
    assert str(caught.value) == "episode: ended_at lies before started_at"


def test_a_refused_name_is_told_in_the_same_words() -> None:
    with pytest.raises(InvalidInputError, match=r"^a name is blank$"), refusals():
        raise ValueError("a name is blank")
