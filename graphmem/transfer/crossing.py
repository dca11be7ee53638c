"""Values through a pipe between the two processes of an import: their length, then `pickle`.

Both ends are the same program started by the same user; nothing else ever writes into these pipes.
"""

from __future__ import annotations

import pickle
from typing import Any, BinaryIO

_LENGTH = 8
"""Bytes that say how many follow."""


def send(target: BinaryIO, data: bytes) -> None:
    """Write one pickled value."""
    target.write(len(data).to_bytes(_LENGTH, "big"))
    target.write(data)
    target.flush()


def receive(source: BinaryIO) -> Any:
    """Read one value.

    Raises:
        EOFError: The pipe ended.
    """
    length = int.from_bytes(_exactly(source, _LENGTH), "big")
    return pickle.loads(_exactly(source, length))  # noqa: S301 (out of our own process)


def _exactly(source: BinaryIO, length: int) -> bytes:
    data = source.read(length)
    if len(data) < length:
        raise EOFError
    return data
