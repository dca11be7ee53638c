"""Whether a reply is written in the language that was asked for: pure, by its script alone."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from graphmem.ports.prompt_text import Language

_LEAST_HANGUL = 0.1
"""Share of Hangul among the letters of a Korean reply: talk about code is full of Latin names."""

_LEAST_LATIN = 0.5
"""Share of Latin letters in an English reply."""


def is_written_in(text: str, language: Language) -> bool:
    """Whether the script of a text is that of a language: names and code of another one are no objection.

    Args:
        text: A sentence or more; without letters it is written in none.
        language: The language that was asked for.
    """
    if language == "ko":
        return _share(text, _is_hangul) >= _LEAST_HANGUL
    return _share(text, _is_latin) >= _LEAST_LATIN


def _share(text: str, belongs: Callable[[str], bool]) -> float:
    letters = [c for c in unicodedata.normalize("NFC", text) if unicodedata.category(c)[0] == "L"]
    return sum(map(belongs, letters)) / len(letters) if letters else 0.0


def _is_hangul(letter: str) -> bool:
    return "\uac00" <= letter <= "\ud7a3" or "\u3131" <= letter <= "\u318e"


def _is_latin(letter: str) -> bool:
    return letter < "\u0250" or "\u1e00" <= letter <= "\u1eff"
