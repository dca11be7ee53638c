"""Text that goes into a prompt: its size, its language, and retrieved text made harmless. Pure.

Retrieved text is data. What a block quotes is one line whatever it holds, so it can neither close the
block nor open another one, and no character of it is invisible.
"""

from __future__ import annotations

import math
import re
import unicodedata
from typing import Literal

from graphmem.errors import InvalidInputError

Language = Literal["ko", "en"]

CHARACTERS_A_TOKEN = 4
"""ASCII characters that count as one token; any other character counts as one by itself.

An estimate without a tokeniser, rather too high than too low for Korean and code.
"""


def tokens_of(text: str) -> int:
    """Estimated tokens of a text: see `CHARACTERS_A_TOKEN`."""
    ascii_characters = sum(character.isascii() for character in text)
    return math.ceil(ascii_characters / CHARACTERS_A_TOKEN) + len(text) - ascii_characters


def check_budget(budget: int) -> int:
    """A number of tokens that a block may take.

    Raises:
        InvalidInputError: It is negative, or no whole number.
    """
    if not isinstance(budget, int) or budget < 0:
        raise InvalidInputError(f"budget is {budget!r}; it can be 0 or more tokens")
    return budget


def one_line(text: str) -> str:
    """A text as one line: breaks, controls and invisible formatting are written as escapes."""
    return "".join(_shown(character) for character in text)


_MARKERS = re.compile(
    r"<(?=<<|\|)|<(?=/?s>|/?INST>|<?/?SYS>>|(?:start|end)_of_turn>)|\[(?=/?INST\])", re.IGNORECASE
)
"""Begins of the marker lines of a fence, and of the tokens by which chat templates tell roles apart."""


def unmarked(text: str) -> str:
    """A text in which no marker of a fence or of a chat template is left: a backslash stands within each."""
    return _MARKERS.sub(lambda match: f"{match[0]}\\", text)


_BRACKETED = re.compile(r"([\[［])([^\[\]［］]*)([\]］])")
"""Text in square brackets, as headings of blocks are, full-width brackets included."""


def quoted(text: str) -> str:
    r"""A text as one line in which nothing reads as a heading of a block, or as a marker of a chat template.

    Blanks around it go. A bracket that begins the text and brackets that hold more than one word get a
    backslash: `[Past successes]` becomes `\[Past successes\]`, while `list[0]` stays.
    """
    line = _BRACKETED.sub(_escaped, unmarked(one_line(text.strip())))
    return f"\\{line}" if line.startswith(("[", "［")) else line


def _escaped(found: re.Match[str]) -> str:
    opening, held, closing = found.groups()
    if found.start() == 0 or re.search(r"\s", held.strip()):
        return f"\\{opening}{held}\\{closing}"
    return found[0]


_LANGUAGES: tuple[Language, ...] = ("ko", "en")

_WORD = re.compile(r"[^\W\d_]+")
_HANGUL = re.compile("[가-힣ㄱ-ㆎ\u1100-\u11ff]")

_LEAST_KOREAN = 1 / 3
"""Share of words with Hangul from which a text is Korean: technical Korean is full of English names."""


def language_of(text: str) -> Language:
    """The language in which a text is answered: Korean where a third of its words hold Hangul, else English."""
    if text.isascii():
        return "en"
    words = _WORD.findall(unicodedata.normalize("NFC", text))
    korean = sum(_HANGUL.search(word) is not None for word in words)
    return "ko" if words and korean / len(words) >= _LEAST_KOREAN else "en"


def chosen_language(language: str | None, text: str) -> Language:
    """The language that was asked for, else that of a text.

    Raises:
        InvalidInputError: There is no such language.
    """
    if language is None:
        return language_of(text)
    for known in _LANGUAGES:
        if language == known:
            return known
    raise InvalidInputError(f"language {language!r} is not one of {', '.join(_LANGUAGES)}")


_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0d\U000e0100-\U000e01ef]")
"""Fillers, and selectors of variants other than text or emoji: letters and marks that nobody sees."""


def _shown(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if unicodedata.category(character) in _UNSEEN or _BLANK.match(character):
        return f"\\u{ord(character):04x}"
    return character
