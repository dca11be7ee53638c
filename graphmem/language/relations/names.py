"""Names that are seen by how they are written: identifiers, what is in quotes, runs of capitalised words. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphmem.language.relations.surface_words import DETERMINERS, INTERJECTIONS, STOPS

Span = tuple[int, int]

_IDENTIFIER = re.compile(
    r"""(?<![\w./@\\-])(?:
        [A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+                          # snake_case
      | [A-Za-z][a-z0-9]*(?:[A-Z]+[a-z0-9]+)+[A-Z]*                     # camelCase, CamelCase
      | [A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?:\(\))?                        # dotted
      | [A-Z]{1,8}[-_]?\d{2,6}                                          # error codes
      | (?:HTTP|error|code|status)\s\d{3,5}
    )(?![\w@\\-])""",
    re.VERBOSE,
)
_MAY_IDENTIFY = re.compile(r"[a-z0-9A-Z](?:[_.][A-Za-z0-9]|(?<=[a-z0-9])[A-Z]|-?(?<=[A-Z-])[0-9])|[eEPs] [0-9]{3}")
"""What stands in every sentence with an identifier: quicker to look for."""
_ABBREVIATION = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]?")
"""e.g, U.S: letters with stops, which are no dotted identifier."""

_QUOTED = re.compile(
    r"\"([^\"\n]{1,60})\"|“([^”\n]{1,60})”|`([^`\n]{1,60})`|「([^」\n]{1,60})」|『([^』\n]{1,60})』|‘([^’\n]{1,60})’"
)
_QUOTED_WORDS = 4
"""Words of a name in quotes: more are a quotation."""

_CAPITALISED = re.compile(
    r"(?<![\w.'’-])[A-Z][\w'’&-]*(?:\.[A-Z]\.?)*"
    r"(?:[ ](?:(?:of|the|de|la|van|von|and|&)[ ]){0,2}(?:[A-Z][\w'’&-]*|\d{1,4}(?![\w.,])))*"
)
_NO_NAMES = STOPS | DETERMINERS | INTERJECTIONS
_APOSTROPHE = re.compile("['’`]")
_JOINED = re.compile(r"\s(?:and)\s")
_POSSESSIVE = re.compile(r"['’]s?$")
_TRAILING_ARTICLE = re.compile(r" (?:The|An?)$")
"""What belongs to the noun behind a label: ERROR The disk is full."""


def written_names(text: str) -> Iterator[Span]:
    """Where names are that their writing shows, in no fixed order; one may lie within another."""
    yield from identifiers(text)
    yield from _quoted(text)
    for match in _CAPITALISED.finditer(text):
        yield from _capitalised(text, *match.span())


def identifiers(text: str) -> Iterator[Span]:
    """Where names from code are: slow_query, NullPointerError, kube.apiserver, ORA-00600."""
    if not _MAY_IDENTIFY.search(text):
        return
    for match in _IDENTIFIER.finditer(text):
        if not _ABBREVIATION.fullmatch(match[0]):
            yield match.span()


def _quoted(text: str) -> Iterator[Span]:
    for match in _QUOTED.finditer(text):
        start, end = match.span(match.lastindex or 0)
        inside = text[start:end]
        name = inside.strip(" .,!?;:")
        if (
            any(map(str.isalnum, name))
            and len(name.split()) <= _QUOTED_WORDS
            and not inside.endswith(("!", "?", "."))
        ):
            first = start + inside.index(name)
            yield first, first + len(name)


def _capitalised(text: str, start: int, end: int) -> Iterator[Span]:
    """A run of capitalised words without the words that only begin the sentence; two names joined by `and`."""
    joined = _JOINED.search(text, start, end)
    if joined:
        yield from _capitalised(text, start, joined.start())
        yield from _capitalised(text, joined.end(), end)
        return
    while True:
        word, _, rest = text[start:end].partition(" ")
        if _APOSTROPHE.split(word.lower())[0] not in _NO_NAMES:
            break
        start = end - len(rest)
        if not rest:
            return
    end -= len(article[0]) if (article := _TRAILING_ARTICLE.search(text[start:end])) else 0
    end -= len(possessive[0]) if (possessive := _POSSESSIVE.search(text[start:end])) else 0
    name = text[start:end]
    # a single capitalised word that begins a sentence says nothing, unless it is one like IBM
    if " " in name or (len(name) > 1 and (start > 0 or name.isupper())):
        yield start, end
