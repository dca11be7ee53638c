"""Puts recorded text into a prompt as data that cannot pose as anything else: pure.

Three things hold, whatever the text says. Nothing in it is invisible. No line of it begins a marker, a new
entry or a turn of the service's own chat format. And the marker lines carry a hash of the text, so that
nobody can write them beforehand.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from hashlib import blake2b
from itertools import count

from graphmem.ports.prompt_text import one_line, unmarked

_LINE_BREAKS = re.compile(r"\r\n?")
_TAB = "    "
_SUSPECT = re.compile("[^\n -~\u00a1-\u00ac\u00ae-\u02ff\u3131-\u3163\u3165-\u318e\uac00-\ud7a3]+")
"""What may be invisible: everything but plain ASCII, Latin and Hangul letters."""


@dataclass(frozen=True, slots=True)
class Fence:
    """The two lines around the data of one request."""

    opening: str
    closing: str

    def around(self, data: str) -> str:
        """The data between its marker lines."""
        return f"{self.opening}\n{data}\n{self.closing}"


def shown(text: str) -> str:
    r"""A text with nothing invisible in it and no marker of a fence or of a chat template.

    Control, bidirectional and other unseen characters become escapes such as `\u202e`, other line breaks
    line feeds, tabs blanks, and a marker gets a backslash behind its first character. Composed by NFC; a
    text that is shown already stays as it is.
    """
    composed = unicodedata.normalize("NFC", _LINE_BREAKS.sub("\n", text).replace("\t", _TAB))
    seen = _SUSPECT.sub(lambda match: one_line(match[0]), composed)
    return unmarked(seen)


def fence_for(data: str) -> Fence:
    """Marker lines that do not occur in the data; the same data always has the same.

    Args:
        data: All of the text that goes between them.
    """
    marks = (_mark(f"{attempt}:{data}") for attempt in count())
    mark = next(mark for mark in marks if mark not in data)
    return Fence(f"<<<DATA {mark}>>>", f"<<<END {mark}>>>")


def _mark(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
