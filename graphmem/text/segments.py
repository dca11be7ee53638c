"""Cuts texts into sentences without words, with their language: where all analyzers begin."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from graphmem.language.sentences import language_of, split_sentences
from graphmem.ports.text_analyzer import Sentence


def segments(text: str) -> Iterator[Sentence]:
    """The sentences of a text, in order, without tokens.

    A quotation or code has no say in the language of its sentence unless there is nothing else.

    Args:
        text: Any text, composed or decomposed.
    """
    for sentence in split_sentences(text):
        yield Sentence(sentence.text, sentence.start, _language(sentence.asserted) or _language(sentence.text))


def _language(text: str) -> str:
    found = language_of(text if text.isascii() else unicodedata.normalize("NFC", text))
    return "" if found == "other" else found
