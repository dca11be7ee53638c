"""The analyzer that is always there: sentences and their language, no words. Needs no package and no model."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.language.sentences import split_sentences
from graphmem.ports.text_analyzer import Sentence


class PlainAnalyzer:
    """Cuts texts into sentences by their marks and tells the language by script and function words."""

    @property
    def name(self) -> str:
        """Stable name."""
        return "plain"

    @property
    def languages(self) -> frozenset[str]:
        """None: it cuts no sentence into words."""
        return frozenset()

    def analyze(self, texts: Sequence[str]) -> list[tuple[Sentence, ...]]:
        """The sentences of each text; see the port."""
        return [plain_sentences(text) for text in texts]


def plain_sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text without tokens, with the language of each."""
    return tuple(
        Sentence(found.text, found.start, "" if found.language == "other" else found.language)
        for found in split_sentences(text)
    )
