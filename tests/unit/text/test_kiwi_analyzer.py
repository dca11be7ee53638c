from __future__ import annotations

import sys
import unicodedata
from importlib.util import find_spec

import pytest

from graphmem.errors import ModelError
from graphmem.text.kiwi import LONGEST_SENTENCE, KiwiAnalyzer

installed = pytest.mark.skipif(find_spec("kiwipiepy") is None, reason="kiwi is not installed: graphmem[kiwi]")


def test_without_the_extra_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kiwipiepy", None)
    with pytest.raises(ModelError, match=r"graphmem\[kiwi\]"):
        KiwiAnalyzer().analyze(["홍수가 다리를 무너뜨렸다."])


def test_english_alone_needs_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kiwipiepy", None)
    assert KiwiAnalyzer().analyze(["The flood destroyed the bridges."])[0][0].tokens == ()


@installed
class TestMorphemes:
    analyzer = KiwiAnalyzer()

    def test_a_sentence_is_a_row_of_morphemes_with_their_tags(self) -> None:
        (sentence,) = self.analyzer.analyze(["모기는 말라리아를 일으킨다."])[0]
        assert [(found.text, found.lemma, found.pos, found.tag) for found in sentence.tokens] == [
            ("모기", "모기", "NOUN", "NNG"),
            ("는", "는", "ADP", "JX"),
            ("말라리아", "말라리아", "NOUN", "NNG"),
            ("를", "를", "ADP", "JKO"),
            ("일으키", "일으키다", "VERB", "VV"),
            ("ᆫ다", "ᆫ다", "PART", "EF"),
            (".", ".", "PUNCT", "SF"),
        ]

    @pytest.mark.parametrize("text", ["🎉 각설탕은 설탕이다.", "할머니께서 Redis를 쓰셨어요!", "값이 올랐다 ㅋㅋ"])
    def test_decomposed_text_has_the_same_morphemes_at_its_own_offsets(self, text: str) -> None:
        (composed,) = self.analyzer.analyze([text])[0]
        (decomposed,) = self.analyzer.analyze([unicodedata.normalize("NFD", text)])[0]
        assert len(decomposed.text) > len(composed.text)
        assert [(found.text, found.tag) for found in decomposed.tokens] == [
            (found.text, found.tag) for found in composed.tokens
        ]
        for there, here in zip(decomposed.tokens, composed.tokens, strict=True):
            written = unicodedata.normalize("NFC", decomposed.text[there.start : there.end])
            assert written == composed.text[here.start : here.end]

    def test_nouns_lie_where_they_are_written(self) -> None:
        (sentence,) = self.analyzer.analyze(["🎉👩‍👩‍👧 서울(Seoul)에서 회의를 했다."])[0]
        for found in sentence.tokens:
            if found.tag in {"NNG", "NNP", "SL"}:
                assert sentence.text[found.start : found.end] == found.text

    def test_a_lone_ending_lies_in_its_sentence(self) -> None:
        (sentence,) = self.analyzer.analyze(["ᆫ다"])[0]
        assert sentence.tokens
        assert all(0 <= found.start < found.end <= len(sentence.text) for found in sentence.tokens)

    def test_what_no_reader_would_read_is_not_cut_up(self) -> None:
        (sentence,) = self.analyzer.analyze(["가나 " * LONGEST_SENTENCE])[0]
        assert sentence.language == "ko"
        assert sentence.tokens == ()
