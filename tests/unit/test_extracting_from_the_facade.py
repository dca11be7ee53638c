"""`memory.extract`: what a text states, without touching the store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import graphmem


def test_a_memory_tells_what_a_text_states_and_stores_nothing(tmp_path: Path) -> None:
    with graphmem.open(tmp_path / "memory.db", embedder="hashing", analyzer="plain") as memory:
        found = memory.extract("The outage was caused by a full disk. 고래는 포유류의 일종이다.")
    assert [(one.head.key, one.relation.value, one.tail.key) for one in found.relations] == [
        ("full disk", "causes", "outage"),
        ("고래", "is_a", "포유류"),
    ]
    assert not list(tmp_path.iterdir())


def test_talk_is_read_as_talk(tmp_path: Path) -> None:
    with graphmem.open(tmp_path / "memory.db", embedder="hashing", analyzer="plain") as memory:
        assert memory.extract("Pain causes stress.", chat=True).relations


@pytest.mark.parametrize("given", [None, 5, b"Redis is a database."], ids=["none", "number", "bytes"])
def test_what_is_no_text_is_refused(given: Any, tmp_path: Path) -> None:
    with (
        graphmem.open(tmp_path / "memory.db", embedder="none", analyzer="plain") as memory,
        pytest.raises(graphmem.InvalidInputError, match="extract reads str"),
    ):
        memory.extract(given)
