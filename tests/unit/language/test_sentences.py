"""Sentences of a message, and which of them assert something."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.language.sentences import (
    cover_cited,
    is_hypothetical,
    is_negated,
    is_reported,
    language_of,
    split_sentences,
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("I live here. You too? Yes!", ["I live here.", "You too?", "Yes!"]),
        ("Dr. Kim paid 3.5 dollars. Fine.", ["Dr. Kim paid 3.5 dollars.", "Fine."]),
        ("Write to a@b.org or see www.b.org. Bye", ["Write to a@b.org or see www.b.org.", "Bye"]),
        ("서울에 살아요. 네이버에서 일해요!", ["서울에 살아요.", "네이버에서 일해요!"]),
        ("첫 줄\n\n둘째 줄", ["첫 줄", "둘째 줄"]),
        ('He said "Go. Now." and left.', ['He said "Go. Now." and left.']),
        (" \n ", []),
    ],
)
def test_a_text_is_split_at_the_ends_of_its_sentences(text: str, parts: list[str]) -> None:
    assert [sentence.text for sentence in split_sentences(text)] == parts


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I live here", "en"),
        ("저는 살아요", "ko"),
        ("저는 Naver에서 일해요", "ko"),
        ("저는 Kubernetes와 Prometheus를 써요", "ko"),
        ("I live in 서울", "en"),
        ("My name is 김민수", "en"),
        ("私は東京に住んでいます", "other"),
        ("12:30 !!", "other"),
    ],
)
def test_script_and_function_words_tell_the_language(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    "text", ["You ok?", "do you know", "Where is it", "살까요", "누구냐", "하나요", "뭐 했니"]
)
def test_a_question_is_seen_with_and_without_its_mark(text: str) -> None:
    assert split_sentences(text)[0].is_question


@pytest.mark.parametrize("text", ["I do.", "저는 살아요.", "친구를 만나요", "우리 어머니"])
def test_what_asks_nothing_is_no_question(text: str) -> None:
    assert not split_sentences(text)[0].is_question


@pytest.mark.parametrize(
    "cited",
    [
        '"I live here"',
        "“I live here”",
        "`I live here`",
        "```\nI live here\n```",
        "「저는 살아요」",
        "'저는 살아요'",
    ],
)
def test_quotations_and_code_are_covered_up_in_place(cited: str) -> None:
    covered = cover_cited(f"a {cited} b")
    assert len(covered) == len(cited) + 4
    assert "live" not in covered
    assert "살아요" not in covered


def test_apostrophes_are_no_quotation_marks() -> None:
    assert not split_sentences("I'm sure it's Ann's cat's bowl.")[0].has_quotation


def test_suppositions_reports_and_denials_are_told_apart() -> None:
    assert is_hypothetical("If I moved", "en")
    assert is_hypothetical("서울에 살고 싶어요", "ko")
    assert is_hypothetical("이사한다면", "ko")
    assert not is_hypothetical("화면 앞에 있어요", "ko")
    assert is_reported("She said so", "en")
    assert is_reported("부산에 산다고 했어요", "ko")
    assert is_negated("I don't know", "en")
    assert is_negated("살지 않아요", "ko")
    assert not is_negated("안녕하세요", "ko")


@given(st.text(max_size=200))
def test_sentences_lie_in_the_text_in_order_without_outer_blanks(text: str) -> None:
    end = 0
    for sentence in split_sentences(text):
        assert text[sentence.start : sentence.end] == sentence.text
        assert sentence.text == sentence.text.strip() != ""
        assert len(sentence.asserted) == len(sentence.text)
        assert sentence.start >= end
        end = sentence.end
