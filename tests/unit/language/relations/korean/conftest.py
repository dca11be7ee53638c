from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

import pytest

from graphmem.language.extraction import ExtractedRelation, Genre
from graphmem.language.relations.korean import korean_relations
from graphmem.ports.text_analyzer import Sentence
from graphmem.text.kiwi import KiwiAnalyzer

Cut = Callable[[str], list[Sentence]]
Relate = Callable[..., list[ExtractedRelation]]


@pytest.fixture(scope="session")
def cut() -> Cut:
    """Sentences of a text with their morphemes."""
    if find_spec("kiwipiepy") is None:
        pytest.skip("kiwi is not installed: graphmem[kiwi]")
    analyzer = KiwiAnalyzer()
    return lambda text: list(analyzer.analyze([text])[0])


@pytest.fixture(scope="session")
def relate(cut: Cut) -> Relate:
    """All that the rules read in a text."""

    def relations(text: str, genre: Genre = "prose") -> list[ExtractedRelation]:
        return [one for sentence in cut(text) for one in korean_relations(sentence, genre)]

    return relations
