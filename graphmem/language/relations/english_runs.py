"""Runs of nouns in English sentences that nobody parsed, told by the words around them: pure.

Each word becomes one letter for its class, and a run is a pattern of such letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from graphmem.language.relations.surface_words import (
    ADVERBS,
    DETERMINERS,
    EMPTY_NOUNS,
    MAYBE_VERBS,
    PREPOSITIONS,
    PRONOUNS,
    QUANTIFIERS,
    STOPS,
    WORD,
)

Span = tuple[int, int]

MAX_RUN = 4
"""Words of a run: what is longer holds a verb that the lists do not know."""

_SHORT = 5
"""Letters of words that end like a participle and are none: speed, ring."""

_CLASSES = {
    **dict.fromkeys(STOPS, "s"),
    **dict.fromkeys(PRONOUNS, "r"),
    **dict.fromkeys(ADVERBS, "a"),
    **dict.fromkeys(PREPOSITIONS, "p"),
    **dict.fromkeys(DETERMINERS | QUANTIFIERS, "d"),
    **dict.fromkeys(MAYBE_VERBS, "v"),
    **dict.fromkeys(EMPTY_NOUNS, "e"),
    **dict.fromkeys(("and", "or"), "j"),
}
"""Stop word, pronoun, adverb, preposition, what announces a noun, noun or verb, empty noun, joint."""

_RUN = re.compile(
    r"""(?: n | e
      | i(?=[nevig])                               # the failed job, but not: the job failed
      | g(?=[nevigx]|$) | (?<=d)g                   # a running job, the building; but not: jobs running in a cell
      | (?<=[dpxaj])v | ^v(?!d) | v(?![nevigdr])   # the cause, but not: rain causes floods
    )+""",
    re.VERBOSE,
)
"""n: any other word, i: one in -ed, g: one in -ing, x: a mark or a number."""

_BEHIND_SUBJECT = frozenset("sravig")
"""What stands behind a run that opens a clause when it is its subject."""


def english_runs(text: str) -> Iterator[Span]:
    """Where noun phrases are: behind an article, a preposition or a joined noun, or before a verb of the lists."""
    words = list(WORD.finditer(text))
    classes = "".join([_class_of(word[0]) for word in words])
    accepted = -1
    for run in _RUN.finditer(classes):
        begin, end = run.span()
        before = classes[begin - 1] if begin else "x"
        is_joined = before == "j" and accepted == begin - 1
        is_subject = before == "x" and classes[end : end + 1] in _BEHIND_SUBJECT
        if before not in "dp" and not is_joined and not is_subject:
            continue
        if end - begin > MAX_RUN or classes[end - 1] == "e" or words[end - 1].end() - words[begin].start() == 1:
            continue
        accepted = end
        yield words[begin].start(), words[end - 1].end()


@lru_cache(maxsize=1 << 14)
def _class_of(word: str) -> str:
    lower = word.lower()
    known = _CLASSES.get(lower)
    if known is not None:
        return known
    if not word[0].isalpha() and not any(map(str.isalpha, word)):
        return "x"
    if len(lower) <= _SHORT:
        return "n"
    return "i" if lower.endswith("ed") else "g" if lower.endswith("ing") else "n"
