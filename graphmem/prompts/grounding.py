"""Checks a quote against what was really said: pure.

A model may invent, or obey a text that tells it to. What it claims of the world counts only with words of
the conversation that say so.
"""

from __future__ import annotations

from collections.abc import Iterable

from graphmem.prompts.fencing import shown
from graphmem.prompts.transcript import Turn

MIN_QUOTE_CHARACTERS = 2
"""Letters and digits of a quote: less stands in any text."""


class Sayings:
    """What was said, ready to be searched for quotes."""

    def __init__(self, turns: Iterable[Turn]) -> None:
        self._texts = [folded(turn.text) for turn in turns]

    def holds(self, quote: str) -> bool:
        """Whether one turn's text has these words: verbatim, but for line breaks, blanks and NFD.

        Names of speakers and the program's own numbers are no part of what was said, and a quote does not
        reach from one turn into the next.
        """
        words = folded(quote)
        if sum(character.isalnum() for character in words) < MIN_QUOTE_CHARACTERS:
            return False
        return any(words in text for text in self._texts)


def folded(text: str) -> str:
    """A text as prompts show it, each run of white space as one blank."""
    return " ".join(shown(text).split())
