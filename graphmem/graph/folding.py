"""Brings spelling variants of a text to one form; what is left out here is any knowledge of words.

Search tokens and keys both build on these two functions, so text that looks alike is found alike:
composed and decomposed Hangul, full-width letters, ligatures, zero-width characters, case.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_IGNORABLE = frozenset(
    [
        0x034F,
        0x115F,
        0x1160,
        0x17B4,
        0x17B5,
        0x2800,
        0x3164,
        0xFFA0,
        *range(0x180B, 0x1810),
        *range(0xFE00, 0xFE10),
    ]
)
"""Blank to the eye though Unicode files them as letters, marks or symbols: fillers, selectors."""

_IGNORABLE_PLANE = range(0xE0000, 0xE1000)
"""Tags and variation selectors beyond the basic plane."""


@lru_cache(maxsize=4096)
def _is_invisible(character: str) -> bool:
    if character.isspace():
        return False
    code = ord(character)
    # Cs as well: a lone surrogate cannot be stored as UTF-8
    return unicodedata.category(character) in {"Cc", "Cf", "Cs"} or code in _IGNORABLE or code in _IGNORABLE_PLANE


def visible(text: str) -> str:
    """NFKC without control, format, filler and surrogate characters; white space and case stay.

    Returns:
        A text that this function leaves as it is.
    """
    if text.isascii() and text.isprintable():
        return text
    while True:
        shown = "".join([c for c in unicodedata.normalize("NFKC", text) if not _is_invisible(c)])
        if shown == text:
            return text
        # a dropped joiner may have kept two characters from composing
        text = shown


def fold(text: str) -> str:
    """`visible` and without case (ß is ss, İ is i with a dot above).

    Returns:
        A text that this function leaves as it is.
    """
    if text.isascii() and text.isprintable():
        return text.lower()
    while True:
        folded = visible(text).casefold()
        if folded == text:
            return text
        # case folding can undo a composition, and a composition can bring a capital back
        text = folded
