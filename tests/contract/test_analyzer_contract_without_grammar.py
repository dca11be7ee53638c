from __future__ import annotations

import pytest

from graphmem.ports.text_analyzer import TextAnalyzer
from graphmem.testing.analyzers import AnalyzerContract
from graphmem.text.multilingual import MultilingualAnalyzer
from graphmem.text.plain import PlainAnalyzer


class TestPlain(AnalyzerContract):
    @pytest.fixture
    def analyzer(self) -> TextAnalyzer:
        return PlainAnalyzer()


class TestMultilingual(AnalyzerContract):
    @pytest.fixture
    def analyzer(self) -> TextAnalyzer:
        return MultilingualAnalyzer([PlainAnalyzer(), PlainAnalyzer()])
