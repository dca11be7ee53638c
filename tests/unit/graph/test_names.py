"""Keys held against a corpus of names: groups of spellings that are one, and names that never become one.

tests/data/names/names.jsonl: `group` numbers the things named, `trap` says what makes the name hard, `proper`
that it is a proper name, `key` the key where it matters which one it is.
"""

from __future__ import annotations

import json
import unicodedata
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from graphmem.graph.keys import canonical_key, label_key

CORPUS = Path(__file__).parents[2] / "data" / "names" / "names.jsonl"
NAMES: list[dict[str, Any]] = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
LETTERS_OF_A_NAME = {"US", "IT", "WHO"}


def key_of(row: dict[str, Any]) -> str | None:
    return canonical_key(row["name"], proper=row.get("proper"))


def test_the_corpus_is_large_and_covers_every_trap() -> None:
    assert len(NAMES) >= 500
    assert {row["trap"] for row in NAMES} >= {
        *("hangul forms", "korean endings", "latin spacing", "mixed scripts", "signs", "brackets", "companies"),
        *("forms", "emoji", "plurals", "no plurals", "proper names", "acronyms", "near names"),
    }


def test_no_name_has_an_empty_key_and_every_key_is_its_own_key() -> None:
    for row in NAMES:
        key = key_of(row)
        assert key, row
        assert canonical_key(key, proper=row.get("proper")) == key, row
        assert row.get("key", key) == key, row


def test_spellings_of_one_thing_have_one_key() -> None:
    keys = defaultdict(set)
    for row in NAMES:
        keys[row["group"]].add(key_of(row))
    assert [group for group, found in keys.items() if len(found) > 1] == []


def test_two_things_never_have_one_key() -> None:
    groups = defaultdict(set)
    for row in NAMES:
        groups[key_of(row)].add(row["group"])
    assert [key for key, found in groups.items() if len(found) > 1] == []


def test_a_name_has_one_key_however_its_hangul_is_composed() -> None:
    for row in NAMES:
        for form in ("NFC", "NFD", "NFKC", "NFKD"):
            again = {**row, "name": unicodedata.normalize(form, row["name"])}
            assert key_of(again) == key_of(row), (row, form)


@pytest.mark.parametrize("row", [row for row in NAMES if "proper" not in row], ids=lambda row: repr(row["name"]))
def test_a_label_and_the_concept_it_names_meet(row: dict[str, Any]) -> None:
    label = label_key(row["name"])
    assert label
    if key_of(row) not in LETTERS_OF_A_NAME:
        assert canonical_key(label) == key_of(row)
