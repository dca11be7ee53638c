"""The contract of a language analyzer as tests: inherit, and give a fixture named `analyzer`.

::

    class TestMyAnalyzer(AnalyzerContract):
        @pytest.fixture
        def analyzer(self) -> TextAnalyzer:
            return MyAnalyzer()
"""

from __future__ import annotations

import unicodedata
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem.ports.text_analyzer import Sentence, TextAnalyzer

ENGLISH = "The flood destroyed the bridges. Smoking causes cancer, and nobody doubts it."
KOREAN = "홍수가 다리를 무너뜨렸다. 흡연은 암을 유발한다."
TEXTS = [
    ENGLISH,
    KOREAN,
    f"{ENGLISH} {KOREAN}",
    "API 호출이 두 번 실패했습니다 (retry=2). The pool was exhausted.",
]
ODD_TEXTS = [
    "",
    " ",
    "\n\t",
    "\x00",
    "\ud800",
    "The \ud800 dog \udc00 barks.",
    "\u200b",
    "The\u200b dog  \t barks  .  ",
    "!!!",
    "...",
    "🎉🎉 The party 🎉 ended.",
    "👩‍👩‍👧 e\u0301 x\u0301\u0301",
    "가" * 3_000,
    "word " * 3_000,
    "x" * 20_000,
    "İ ﬁ ① ㎏ ½",
]


class AnalyzerContract:
    """What graphmem expects of every language analyzer."""

    def test_it_says_what_it_is_and_what_it_knows(self, analyzer: TextAnalyzer) -> None:
        assert analyzer.name.strip()
        assert analyzer.name == analyzer.name
        assert analyzer.languages <= {"en", "ko"}

    def test_each_text_has_its_sentences_in_order(self, analyzer: TextAnalyzer) -> None:
        found = analyzer.analyze([ENGLISH, "", KOREAN])
        assert [len(sentences) for sentences in found] == [2, 0, 2]
        assert found[0][0].text == "The flood destroyed the bridges."
        assert found[2][0].text == "홍수가 다리를 무너뜨렸다."

    def test_no_texts_give_nothing(self, analyzer: TextAnalyzer) -> None:
        assert analyzer.analyze([]) == []

    def test_each_sentence_has_a_language_of_its_own(self, analyzer: TextAnalyzer) -> None:
        sentences = analyzer.analyze([f"{ENGLISH} {KOREAN}"])[0]
        assert [sentence.language for sentence in sentences] == ["en", "en", "ko", "ko"]
        assert [sentence.language for sentence in analyzer.analyze(["12 + 3"])[0]] == [""]

    def test_decomposed_korean_is_korean(self, analyzer: TextAnalyzer) -> None:
        sentences = analyzer.analyze([unicodedata.normalize("NFD", KOREAN)])[0]
        assert [sentence.language for sentence in sentences] == ["ko", "ko"]

    def test_only_sentences_of_known_languages_have_tokens(self, analyzer: TextAnalyzer) -> None:
        for sentence in analyzer.analyze([f"{ENGLISH} {KOREAN}"])[0]:
            assert bool(sentence.tokens) == (sentence.language in analyzer.languages)

    @pytest.mark.parametrize("text", TEXTS + ODD_TEXTS)
    def test_sentences_and_tokens_lie_in_their_text(self, analyzer: TextAnalyzer, text: str) -> None:
        _check(text, analyzer.analyze([text])[0])

    @settings(
        deadline=None,
        max_examples=30,
        suppress_health_check=[
            HealthCheck.function_scoped_fixture,
            HealthCheck.differing_executors,
            HealthCheck.too_slow,
        ],
    )
    @given(st.text(max_size=60) | st.text(" .,!?\n\"'()aA가나은는은1é\u0301\u1100\u1161", max_size=40))
    def test_any_text_is_cut_within_its_bounds(self, analyzer: TextAnalyzer, text: str) -> None:
        _check(text, analyzer.analyze([text])[0])

    def test_the_same_text_gives_the_same_sentences_alone_and_in_a_batch(self, analyzer: TextAnalyzer) -> None:
        together = analyzer.analyze([*TEXTS, *ODD_TEXTS, *TEXTS])
        assert together[: len(TEXTS)] == together[-len(TEXTS) :]
        assert together[: len(TEXTS)] == [analyzer.analyze([text])[0] for text in TEXTS]

    def test_threads_get_the_same_sentences(self, analyzer: TextAnalyzer) -> None:
        expected = analyzer.analyze(TEXTS)
        with ThreadPoolExecutor(4) as threads:
            for found in threads.map(analyzer.analyze, [TEXTS] * 8):
                assert found == expected


def _check(text: str, sentences: tuple[Sentence, ...]) -> None:
    assert bool(sentences) or not text.strip()
    for sentence in sentences:
        assert sentence.text.strip()
        assert text[sentence.start : sentence.start + len(sentence.text)] == sentence.text
        assert sentence.language in {"en", "ko", ""}
        _check_tokens(sentence)
    for first, second in pairwise(sentences):
        assert first.start + len(first.text) <= second.start


def _check_tokens(sentence: Sentence) -> None:
    for token in sentence.tokens:
        assert token.text
        assert 0 <= token.start <= token.end <= len(sentence.text)
        assert 0 <= token.head < len(sentence.tokens)
    for first, second in pairwise(sentence.tokens):
        assert first.start <= second.start
