"""Two keys: the identity of a concept, and the label under which steps, tools and findings are counted.

A concept's key forgives how a name is written (case, width, brackets, a plural, Korean spacing); a
label's key keeps the word as given, since `order` and `orders` may be two tools. They meet through
one law: `canonical_key(label_key(name)) == canonical_key(name)`, so the concept of a step, tool or
finding is the one whose key is the canonical key of its label. The law does not hold for the names
in `_ACRONYMS`, and the two keys differ where a name is in brackets or plural or holds a Korean blank.

Neither key depends on the sentence: articles and Korean particles are taken off where a mention is
cut out of its text, never here (the key of 가나 is 가나). Capitals say nothing about plurals either:
a key must be its own key, and it holds no capitals.
"""

from __future__ import annotations

import re
from functools import lru_cache

from graphmem.graph.folding import fold, visible
from graphmem.graph.plurals import singular

_OPENING = "([{<«‹“„「『《〈【〔\"'`"
_CLOSING = ")]}>»›””」』》〉】〕\"'`"
_PAIRS = dict(zip(_OPENING, _CLOSING, strict=True))
_PUNCTUATION = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "‐": "-"})
_COMPANY = re.compile(r"^\((?:주|유|재|사)\)|\((?:주|유|재|사)\)$")
"""㈜ and its kin in front of or behind a company's name, as NFKC writes them."""

_LONGEST_WRAPPED = 500
"""Characters of a name that may be unwrapped; deep nests of brackets would cost the square of it."""

_ACRONYMS = frozenset({"US", "IT", "WHO"})
"""Names that case folding would turn into pronouns; they keep their capitals."""

_PLURAL_NAMES = frozenset({"united states"})
"""Names whose last word is a plural that has a singular of its own in other names."""

_HANGUL = re.compile("[\uac00-\ud7a3\u1100-\u11ff]+(?: [\uac00-\ud7a3\u1100-\u11ff]+)*")


def canonical_key(text: str, *, proper: bool | None = None) -> str | None:
    """The key under which a concept is one, however its name is written.

    NFKC, invisible characters dropped, paired brackets and quotes around the whole unwrapped, case
    folded, NFKC again; the last word singular; blanks removed where all is Hangul. Names that hold
    `_` or `=` and last words that are not plain letters keep their ending.

    Args:
        text: The name, without its article or particles.
        proper: True for a proper name: its last word keeps its plural. None (not known) and False
            make it singular, a few well-known names aside.

    Returns:
        A key that is its own key (under the same `proper`), never empty; None for a blank name.
    """
    return _canonical(text, proper=bool(proper))


def label_key(name: str) -> str | None:
    """The key under which equal actions, tools and findings are counted.

    NFKC, invisible characters dropped, trimmed, case folded, inner white space one blank.

    Returns:
        A key that is its own key, never empty; None for a blank name.
    """
    while (folded := " ".join(fold(name).split())) != name:
        name = folded
    return name or None


@lru_cache(maxsize=1 << 13)
def _canonical(text: str, *, proper: bool) -> str | None:
    while (key := _simpler(text, proper=proper)) != text:
        text = key
    return text or None


def _simpler(text: str, *, proper: bool) -> str:
    """One round; rounds end because each takes something away."""
    name = " ".join(visible(text).translate(_PUNCTUATION).split())
    name = _unwrapped(name)
    name = _COMPANY.sub("", name).strip() or name
    if name in _ACRONYMS:
        return name
    name = fold(name)
    if _HANGUL.fullmatch(name):
        return name.replace(" ", "")
    return name if proper else _with_last_word_singular(name)


def _unwrapped(name: str) -> str:
    if len(name) > _LONGEST_WRAPPED:
        return name
    while len(name) > 2 and _PAIRS.get(name[0]) == name[-1] and _encloses_all(name) and name[1:-1].strip():
        name = name[1:-1].strip()
    return name


def _encloses_all(name: str) -> bool:
    """Whether the first character's partner is the last one: not so in (a) and (b)."""
    first, last = name[0], name[-1]
    if first == last:
        return first not in name[1:-1]
    depth = 0
    for position, character in enumerate(name):
        depth += (character == first) - (character == last)
        if depth == 0:
            return position == len(name) - 1
    return False


def _with_last_word_singular(name: str) -> str:
    if "_" in name or "=" in name or name in _PLURAL_NAMES:
        return name
    start, blank, last = name.rpartition(" ")
    return start + blank + singular(last)
