"""Checks a quote against what was really said: pure.

A model may invent, or obey a text that tells it to. What it claims of the world counts only with words of
the conversation that say so.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import AfterValidator

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


MAX_QUOTE = 500
"""Characters of a quote: enough for a sentence or two."""


def _quote(text: str) -> str:
    quote = folded(text)
    if len(quote) > MAX_QUOTE:
        raise ValueError(f"it has {len(quote):,} characters, more than {MAX_QUOTE}")
    return quote


Quote = Annotated[str, AfterValidator(_quote)]
"""Words of a text in a reply, as prompts show them."""
