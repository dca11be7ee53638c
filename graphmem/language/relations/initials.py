"""Whether a short form stands for a name by its letters: pure, no dictionary, no similarity.

A form that fails here may still be an abbreviation; nothing is accepted that only looks alike.
"""

from __future__ import annotations

import re
import unicodedata

from graphmem.graph.folding import visible

MAX_LETTERS = 10
"""Letters of an abbreviation at most; longer ones are words."""

MAX_WORDS = 12
"""Words of a name that is abbreviated, at most."""

_SHORT = re.compile(r"[^\W_](?:[^\W_]|[&./-])*")
_JOINING_WORDS = "a an and at by da de del der des di du el en et for in la le les of on or the to van von with y"
_JOINING = frozenset(_JOINING_WORDS.split())
"""Words inside a name that need not give a letter."""

_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|&")
_HANGUL = re.compile("[\uac00-\ud7a3]+")
_TURNED = {"x": "ex", "2": "to", "4": "for"}
"""Letters that stand for the beginning of a word by its sound."""


def looks_short(text: str) -> bool:
    """Whether a text has the form of a Latin abbreviation: `NYC`, `R&D`, `U.S.`, `LLMs`, `PhD`."""
    shown = visible(text)
    if _SHORT.fullmatch(shown) is None or not shown.isascii():
        return False
    letters = [character for character in shown if character.isalnum()]
    capitals = sum(character.isupper() for character in letters)
    return 2 <= len(letters) <= MAX_LETTERS and capitals >= 2 and 2 * capitals >= len(letters)


def abbreviates(short: str, name: str) -> bool:
    """Whether a short form is made of the beginnings of a name's words, in order.

    Latin: every word but `of`, `the` and the like gives its first letter, and may give further ones behind
    it (`DNA` of deoxyribonucleic acid). A plural s is passed over. Korean: syllables in order, the first one
    first, at least one of them left out in between (한전 of 한국전력), so that no mere beginning passes.

    >>> abbreviates("NYC", "New York City"), abbreviates("NYC", "Los Angeles"), abbreviates("한전", "한국전력")
    (True, False, True)
    """
    short, name = visible(short).strip(), visible(name).strip()
    if _HANGUL.fullmatch(short):
        return _shortens(short, "".join(name.split()))
    if not looks_short(short):
        return False
    words = _words(name)
    if not 0 < len(words) <= MAX_WORDS or " ".join(words) == _plain(short):
        return False
    letters = _letters(short)
    plural = short.endswith("s") and short[:-1].isupper() and len(letters) > 2
    return _spells(letters, words) or (plural and _spells(letters[:-1], words))


def _words(name: str) -> list[str]:
    return [_plain("and" if word == "&" else word) for word in _WORDS.findall(name)]


def _plain(text: str) -> str:
    """Lower case without accents: they are left out of abbreviations."""
    return "".join(c for c in unicodedata.normalize("NFD", text.casefold()) if unicodedata.category(c) != "Mn")


def _letters(short: str) -> str:
    return "".join("a" if c == "&" else c for c in _plain(short) if c.isalnum() or c == "&")


def _spells(letters: str, words: list[str]) -> bool:
    """Whether the words can give the letters: place of the next letter that is open after each word."""
    reached = {0}
    for number, word in enumerate(words):
        after = {end for start in reached for end in _ends(letters, start, word)}
        reached = after | reached if word in _JOINING and number else after
    return len(letters) in reached


def _ends(letters: str, start: int, word: str) -> set[int]:
    """Where a word that begins at a letter can end: after its first letter, and further ones in order."""
    if start >= len(letters):
        return set()
    turned = _TURNED.get(letters[start])
    if word[0] != letters[start] and (turned is None or not word.startswith(turned)):
        return set()
    found, place, rest = {start + 1}, start + 1, word[1:]
    while place < len(letters) and letters[place] in rest:
        rest = rest[rest.index(letters[place]) + 1 :]
        place += 1
        found.add(place)
    return found


def _shortens(short: str, name: str) -> bool:
    if not 2 <= len(short) < len(name) or _HANGUL.fullmatch(name) is None or name[0] != short[0]:
        return False
    rest = iter(name)
    return all(syllable in rest for syllable in short) and not name.startswith(short)
