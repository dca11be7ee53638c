"""The few forms of Markdown that generated pages need: pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def heading(title: str, source: str, intro: str) -> str:
    """The top of a generated page: title, where it comes from, and what it is for."""
    return f"# {title}\n\n<!-- Written by `make docs` from {source}: change it there. -->\n\n{intro.strip()}\n"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; bars, line ends and what looks like HTML inside cells are made harmless."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines)


def code(text: object) -> str:
    """A value in code type; "" for nothing."""
    return "" if text in ("", None) else f"`{text}`"


def _cell(text: str) -> str:
    plain = text if "`" in text else text.replace("<", "&lt;")
    return " ".join(plain.split()).replace("|", "\\|")
