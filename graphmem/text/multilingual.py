"""Several analyzers as one: each sentence gets its tokens from the one that knows its language."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.ports.text_analyzer import Sentence, TextAnalyzer


class MultilingualAnalyzer:
    """Analyzers that cut a text into the same sentences, each with tokens for its own languages."""

    def __init__(self, analyzers: Sequence[TextAnalyzer]) -> None:
        """Join analyzers.

        Args:
            analyzers: At least one; where two know a language, the first one's tokens are taken.
        """
        self._analyzers = tuple(analyzers)
        self.name = "+".join(analyzer.name for analyzer in self._analyzers)
        self.languages = frozenset().union(*(analyzer.languages for analyzer in self._analyzers))

    def analyze(self, texts: Sequence[str]) -> list[tuple[Sentence, ...]]:
        """The sentences of each text; see the port.

        Raises:
            ModelError: A package that one of the analyzers stands on is not installed.
        """
        answers = [analyzer.analyze(texts) for analyzer in self._analyzers]
        return [tuple(map(_richest, zip(*versions, strict=True))) for versions in zip(*answers, strict=True)]


def _richest(versions: tuple[Sentence, ...]) -> Sentence:
    """The first version of a sentence that has tokens."""
    return next((version for version in versions if version.tokens), versions[0])
