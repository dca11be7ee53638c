"""Korean particles and drawn slots in the texts of the samples."""

from __future__ import annotations

from random import Random

import pytest

from graphmem.demo.samples import sample_records
from graphmem.demo.wording import draw_slots, fill


@pytest.mark.parametrize(
    ("template", "word", "expected"),
    [
        ("{x}을(를) 교환", "냉장고", "냉장고를 교환"),
        ("{x}을(를) 교환", "에어컨", "에어컨을 교환"),
        ("{x}이(가) 왔다", "옷장", "옷장이 왔다"),
        ("{x}이(가) 왔다", "세탁기", "세탁기가 왔다"),
        ("{x}은(는) 있다", "P12", "P12는 있다"),
        ("{x}은(는) 있다", "P13", "P13은 있다"),
        ("{x}과(와) 함께", "침대", "침대와 함께"),
        ("{x}으로(로) 간다", "런던", "런던으로 간다"),
        ("{x}으로(로) 간다", "서울", "서울로 간다"),
        ("{x}으로(로) 간다", "제주", "제주로 간다"),
        ("{x}으로(로) 바꾼다", "K6", "K6으로 바꾼다"),
        ("{x}으로(로) 바꾼다", "K7", "K7로 바꾼다"),
    ],
)
def test_the_particle_follows_the_sound_before_it(template: str, word: str, expected: str) -> None:
    assert fill(template, {"x": word}) == expected


def test_a_slot_without_marks_is_kept_and_each_mark_becomes_a_digit() -> None:
    drawn = draw_slots(Random(1), {"city": ("파리",), "order": ("W###",)})
    assert drawn["city"] == "파리"
    assert drawn["order"][0] == "W"
    assert drawn["order"][1:].isdigit()
    assert "0" not in drawn["order"]


def test_no_text_of_the_samples_shows_both_forms_of_a_particle() -> None:
    shown = repr(list(sample_records()))
    assert not [form for form in ("을(를)", "이(가)", "은(는)", "과(와)", "으로(로)") if form in shown]
