"""Writes recalled items as a block for a prompt: pure.

Retrieved text is data. Each item is one line whatever it holds, so it can neither close the block nor
open another one, and no character of it is invisible.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from graphmem.recall.results import Recalled

HEADER = "=== MEMORY CONTEXT FOR RESPONSE ==="
STRATEGY = "default"
"""Hybrid recall over everything of the user: what is done where no routing rule applies."""

CHARACTERS_A_TOKEN = 4
"""ASCII characters that count as one token; any other character counts as one by itself.

An estimate without a tokeniser, rather too high than too low for Korean and code.
"""


@dataclass(frozen=True, slots=True)
class ContextBlock:
    """A prompt block and what stands in it."""

    text: str
    """The block; "" when nothing was recalled or nothing fits."""
    strategy: str
    items: tuple[Recalled, ...]
    """The items in the block, best first."""


def context_block(items: Iterable[Recalled], budget: int) -> ContextBlock:
    """The block of the best items that fit.

    Args:
        items: Best first.
        budget: Tokens of the whole block at most, by `tokens_of`; whole items are dropped from the end.
    """
    head = [HEADER, f"STRATEGY: {STRATEGY.upper()} MEMORY"]
    spent = sum(tokens_of(line) + 1 for line in head)
    lines: list[str] = []
    kept: list[Recalled] = []
    for item in items:
        line = f"MEMORY: {one_line(_dated(item))}"
        spent += tokens_of(line) + 1
        if spent > budget:
            break
        lines.append(line)
        kept.append(item)
    return ContextBlock("\n".join([*head, *lines]) if kept else "", STRATEGY, tuple(kept))


def tokens_of(text: str) -> int:
    """Estimated tokens of a text: see `CHARACTERS_A_TOKEN`."""
    ascii_characters = sum(character.isascii() for character in text)
    return math.ceil(ascii_characters / CHARACTERS_A_TOKEN) + len(text) - ascii_characters


def one_line(text: str) -> str:
    """A text as one line: breaks, controls and invisible formatting are written as escapes."""
    return "".join(_shown(character) for character in text)


def _dated(item: Recalled) -> str:
    return item.text if item.at is None else f"({item.at:%Y-%m-%d}) {item.text}"


_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _shown(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}:
        return f"\\u{ord(character):04x}"
    return character
