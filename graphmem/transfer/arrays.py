"""Reads the elements of one big JSON array with flat memory, as `read_lines` reads lines.

It only finds where each element ends: brackets outside strings, and the commas between elements. What an
element holds is checked when it is decoded, so a bad element costs itself alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from graphmem.transfer.faults import RecordFault
from graphmem.transfer.lines import Raw

_CHUNK = 1 << 18
"""Bytes read at once."""

_MARK = re.compile(rb'["\[\]{},]')
_NESTED_MARK = re.compile(rb'["\[\]{}]')
"""Within an element commas mean nothing, and there are many."""
_STRING_REST = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_WORD = re.compile(rb"[^\s\xef\xbb\xbf]")
_SLACK = 1 << 10
"""Blanks after an element that do not count as its bytes."""


def read_array(stream: BinaryIO, limit: int) -> Iterator[Raw | tuple[int, RecordFault]]:
    """The elements of the array that a stream holds.

    Args:
        stream: Opened for reading bytes, at the array or at blanks or a byte order mark before it.
        limit: Bytes of the longest element that is read.

    Yields:
        As `read_lines`; a line with a fault when the array does not end as it should.
    """
    cutter = _Cutter(limit)
    while chunk := stream.read(_CHUNK):
        yield from cutter.feed(chunk)
    fault = cutter.fault_at_end()
    if fault is not None:
        yield cutter.line, RecordFault(fault)


class _Cutter:
    """Cuts chunks into the elements of one array."""

    def __init__(self, limit: int) -> None:
        self.line = 1
        """Line on which the element begins that is being read."""
        self._limit = limit
        self._depth = 0
        """Open brackets, the array's own included."""
        self._in_string = False
        self._escaped = False
        """Whether the next byte belongs to a backslash at the end of the chunk before."""
        self._element = bytearray()
        self._size = 0
        """Bytes of the element so far, also those that were not kept."""
        self._newlines = 0
        """Line ends of the element so far."""
        self._begun = False
        """Whether the element holds anything but blanks."""
        self._ended = False
        self._trailing = False

    def feed(self, chunk: bytes) -> Iterator[Raw]:
        """The elements that end in this chunk."""
        kept = position = 0
        while position < len(chunk) and not self._ended:
            if self._in_string:
                position = self._leave_string(chunk, position)
                continue
            found = (_NESTED_MARK if self._depth > 1 else _MARK).search(chunk, position)
            if found is None:
                break
            position = found.end()
            if self._is_boundary(found.group()):
                self._keep(chunk[kept : found.start()])
                kept = position
                if self._begun:
                    yield self.line, self._take()
                self._reset()
                self._ended = self._depth == 0
        if not self._ended:
            self._keep(chunk[kept:])
        elif _WORD.search(chunk, kept):
            self._trailing = True

    def fault_at_end(self) -> str | None:
        """What is wrong with the array once there are no more chunks."""
        if not self._ended:
            return "the list ends within a record, or without its closing bracket"
        return "there is text after the end of the list" if self._trailing else None

    def _is_boundary(self, mark: bytes) -> bool:
        """Whether an element begins or ends at this byte; keeps count of the brackets."""
        if mark == b'"':
            self._in_string = True
            return False
        if mark == b",":
            return self._depth == 1
        if mark in (b"[", b"{"):
            self._depth += 1
            return self._depth == 1
        self._depth -= 1
        return self._depth == 0

    def _leave_string(self, chunk: bytes, position: int) -> int:
        if self._escaped:
            self._escaped = False
            return position + 1
        found = _STRING_REST.match(chunk, position)
        end = position if found is None else found.end()
        if end == len(chunk):
            return end
        if chunk[end : end + 1] == b'"':
            self._in_string = False
        else:  # a backslash that ends the chunk
            self._escaped = True
        return end + 1

    def _keep(self, piece: bytes) -> None:
        """Add a piece to the element; only its size once it is too long."""
        if not self._begun:
            found = _WORD.search(piece)
            self.line += piece.count(b"\n", 0, found.start() if found else len(piece))
            if found is None:
                return
            piece = piece[found.start() :]
            self._begun = True
        self._size += len(piece)
        self._newlines += piece.count(b"\n")
        if self._size <= self._limit + _SLACK:
            self._element += piece
        else:
            self._element.clear()

    def _take(self) -> bytes | None:
        """The element without outer blanks; None when it is too long."""
        element = bytes(self._element).strip() if self._size <= self._limit + _SLACK else None
        return element if element is not None and len(element) <= self._limit else None

    def _reset(self) -> None:
        self.line += self._newlines
        self._newlines = self._size = 0
        self._begun = False
        self._element.clear()
