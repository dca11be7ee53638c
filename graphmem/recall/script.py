"""How much of a text is written without blanks between words, or with particles on them: pure."""

from __future__ import annotations

import unicodedata

from graphmem.recall.recipes import Weights

_UNSPACED = (
    *(range(0x0E00, 0x0F00), range(0x1000, 0x10A0), range(0x1780, 0x1800)),
    *(range(0x1100, 0x1200), range(0x3040, 0x3190), range(0xA960, 0xA980), range(0xAC00, 0xD800)),
    *(range(0x3400, 0xA000), range(0xF900, 0xFB00), range(0x20000, 0x32400)),
)
"""Thai, Lao, Burmese, Khmer; Hangul, kana; Han."""

_SAMPLE = 2000
"""Characters that decide: a text does not change its language every page."""


def unspaced_share(text: str) -> float:
    """Share of the letters that belong to such a script, 0 to 1; 0 for a text without letters."""
    letters = [
        ord(character)
        for character in unicodedata.normalize("NFC", text[:_SAMPLE])
        if unicodedata.category(character)[0] == "L"
    ]
    if not letters:
        return 0.0
    return sum(any(letter in block for block in _UNSPACED) for letter in letters) / len(letters)


def blended(spaced: Weights, unspaced: Weights, share: float) -> Weights:
    """The weights for a query of which a share is in an unspaced script, 0 to 1."""
    return Weights(
        lexical=_between(spaced.lexical, unspaced.lexical, share),
        similarity=_between(spaced.similarity, unspaced.similarity, share),
    )


def _between(low: float, high: float, share: float) -> float:
    return low + (high - low) * share
