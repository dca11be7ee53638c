"""The analyzer that needs nothing: sentences and their language."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.text.plain import PlainAnalyzer


def _sentences(text: str) -> list[tuple[str, str]]:
    return [(found.text, found.language) for found in PlainAnalyzer().analyze([text])[0]]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("The disk is full. Restart it.", [("The disk is full.", "en"), ("Restart it.", "en")]),
        ("디스크가 찼다. 다시 시작해.", [("디스크가 찼다.", "ko"), ("다시 시작해.", "ko")]),
        ("Redis가 느리다. It is slow!", [("Redis가 느리다.", "ko"), ("It is slow!", "en")]),
        ("ディスクがいっぱい", [("ディスクがいっぱい", "")]),
        ("1234 5678", [("1234 5678", "")]),
        ("", []),
    ],
)
def test_each_sentence_has_its_own_language(text: str, sentences: list[tuple[str, str]]) -> None:
    assert _sentences(text) == sentences


def test_decomposed_hangul_is_korean_too() -> None:
    assert [language for _, language in _sentences(unicodedata.normalize("NFD", "서울에 산다."))] == ["ko"]


@given(st.lists(st.text(), max_size=3))
def test_sentences_of_any_text_stand_in_it_and_do_not_overlap(texts: list[str]) -> None:
    found = PlainAnalyzer().analyze(texts)
    assert len(found) == len(texts)
    for text, sentences in zip(texts, found, strict=True):
        end = 0
        for sentence in sentences:
            assert sentence.start >= end
            end = sentence.start + len(sentence.text)
            assert text[sentence.start : end] == sentence.text
            assert sentence.tokens == ()
