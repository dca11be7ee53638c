"""The labelled sentences of our own: the even lines were set aside while the rules were written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphmem.graph.keys import canonical_key
from graphmem.language.extraction import ExtractedRelation

LABELLED = Path(__file__).parents[4] / "data" / "relations" / "ko.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in LABELLED.read_text(encoding="utf-8").splitlines()]

Relate = Callable[..., list[ExtractedRelation]]
Key = tuple[str, str, str]


def labelled(row: dict[str, Any], *, asserted: bool) -> set[Key]:
    return {
        (canonical_key(one["head"]) or "", one["relation"], canonical_key(one["tail"]) or "")
        for one in row["relations"]
        if (one.get("factuality", "asserted") == "asserted") == asserted
    }


def found(relate: Relate, row: dict[str, Any]) -> set[Key]:
    return {
        (one.head.key, one.relation.value, one.tail.key)
        for one in relate(row["text"], row["genre"])
        if one.factuality == "asserted"
    }


def test_the_set_holds_what_it_says() -> None:
    assert len(ROWS) >= 160
    assert [row["part"] for row in ROWS[:2]] * (len(ROWS) // 2) == [row["part"] for row in ROWS]
    assert {row["kind"] for row in ROWS} == {
        *("states", "denies", "asks", "modal", "reported", "conditional", "mentions"),
    }


@pytest.mark.parametrize("part", ["tuning", "set aside"])
def test_most_of_what_is_stated_is_found_and_little_else(relate: Relate, part: str) -> None:
    right = extra = missed = 0
    for row in ROWS:
        if row["part"] == part:
            stated, read = labelled(row, asserted=True), found(relate, row)
            right += len(stated & read)
            extra += len(read - stated)
            missed += len(stated - read)
    assert 2 * right / (2 * right + extra + missed) >= 0.85


def test_nothing_is_asserted_that_a_sentence_does_not_assert(relate: Relate) -> None:
    for row in ROWS:
        assert not labelled(row, asserted=False) & found(relate, row), row["text"]
