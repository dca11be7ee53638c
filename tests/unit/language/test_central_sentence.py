"""The sentence whose words recur most across some texts."""

from __future__ import annotations

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.language.central import central_sentence


def test_the_sentence_that_the_others_are_about_is_chosen() -> None:
    texts = ["Hello. The refund for order 17 is missing.", "Order 17? A refund was sent.", "Nice weather today."]
    assert central_sentence(texts) == "The refund for order 17 is missing."


def test_korean_sentences_meet_in_spite_of_their_particles() -> None:
    texts = [
        "안녕하세요! 주문한 냉장고가 오지 않았어요.",
        "냉장고는 언제 오나요? 날씨가 좋네요.",
        "냉장고를 보냈습니다.",
    ]
    assert "냉장고" in central_sentence(texts)


def test_composed_and_decomposed_hangul_are_the_same_words() -> None:
    texts = ["냉장고가 고장났어요. 비가 와요.", "냉장고를 고쳐 주세요."]
    decomposed = [unicodedata.normalize("NFD", text) for text in texts]
    assert unicodedata.normalize("NFC", central_sentence(decomposed)) == central_sentence(texts)


def test_a_word_said_over_and_over_in_one_sentence_is_not_more_central() -> None:
    texts = ["Spam spam spam spam spam.", "The refund failed again.", "A refund failed again today."]
    assert central_sentence(texts) != "Spam spam spam spam spam."


def test_the_earliest_of_equals_is_chosen() -> None:
    assert central_sentence(["One two three.", "Four five six."]) == "One two three."


def test_nothing_said_gives_nothing() -> None:
    assert central_sentence([]) == central_sentence(["", " \n "]) == ""


def test_huge_texts_are_bounded() -> None:
    found = central_sentence(["word " * 100_000] * 1_000)
    assert 0 < len(found) <= 2_000


@settings(deadline=None)
@given(st.lists(st.text(max_size=60), max_size=6))
def test_it_is_a_part_of_the_texts(texts: list[str]) -> None:
    found = central_sentence(texts)
    assert found == found.strip()
    assert found == "" or any(found in text for text in texts)
