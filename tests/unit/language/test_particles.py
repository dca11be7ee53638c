"""Korean particles at the end of a word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.language.particles import agrees, strip_particle


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("제주도에", "제주도"),
        ("대구로", "대구"),
        ("서울로", "서울"),
        ("강남으로", "강남"),
        ("커피를", "커피"),
        ("책을", "책"),
        ("민수는", "민수"),
        ("Naver에서", "Naver"),
        ("에", "에"),
        ("서울", "서울"),
        ("Postgres", "Postgres"),
    ],
)
def test_one_particle_that_fits_is_taken_off(word: str, stem: str) -> None:
    assert strip_particle(word) == stem


@pytest.mark.parametrize(
    ("word", "particle", "fits"),
    [
        ("대구", "로", True),
        ("대구", "으로", False),
        ("서울", "로", True),
        ("강남", "로", False),
        ("강남", "으로", True),
        ("책", "을", True),
        ("책", "를", False),
        ("커피", "예요", True),
        ("커피", "이에요", False),
        ("Neo4j", "를", True),
        ("Neo4j", "을", True),
    ],
)
def test_the_final_consonant_decides_which_particle_fits(word: str, particle: str, *, fits: bool) -> None:
    assert agrees(word, particle) is fits


@given(st.text(max_size=20))
def test_what_remains_begins_the_word_and_is_not_empty(word: str) -> None:
    stem = strip_particle(word)
    assert word.startswith(stem)
    assert bool(stem) == bool(word)
