"""Text without its markup: Markdown, HTML tags, URLs, ANSI escapes and control characters. Pure.

Each character that stays knows its place in the text as written. A cell of a table becomes a line of its own.
Inline code stays, since its name is told by its backticks; of a block of code only identifiers stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from graphmem.language.relations.names import identifiers

_MAY_MARK = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f*_~`\[|#<>]|://|www\.|^[ \t]*(?:[-+]|\d{1,3}[.)])[ \t]", re.MULTILINE
)
"""What stands in every text with markup: most texts have none."""

_ESCAPE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|\x1b[@-Z\\^_]?")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_GONE = "\0"
"""Stands for a character that is taken out: once control characters are, no text has it."""

_LETTER = re.compile(r"[^\n]")
_BLOCK = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*$|\Z)", re.DOTALL | re.MULTILINE)
_ROW = re.compile(r"^[ \t]*\|[^\n]*|^[^\n|]*\|[^\n|]*\|[^\n]*$", re.MULTILINE)
_LINE = re.compile(
    r"^[ \t]*(?:(?:[-*_=:|][ \t]*){3,}$|(?:>[ \t]?)+|\#{1,6}(?=[ \t]))|^[ \t]*(?:[-*+]|\d{1,3}[.)])(?=[ \t])",
    re.MULTILINE,
)
_TASK = re.compile(r"(?m)^([ \t]*)\[[ xX]\](?=[ \t])")
_URL_END = r"[^\s<>\"'`()\[\]{}.,;:!?\u0080-\U0010ffff]"
_URL = re.compile(
    rf"<?(?:https?|ftp|file)://[^\s<>\"'`()\[\]\u0080-\U0010ffff]*(?:{_URL_END}|/)>?|\bwww\.[\w./%?=&#-]*{_URL_END}",
    re.ASCII,
)
_LINK = re.compile(
    r"(?P<open>!?\[)(?P<text>[^\[\]\n]{0,300})(?P<close>\](?:\([^()\n]{0,1000}(?:\([^()\n]{0,300}\)[^()\n]{0,300})?\)|\[[^\[\]\n]{0,100}\]))"
)
_TAG = re.compile(r"(?:(?<!\w)<|</)[A-Za-z][^<>\n]{0,200}>|<!--(?:[^<]|<(?!!--))*?-->")
"""A comment ends before the next one begins, or many that never end would take quadratic time."""
_EMPHASIS = re.compile(
    r"""(?P<open>\*{1,3}|~~)(?=[^\s*~])(?P<text>[^*\n]{1,300}?)(?P<close>(?<=\S)(?P=open))
      | (?<!\w)(?P<open_>_{1,3})(?=[^\s_])                       # of one word: __init__ is a name
        (?P<text_>[^_\n]{0,200}?[ ][^_\n]{0,200}?)(?P<close_>(?<=\S)(?P=open_))(?!\w)""",
    re.VERBOSE,
)

_Match = re.Match[str]


@dataclass(frozen=True, slots=True)
class Readable:
    """A text as it is to be read."""

    text: str
    places: tuple[int, ...] | None = None
    """Offset of each character in the text as written; None where nothing was taken out."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where what stands from one offset to before another one stands in the text as written."""
        if self.places is None or start >= end:
            return start, end
        return self.places[start], self.places[end - 1] + 1


def without_markup(text: str) -> Readable:
    """The text without its markup.

    Args:
        text: Any text; what has no markup stays as it is.
    """
    if not _MAY_MARK.search(text):
        return Readable(text)
    covered = text
    for pattern, cover in _STEPS:
        covered = pattern.sub(cover, covered)
    if _GONE not in covered:
        return Readable(covered)
    places = tuple(place for place, letter in enumerate(covered) if letter != _GONE)
    return Readable(covered.replace(_GONE, ""), places)


def _gone(match: _Match) -> str:
    return _GONE * len(match[0])


def _blank(match: _Match) -> str:
    """Blanks for all but the ends of lines."""
    return _LETTER.sub(" ", match[0])


def _identifiers_alone(match: _Match) -> str:
    covered = list(_blank(match))
    for start, end in identifiers(match[0]):
        covered[start:end] = match[0][start:end]
    return "".join(covered)


def _cells(match: _Match) -> str:
    """Each cell on a line of its own."""
    return match[0].replace("|", "\n")


def _inside(match: _Match) -> str:
    """What stands between an opening and a closing mark: no blank parts it from a particle behind the mark."""
    groups = match.groupdict()
    opened, inner, closed = (groups[name] or groups.get(f"{name}_") or "" for name in ("open", "text", "close"))
    return _GONE * len(opened) + inner + _GONE * len(closed)


_STEPS: tuple[tuple[re.Pattern[str], Callable[[_Match], str]], ...] = (
    (_ESCAPE, _gone),
    (_CONTROL, _gone),
    (_BLOCK, _identifiers_alone),
    (_LINE, _blank),
    (_TASK, _blank),
    (_ROW, _cells),
    (_LINK, _inside),
    (_URL, _blank),
    (_TAG, _blank),
    (_EMPHASIS, _inside),
    (_EMPHASIS, _inside),  # one within another
)
