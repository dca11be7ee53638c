"""Opens a source and unpacks it where it is gzip: known by its first bytes, whatever its name."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from graphmem.errors import TransferError
from graphmem.transfer.sources import Source

_GZIP = b"\x1f\x8b"


@contextmanager
def unpacked(source: Source) -> Iterator[BinaryIO]:
    """The bytes of a source, unpacked as they are read, so that readers bound them as those of any file.

    Raises:
        TransferError: The source cannot be opened, or what is packed is damaged.
    """
    with source.open() as opened:
        stream = opened if isinstance(opened, io.BufferedReader) else io.BufferedReader(_Readable(opened))
        if not _begin(stream, source.name).startswith(_GZIP):
            yield stream
            return
        try:
            with gzip.GzipFile(fileobj=stream) as unpacking:
                yield unpacking  # type: ignore[misc]  # reads like a BinaryIO
        except (gzip.BadGzipFile, EOFError, zlib.error) as fault:
            raise TransferError(f"is damaged as gzip: {fault}", path=source.name) from fault


def _begin(stream: io.BufferedReader, name: str) -> bytes:
    try:
        return stream.peek(len(_GZIP))
    except OSError as fault:
        raise TransferError(f"cannot be read further: {fault.strerror or fault}", path=name) from fault


class _Readable(io.RawIOBase):
    """Any stream of bytes as one that can be looked into before it is read."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: object) -> int:
        """As RawIOBase has it."""
        view = memoryview(buffer)  # type: ignore[arg-type]  # io gives a buffer
        data = self._stream.read(len(view))
        view[: len(data)] = data
        return len(data)
