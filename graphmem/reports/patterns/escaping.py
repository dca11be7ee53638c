"""Stored text in Markdown and in HTML, where it can be nothing but text: pure."""

from __future__ import annotations

import html
import re
import unicodedata

from graphmem.ports.prompt_text import one_line

_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>&~=:@/$^])")


def escape_markdown(text: str) -> str:
    """Stored text as Markdown that shows it literally, on one line.

    Control and format characters are dropped, blanks of any kind become one blank, and every mark that
    Markdown or HTML could read is escaped.
    """
    plain = "".join(
        " " if character.isspace() else character
        for character in text
        if character.isspace() or unicodedata.category(character)[0] != "C"
    )
    return _MARKS.sub(_escaped, " ".join(plain.split()))


def escape_html(text: str) -> str:
    r"""Stored text as text of an element or of a quoted attribute, on one line.

    Control and format characters, bidirectional overrides and lone surrogates among them, are shown as
    escapes such as `\u202e`: a page can neither be steered by them nor fail to be written as UTF-8. So are
    the two code points that no page may hold.
    """
    shown = one_line(text).replace("\ufffe", r"\ufffe").replace("\uffff", r"\uffff")
    return html.escape(shown, quote=True)


def _escaped(match: re.Match[str]) -> str:
    entity = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
    return entity.get(match[1], f"\\{match[1]}")
