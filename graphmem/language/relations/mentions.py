"""The concepts that a sentence mentions: pure.

Names are seen by how they are written in every sentence. Nouns come from the parse or the morphemes where there
are any, else from stop words and particles. Mentions may overlap: a run of nouns holds an identifier.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.language.extraction import ConceptMention
from graphmem.language.relations.english_runs import english_runs
from graphmem.language.relations.korean_runs import korean_runs
from graphmem.language.relations.names import written_names
from graphmem.language.relations.naming import named
from graphmem.ports.text_analyzer import Sentence

_RUNS = {"en": english_runs, "ko": korean_runs}


def mentions_of(sentence: Sentence) -> Iterator[ConceptMention]:
    """The concepts that a sentence mentions, in no fixed order; one may lie within another."""
    for span in written_names(sentence.text):
        yield named(sentence, *span)
    runs = _RUNS.get(sentence.language)
    if runs is not None and not sentence.tokens:
        for span in runs(sentence.text):
            yield named(sentence, *span)
