"""Runs of nouns in Korean sentences without morphemes: pure.

Left out: names that neither a particle nor a mark follows, unless a copula does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graphmem.language.relations.korean_words import KoreanWord, korean_words, phrase_start

Span = tuple[int, int]

_ENDS_A_NAME = re.compile(r"\s?(?:[,·()&/\"'”’」』》>:]|(?:그리고|및|또는|등)(?![가-힣]))")
"""Marks behind which a bare run of nouns ends."""


def korean_runs(text: str) -> Iterator[Span]:
    """Where noun phrases are: a run of nouns across blanks, then each of its words where there are several."""
    words = korean_words(text)
    for place, word in enumerate(words):
        if word.is_noun or (word.may_modify and _ENDS_A_NAME.match(text, word.end)):
            yield from _spans(words[phrase_start(words, place) : place + 1])


def _spans(run: Sequence[KoreanWord]) -> Iterator[Span]:
    yield run[0].start, run[-1].stem_end
    if len(run) > 1:
        yield from ((word.start, word.stem_end) for word in run)
