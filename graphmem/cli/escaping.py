r"""Makes stored text harmless where it is shown: pure.

Text of a memory may hold terminal escapes, bidirectional overrides or spreadsheet formulas. Control and
format characters are shown as `\x1b` or `\u202e`; the two joiners stay, since scripts and emoji need them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

_SUSPECT = re.compile("[^ -~\u00a1-\u00ac\u00ae-\u02ff\u3131-\u318e\uac00-\ud7a3]")
"""What may need escaping: everything but plain ASCII, Latin and Hangul letters."""

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
"""First characters after which a spreadsheet may read a formula, full-width forms included."""


def visible(text: str, *, keep: str = "") -> str:
    """Text whose control and format characters are shown as escapes.

    Args:
        text: Anything.
        keep: Characters that are let through, such as a line feed.
    """
    return _SUSPECT.sub(lambda match: match[0] if match[0] in keep else _shown(match[0]), text)


def json_text(value: Any, *, indent: int | None = None, ascii_only: bool = False) -> str:
    """JSON in which no character can steer a terminal; it reads as the same value.

    Args:
        value: What `json.dumps` takes; NaN is refused.
        indent: Blanks a level; None: one line.
        ascii_only: For an output that is not UTF-8.
    """
    import json  # noqa: PLC0415 (help does without)

    return safe_json(json.dumps(value, ensure_ascii=ascii_only, allow_nan=False, indent=indent))


def safe_json(text: str) -> str:
    """JSON, or lines of it, in which no character can steer a terminal; it reads as the same value."""
    return _SUSPECT.sub(lambda match: match[0] if match[0] == "\n" else _json_escape(match[0]), text)


def csv_cell(value: object) -> str:
    """A cell that no spreadsheet takes for a formula: such text gets a leading quote mark.

    Args:
        value: Numbers stay as they are; None becomes an empty cell.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    text = str(value)
    if text.lstrip(" ").startswith(_FORMULA_STARTS):
        text = f"'{text}"
    return visible(text, keep="\n\t")


@lru_cache(maxsize=4096)
def _is_hidden(character: str) -> bool:
    return unicodedata.category(character) in _HIDDEN and character not in _JOINERS


def _shown(character: str) -> str:
    if not _is_hidden(character):
        return character
    return {"\n": r"\n", "\r": r"\r", "\t": r"\t"}.get(character) or _code(ord(character))


def _code(point: int) -> str:
    if point <= 0xFF:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"


def _json_escape(character: str) -> str:
    if not _is_hidden(character):
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
