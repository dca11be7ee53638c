"""By what two names could be one: pure. Likeness of vectors is no such thing."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from graphmem.graph.folding import fold
from graphmem.language.relations.initials import MAX_WORDS, abbreviates, looks_short

_APART = re.compile(r"[\s\-‐‑–_.·ㆍ'’]+")
_WORDS = re.compile(r"[^\W_]+")

_SKIPPED = frozenset(("a", "an", "and", "at", "for", "in", "of", "on", "or", "the", "to"))
"""Words that may give no letter to an abbreviation."""

MOST_ALIKE = 50
"""Names of one skeleton that are paired; more of them are a pattern of names, not spellings of one."""


def skeleton(name: str) -> str:
    """A name without what writers leave out or put in: blanks, hyphens, points, accents of Latin letters.

    >>> skeleton("E-Mail"), skeleton("Café"), skeleton("데이터 베이스")
    ('email', 'cafe', '데이터베이스')
    """
    bare = _APART.sub("", fold(name))
    if not all(unicodedata.name(c, "").startswith("LATIN") for c in bare if c.isalpha()):
        return bare
    parts = unicodedata.normalize("NFD", bare)
    return "".join(c for c in parts if not unicodedata.combining(c))


def spellings(names: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of names (by place) that are spellings of one: equal but for what writers leave out.

    Names with digits or signs that carry a meaning (C, C++, C#) differ in them, so they are never paired.
    """
    groups: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(names):
        bare = skeleton(name)
        if len(bare) > 2:
            groups[bare].append(place)
    for places in groups.values():
        if len(places) <= MOST_ALIKE:
            yield from combinations(places, 2)


def abbreviations(names: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of names (by place): a short form and a name whose words it begins, letter by letter."""
    shorts: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(names):
        if looks_short(name):
            shorts[_letters(name)].append(place)
    if not shorts:
        return
    for place, name in enumerate(names):
        words = [word for word in _WORDS.findall(fold(name)) if word]
        if not 1 < len(words) <= MAX_WORDS:
            continue
        for letters in dict.fromkeys(_initials(words)):
            for short in shorts.get(letters, ()):
                if short != place and abbreviates(names[short], name):
                    yield short, place


def _initials(words: Iterable[str]) -> tuple[str, str]:
    listed = list(words)
    return (
        "".join(word[0] for word in listed),
        "".join(word[0] for word in listed if word not in _SKIPPED),
    )


def _letters(short: str) -> str:
    return "".join("a" if c == "&" else c for c in fold(short) if c.isalnum() or c == "&")
