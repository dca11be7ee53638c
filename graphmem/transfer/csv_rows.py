"""Reads the rows of a CSV file one at a time, each with its line; a bad row never takes others with it.

Comma-separated UTF-8 with or without byte order mark, any line ends, fields in quotes where need be. What the
columns mean is left to whoever asks.
"""

from __future__ import annotations

import csv
import io
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from graphmem.errors import TransferError
from graphmem.transfer.lines import BYTE_ORDER_MARK

_MAX_LINE = 1 << 20
"""Characters of a line; a longer one is refused without being kept."""

_MAX_SPANNED = 100
"""Lines of one row: a quote that nobody closed must not swallow the file."""

_MARK = BYTE_ORDER_MARK.decode()
_WIDE_MARKS = ("\udcff\udcfe", "\udcfe\udcff")
"""UTF-16, as it is seen where bytes that are not UTF-8 are kept."""

_NOT_CLOSED = "a quoted field is not closed as it should be: write each quote inside of quotes twice"


Records = Iterator[tuple[int, list[str] | str]]
"""Each record with its first line: its fields, or what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row, or why there is none."""

    line: int
    """1-based line on which it begins."""
    cells: dict[str, str] = field(default_factory=dict)
    """Column in lower case -> text without outer blanks; what is blank is left out."""
    fault: str = ""
    """What is wrong with it; empty when it was read."""


def read_rows(stream: BinaryIO, path: str) -> tuple[tuple[str, ...], Iterator[Row]]:
    """The columns of a file, and its rows; blank ones are passed over.

    Args:
        stream: Opened for reading bytes; whoever opened it closes it, after the last row.
        path: Name of the file, for errors.

    Raises:
        TransferError: The file is empty, is UTF-16, or its first row names no columns.
    """
    lines = _Lines(stream)
    records = _records(lines)
    line, head = next(records, (1, "the file is empty: its first row names the columns"))
    if isinstance(head, str):
        raise TransferError(head, path=path, line=line)
    if head[0].startswith(_WIDE_MARKS):
        raise TransferError("the file is UTF-16: save it as UTF-8", path=path, line=line)
    columns = tuple(cell.strip().lower() for cell in head)
    named = [column for column in columns if column]
    if len(set(named)) < len(named):
        raise TransferError("the first row names a column twice", path=path, line=line)
    return columns, _rows(records, columns, lines)


def _rows(
    records: Iterator[tuple[int, list[str] | str]], columns: tuple[str, ...], lines: _Lines
) -> Iterator[Row]:
    for line, cells in records:
        if isinstance(cells, str):
            yield Row(line, fault=cells)
        elif any(cell.strip() for cell in cells):
            yield _row(line, cells, columns)
    lines.let_go()


def _row(line: int, cells: list[str], columns: tuple[str, ...]) -> Row:
    if any("\udc80" <= character <= "\udcff" for cell in cells for character in cell):
        return Row(line, fault="not UTF-8: save the file as CSV in UTF-8")
    if any(cell.strip() for cell in cells[len(columns) :]):
        return Row(
            line, fault=f"{len(cells)} fields and {len(columns)} columns: put a text with a comma in quotes"
        )
    return Row(line, {name: text for name, cell in zip(columns, cells, strict=False) if (text := cell.strip())})


def _records(lines: _Lines) -> Records:
    """The records of a file."""
    reader = csv.reader(lines, strict=True)
    while True:
        lines.begin()
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as fault:
            yield lines.first, _reason(fault)
            lines.read_again()
            continue
        if any(fields):
            yield lines.first, fields


def _reason(fault: csv.Error) -> str:
    told = str(fault)
    return _NOT_CLOSED if "expected after" in told or "end of data" in told else told


class _Lines:
    """The lines of a file, those of the present row kept: only its first one is lost when it is bad."""

    def __init__(self, stream: BinaryIO) -> None:
        self._text = io.TextIOWrapper(stream, "utf-8", errors="surrogateescape", newline="")
        self._read = 0
        self._again: deque[tuple[int, str | None]] = deque()
        self._held: list[tuple[int, str | None]] = []

    @property
    def first(self) -> int:
        """1-based number of the first line of the present row."""
        return self._held[0][0]

    def begin(self) -> None:
        """Begin another row."""
        self._held.clear()

    def read_again(self) -> None:
        """Give the lines of the present row once more, all but its first."""
        self._again.extendleft(reversed(self._held[1:]))

    def let_go(self) -> None:
        """Leave the stream to whoever opened it."""
        self._text.detach()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        number, line = self._again.popleft() if self._again else self._next()
        if line == "":
            raise StopIteration
        self._held.append((number, line))
        if line is None:
            raise csv.Error(f"the line is longer than {_MAX_LINE} characters")
        if len(self._held) > _MAX_SPANNED:
            raise csv.Error(f"{_NOT_CLOSED}; no row has more than {_MAX_SPANNED} lines")
        return line.removeprefix(_MARK) if number == 1 else line

    def _next(self) -> tuple[int, str | None]:
        """The next line and its number; "" at the end, None for one that is too long."""
        self._read += 1
        line = self._text.readline(_MAX_LINE + 1)
        if len(line) <= _MAX_LINE:
            return self._read, line
        while line and not line.endswith(("\n", "\r")):
            line = self._text.readline(_MAX_LINE)
        return self._read, None
