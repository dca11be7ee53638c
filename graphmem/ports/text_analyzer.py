"""Cuts text into sentences and words: the port of all language analyzers.

Rules over a text see these values alone, never the library that made them. An analyzer that knows no grammar
gives sentences without tokens, and rules over the surface apply.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Token:
    """A word, or in Korean a morpheme, of a sentence."""

    text: str
    lemma: str
    pos: str
    """Universal part of speech (NOUN, PROPN, VERB, ...); empty where the analyzer has none."""
    tag: str
    """The tag of the language's own set: Penn Treebank for English, Sejong for Korean."""
    dep: str
    """The dependency that ties it to its head, by ClearNLP's names; empty where nothing is parsed."""
    head: int
    """Place of its head in the sentence's tokens; its own place at the root, and where nothing is parsed."""
    start: int
    """Offset of its first character in the sentence's text."""
    end: int
    """Offset behind its last character."""
    entity: str = ""
    """Kind of the named entity it is part of; empty where there is none, or none was looked for."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a text."""

    text: str
    """As written."""
    start: int
    """Offset of its first character in the text."""
    language: str
    """`en`, `ko`, or empty where it can't be told."""
    tokens: tuple[Token, ...] = ()
    """In order; empty where the analyzer does not cut sentences of this language into words."""


class TextAnalyzer(Protocol):
    """A language analyzer. Safe to use from several threads; the same text always gives the same sentences."""

    @property
    def name(self) -> str:
        """Stable name, such as `spacy` or `plain`."""
        ...

    @property
    def languages(self) -> frozenset[str]:
        """Languages whose sentences get tokens; known without loading a model."""
        ...

    def analyze(self, texts: Sequence[str]) -> list[tuple[Sentence, ...]]:
        """The sentences of each text, in order.

        Any text is allowed, an empty one has no sentence. Memory does not grow with what was analyzed before.

        Args:
            texts: Any number of texts.

        Returns:
            One tuple a text; the sentences of a text do not overlap.
        """
        ...
