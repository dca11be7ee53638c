"""Text in composed characters, with where each of them is written: pure."""

from __future__ import annotations

import re
import unicodedata

Span = tuple[int, int]

_SURROGATE = re.compile("[\ud800-\udfff]")
_CLUSTER = re.compile("(?s:.)[\u1160-\u11ff\ud7b0-\ud7ff\u0300-\u036f\u3099\u309a]*")
"""A character with what may be composed with it; whatever else composes stays as written."""


def encodable(text: str) -> str:
    """The text with lone surrogates, which no parser can encode, replaced one for one."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def composed(text: str) -> tuple[str, list[Span]]:
    """The text in composed characters, lone surrogates replaced, and the span in which each of them is written."""
    readable = encodable(text)
    if unicodedata.is_normalized("NFC", readable):
        return readable, [(place, place + 1) for place in range(len(text))]
    characters: list[str] = []
    spans: list[Span] = []
    for cluster in _CLUSTER.finditer(readable):
        for character in unicodedata.normalize("NFC", cluster[0]):
            characters.append(character)
            spans.append(cluster.span())
    return "".join(characters), spans
