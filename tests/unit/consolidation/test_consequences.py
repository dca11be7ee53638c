"""A name counts where a goal says it as a word of its own, and where it says more than that something is wrong."""

from __future__ import annotations

from unicodedata import normalize

import pytest

from graphmem.consolidation.consequences import folded, is_specific, names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("fix the broken pipe", "broken pipe"),
        ("Fix the BROKEN  pipe, please", "broken pipe"),
        ("결제 시간초과를 고친다", "결제 시간초과"),
        ("DiskFullError가 났다", "diskfullerror"),
        ("결제 시간초과 때문에 환불한다", "결제 시간초과"),
        ("(disk-full)", "disk-full"),
    ],
)
def test_a_name_is_found_as_a_word(text: str, name: str) -> None:
    assert names(folded(text), folded(name))
    assert names(folded(normalize("NFD", text)), folded(normalize("NFD", name)))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("결제 시간초과금을 낸다", "결제 시간초과"),
        ("rebroken pipes", "broken pipe"),
        ("broken pipeline", "broken pipe"),
        ("", "broken pipe"),
    ],
)
def test_a_part_of_a_word_is_none(text: str, name: str) -> None:
    assert not names(folded(text), folded(name))


def test_general_and_short_names_say_too_little() -> None:
    assert not any(map(is_specific, ["error", "오류", "문제", "404", "pipe", "누수", ""]))
    assert all(map(is_specific, ["broken pipe", "keyerror", "시간초과", "disk full", "풀 고갈"]))
