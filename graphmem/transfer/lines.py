"""Reads a stream of JSON Lines, one record a line, with flat memory.

A line that is longer than the limit is passed over in pieces and reported; nothing is decoded here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

Raw = tuple[int, bytes | None]
"""1-based line on which a record starts, and its bytes; None for a record longer than the limit."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_PIECE = 1 << 20
"""Bytes read at once while passing over what is too long."""


def read_lines(stream: BinaryIO, limit: int) -> Iterator[Raw]:
    """The records of a stream; blank lines are passed over.

    Args:
        stream: Opened for reading bytes.
        limit: Bytes of the longest record that is read, its line end aside.

    Yields:
        Line and bytes without line end, byte order mark (files are joined with `cat`) and outer blanks.
    """
    number = 0
    while line := stream.readline(limit + 2):
        number += 1
        if not line.endswith(b"\n") and len(line) > limit:
            _skip_line(stream)
            yield number, None
            continue
        record = line.removeprefix(BYTE_ORDER_MARK).strip()
        if len(record) > limit:
            yield number, None
        elif record:
            yield number, record


def _skip_line(stream: BinaryIO) -> None:
    while piece := stream.readline(_PIECE):
        if piece.endswith(b"\n"):
            return
