"""Writes a file whole or not at all: beside its place first, then renamed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from graphmem.errors import TransferError


@contextmanager
def replaced_file(path: str | Path) -> Iterator[BinaryIO]:
    """A stream whose content takes the place of a file when all went well; else nothing is left of it.

    Raises:
        TransferError: The folder cannot be written to.
    """
    final = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{final.name}.", suffix=".part", dir=final.parent)
    except OSError as fault:
        raise TransferError(f"cannot be written: {fault.strerror or fault}", path=str(path)) from fault
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        beside.chmod(0o666 & ~_umask())
        beside.replace(final)
    except OSError as fault:
        beside.unlink(missing_ok=True)
        raise TransferError(f"cannot be written: {fault.strerror or fault}", path=str(path)) from fault
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
