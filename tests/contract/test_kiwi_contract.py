from __future__ import annotations

from importlib.util import find_spec

import pytest

from graphmem.ports.text_analyzer import TextAnalyzer
from graphmem.testing.analyzers import AnalyzerContract
from graphmem.text.kiwi import KiwiAnalyzer


@pytest.mark.skipif(find_spec("kiwipiepy") is None, reason="kiwi is not installed: graphmem[kiwi]")
class TestKiwi(AnalyzerContract):
    loaded_once = KiwiAnalyzer()

    @pytest.fixture
    def analyzer(self) -> TextAnalyzer:
        return self.loaded_once
