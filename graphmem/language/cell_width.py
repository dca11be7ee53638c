"""How much room text takes: columns of a terminal, units of a drawing. Pure."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_JOINERS = "\u200c\u200d"


def cell_width(text: str) -> int:
    """Columns that text takes: Hangul and other wide characters take two, marks none."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


@lru_cache(maxsize=4096)
def _columns(character: str) -> int:
    # a syllable written as single jamo takes the place of its first one
    if unicodedata.combining(character) or character in _JOINERS or "\u1160" <= character <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
