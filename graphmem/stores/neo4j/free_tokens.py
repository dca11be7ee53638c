"""Cuts an operator's statement into tokens, so strictly that the server can only read the same ones: pure.

What two readers of Cypher may take differently is refused instead of understood: escapes of the form backslash
and u (the server replaces them before it reads, outside of strings too), blanks and letters that are none in
ASCII or the alphabets of names, a carriage return inside a comment. Comments are blanked out, so the server never
meets one. What tokens mean is left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from graphmem.errors import InvalidInputError

Kind = Literal["name", "quoted", "text", "parameter", "number", "sign"]

_TOKEN = re.compile(
    r"""
      (?P<blank> [ \t\n]+ )
    | (?P<comment> //[^\n]* | /\*.*?\*/ )
    | (?P<text> '(?:[^'\\]|\\['"\\`bfnrt])*' | "(?:[^"\\]|\\['"\\`bfnrt])*" )
    | (?P<quoted> `(?:[^`\\]|``)+` )
    | (?P<parameter> \$ (?: `(?:[^`\\]|``)+` | \w++ ) (?!\$) )
    | (?P<number> (?i: 0[xo][0-9a-f]+ | \d+ (?:\.\d+)? (?:e[+-]?\d+)? ) (?![\w$]) )
    | (?P<name> [^\W\d]\w*+ (?!\$) )
    | (?P<sign> /(?!\*) | [!$%&()*+,\-.:;<=>?@\[\]^{|}] )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """One token and where it begins."""

    kind: Kind
    text: str
    """As it stands in the statement; of a quoted name or parameter what is inside the quotes."""
    place: int

    @property
    def word(self) -> str:
        """A bare name in lower case, "" of everything else: only bare names can be words of the language."""
        # upper first: both lower-case forms of S would else stay apart
        return self.text.upper().lower() if self.kind == "name" else ""

    @property
    def is_name(self) -> bool:
        """Whether it is a name, bare or in backticks."""
        return self.kind in {"name", "quoted"}


def tokens_of(text: str) -> tuple[str, list[Token]]:
    """The statement without comments, and its tokens; places are the same in both.

    Raises:
        InvalidInputError: Something stands there that could be read in two ways, or not at all.
    """
    given = text.replace("\r\n", "\n")
    _check_characters(given)
    kept: list[str] = []
    found: list[Token] = []
    place = 0
    while place < len(given):
        match = _TOKEN.match(given, place)
        if match is None or match.lastgroup is None:
            raise InvalidInputError(f"free Cypher: {position(given, place)}: {_reason(given, place)}")
        kept.append(re.sub(r"[^\n]", " ", match[0]) if match.lastgroup == "comment" else match[0])
        found.extend(_token(match))
        place = match.end()
    return "".join(kept), found


def position(text: str, place: int) -> str:
    """Line and column of a place, both from 1 on."""
    before = text[:place]
    return f"line {before.count(chr(10)) + 1}, column {place - before.rfind(chr(10))}"


def _token(match: re.Match[str]) -> Iterator[Token]:
    text = match[0]
    match match.lastgroup:
        case "quoted":
            yield Token("quoted", _inside(text), match.start())
        case "parameter":
            name = text[1:]
            yield Token("parameter", _inside(name) if name.startswith("`") else name, match.start())
        case "text" | "number" | "name" | "sign" as kind:
            yield Token(kind, text, match.start())
        case _:
            return


def _inside(quoted: str) -> str:
    return quoted[1:-1].replace("``", "`")


def _check_characters(text: str) -> None:
    escape = re.search(r"\\u", text, re.IGNORECASE)
    if escape is not None:
        raise InvalidInputError(
            f"free Cypher: {position(text, escape.start())}: escapes of the form \\u are refused, since the server"
            " reads them outside of strings too; write the character itself, or give the value with --param"
        )
    for place, character in enumerate(text):
        if unicodedata.category(character) in {"Cc", "Cs"} and character not in "\t\n":
            raise InvalidInputError(
                f"free Cypher: {position(text, place)}: the control character U+{ord(character):04X} is refused;"
                " give the value with --param"
            )


def _reason(text: str, place: int) -> str:
    character = text[place]
    if character in "'\"`" or text.startswith("/*", place):
        return (
            "what begins here does not end, is empty, or holds a backslash that is no escape"
            " (\\\\ \\' \\\" \\` \\b \\f \\n \\r \\t)"
        )
    if character.isdigit():
        return "a number runs into a name: write a blank between them"
    if character.isalpha() or character == "_":
        return "a name that holds $ must stand in backticks"
    return f"the character U+{ord(character):04X} is refused here; a name that holds it must stand in backticks"
