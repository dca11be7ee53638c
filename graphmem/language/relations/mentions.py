"""The concepts that a sentence mentions: pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphmem.language.extraction import ConceptMention
from graphmem.language.relations.naming import named
from graphmem.ports.text_analyzer import Sentence

_IDENTIFIER = re.compile(
    r"(?<![\w./@-])(?:[A-Za-z]\w*(?:_\w+)+|[A-Z]?[a-z0-9]+(?:[A-Z][a-z0-9]+)+|[A-Z]{2,}-?\d+)(?![\w/@-])"
)


def mentions_of(sentence: Sentence) -> Iterator[ConceptMention]:
    """The concepts that a sentence mentions, in no fixed order; one may lie within another."""
    for match in _IDENTIFIER.finditer(sentence.text):
        yield named(sentence, *match.span())
