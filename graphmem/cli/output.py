"""The answer on stdout: JSON, JSON Lines, CSV, tables and plain lines.

On a terminal tables are drawn by rich; in a pipe they are aligned columns, never cut. Stored text is never
read as markup and its control characters are shown escaped (`graphmem.cli.escaping`).
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from graphmem.cli.escaping import csv_cell, json_text, visible
from graphmem.language.cell_width import cell_width

Format = Literal["table", "csv", "json"]

MAX_CELL = 100
"""Characters of a cell shown in a pipe or a terminal; JSON and CSV hold all."""


def write_json(value: Any) -> None:
    """One JSON document: indented for a reader at a terminal, else on one line."""
    _write(json_text(value, indent=2 if sys.stdout.isatty() else None, ascii_only=not _speaks_unicode()) + "\n")


def write_json_line(value: Any) -> None:
    """One line of JSON, at once: whoever asked line by line waits for it."""
    _write(json_text(value, ascii_only=not _speaks_unicode()) + "\n")
    sys.stdout.flush()


def write_lines(lines: Iterable[str]) -> None:
    """Lines of text, each made visible."""
    for line in lines:
        _write(visible(line, keep="\t") + "\n")


def write_text(text: str) -> None:
    """A text of several lines, made visible."""
    write_lines(text.removesuffix("\n").split("\n"))


def write_pairs(pairs: Iterable[tuple[str, object]]) -> None:
    """Names and values, one pair a line; a value that is None is left out."""
    shown = [(name, _cell(value)) for name, value in pairs if value is not None]
    width = max((len(name) for name, _ in shown), default=0)
    write_lines(f"{name:<{width}}  {value}" for name, value in shown)


def write_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, whole: bool = False, fixed: int = 0
) -> None:
    """A table with a heading.

    Args:
        columns: Headings.
        rows: A value a column each; None shows as a blank.
        whole: Whether long cells are shown in full.
        fixed: Columns from the left that a narrow terminal does not break.
    """
    cells = [[visible(_cell(value, None if whole else MAX_CELL)) for value in row] for row in rows]
    if sys.stdout.isatty():
        _draw(columns, cells, fixed)
    else:
        _align(columns, cells)


def write_tree(text: str, parts: Iterable[Any]) -> None:
    """A line with the lines under it, as a tree on a terminal, indented in a pipe.

    Args:
        text: The line.
        parts: Lines under it, each a pair of its text and its own parts.
    """
    if sys.stdout.isatty():
        _draw_tree(text, parts)
    else:
        write_lines(_indented(text, parts, ""))


def write_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """CSV as RFC 4180 has it, with text that a spreadsheet would take for a formula neutralised."""
    writer = csv.writer(sys.stdout, lineterminator="\r\n" if sys.platform == "win32" else "\n")
    writer.writerow([csv_cell(column) for column in columns])
    writer.writerows([csv_cell(_plain(value)) for value in row] for row in rows)


def _write(text: str) -> None:
    sys.stdout.write(text)


def _speaks_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")


def _plain(value: object) -> object:
    return json_text(value) if isinstance(value, dict | list | tuple) else value


def _cell(value: object, limit: int | None = None) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, list | tuple) and all(isinstance(part, str) for part in value):
        value = ", ".join(value)
    text = str(_plain(value))
    return text if limit is None or len(text) <= limit else f"{text[: limit - 1]}…"


def _align(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = [list(columns), *rows]
    widths = [max(cell_width(row[place]) for row in table) for place in range(len(columns))]
    for row in table:
        padded = (cell + " " * (width - cell_width(cell)) for cell, width in zip(row, widths, strict=True))
        _write("  ".join(padded).rstrip() + "\n")


def _indented(text: str, parts: Iterable[Any], indent: str) -> Iterator[str]:
    yield f"{indent}{text}"
    for inner, below in parts:
        yield from _indented(inner, below, f"{indent}  ")


def _draw_tree(text: str, parts: Iterable[Any]) -> None:
    from rich.console import Console  # noqa: PLC0415 (only a terminal needs it)
    from rich.text import Text  # noqa: PLC0415 (as above)
    from rich.tree import Tree  # noqa: PLC0415 (as above)

    def grow(tree: Tree, below: Iterable[Any]) -> None:
        for inner, under in below:
            grow(tree.add(Text(visible(inner))), under)

    tree = Tree(Text(visible(text), style="bold"))
    grow(tree, parts)
    Console(file=sys.stdout).print(tree)


def _draw(columns: Sequence[str], rows: Sequence[Sequence[str]], fixed: int) -> None:
    from rich import box  # noqa: PLC0415 (only a terminal needs it)
    from rich.console import Console  # noqa: PLC0415 (as above)
    from rich.table import Table  # noqa: PLC0415 (as above)
    from rich.text import Text  # noqa: PLC0415 (as above)

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(columns):
        table.add_column(Text(column), overflow="fold", no_wrap=place < fixed)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console(file=sys.stdout).print(table)
