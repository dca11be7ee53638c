"""Where records come from: named byte streams that are opened when their turn comes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from graphmem.errors import TransferError

STANDARD_INPUT = "-"
"""Name of standard input on the command line and in reports."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file, or a stream that stands for one."""

    name: str
    """As it was named: reports repeat it."""
    open: Callable[[], AbstractContextManager[BinaryIO]]
    """Opens it for reading bytes."""
    size: int | None = None
    """Bytes that it holds; None where they come from another program, which reading may have to wait for."""


def file_source(path: str | Path) -> Source:
    """A file as a source.

    Raises:
        TransferError: There is no such file, or it cannot be read; found out before anything is written.
    """
    name = str(path)
    file = Path(path)

    def opened() -> BinaryIO:
        try:
            return file.open("rb")
        except OSError as fault:
            raise TransferError(f"cannot be read: {fault.strerror or fault}", path=name) from fault

    with opened() as stream:
        size = os.fstat(stream.fileno()).st_size if stream.seekable() else None
    return Source(name, opened, size)


def stream_source(name: str, stream: BinaryIO) -> Source:
    """An open stream, such as standard input; whoever opened it closes it."""
    return Source(name, lambda: nullcontext(stream))


def file_sources(paths: Iterable[str | Path], standard_input: BinaryIO | None = None) -> list[Source]:
    """The files of a command, `-` being standard input.

    Raises:
        TransferError: A file cannot be read.
    """
    return [
        stream_source(STANDARD_INPUT, standard_input)
        if standard_input is not None and str(path) == STANDARD_INPUT
        else file_source(path)
        for path in paths
    ]
