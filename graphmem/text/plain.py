"""The analyzer that is always there: sentences and their language, no words. Needs no package and no model."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.ports.text_analyzer import Sentence
from graphmem.text.segments import segments


class PlainAnalyzer:
    """Cuts texts into sentences by their marks and tells the language by script and function words."""

    name = "plain"
    languages: frozenset[str] = frozenset()

    def analyze(self, texts: Sequence[str]) -> list[tuple[Sentence, ...]]:
        """The sentences of each text; see the port."""
        return [tuple(segments(text)) for text in texts]
