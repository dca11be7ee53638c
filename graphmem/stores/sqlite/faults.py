"""Errors of sqlite3 as errors of graphmem, in one place; the library's own types go no further."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from graphmem.errors import (
    ConflictError,
    GraphMemError,
    InvalidInputError,
    SchemaError,
    StatementError,
    StoreUnavailableError,
)

_UNAVAILABLE = {
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; check that its folder exists and may be read and written",
    sqlite3.SQLITE_READONLY: "is read-only; give this user the right to write the file and its folder",
    sqlite3.SQLITE_PERM: "may not be opened by this user",
    sqlite3.SQLITE_FULL: "is on a disk that is full; free some space, nothing was written",
    sqlite3.SQLITE_IOERR: "cannot be read or written: the disk or file system reports an error",
}


@contextmanager
def translated(path: Path, query: Callable[[], str]) -> Iterator[None]:
    """Turn what sqlite3 raises inside into errors of graphmem.

    Args:
        path: File that is used, for the message.
        query: Gives the name of the statement that ran last.
    """
    try:
        yield
    except UnicodeEncodeError as fault:
        raise InvalidInputError("a text holds a lone surrogate: it is not valid Unicode") from fault
    except OverflowError as fault:
        raise InvalidInputError("an integer is larger than 64 bits") from fault
    except sqlite3.Error as fault:
        raise _translation(fault, path, query()) from fault


def _translation(fault: sqlite3.Error, path: Path, query: str) -> GraphMemError:
    # extended codes hold the primary one in their low byte; misuse found by the module itself has none
    code = getattr(fault, "sqlite_errorcode", None)
    primary = -1 if code is None else code & 0xFF
    if primary in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return ConflictError(f"{path} was locked by another writer for too long ({query}); try again")
    if primary in _UNAVAILABLE:
        return StoreUnavailableError(f"{path} {_UNAVAILABLE[primary]} ({query})")
    if primary == sqlite3.SQLITE_NOTADB:
        return SchemaError(f"{path} is not a SQLite database; give another path")
    if primary == sqlite3.SQLITE_CORRUPT:
        return StatementError(
            f"{path} is damaged ({query}); run `graphmem doctor`, then restore the file from a backup", query=query
        )
    return StatementError(f"{query} failed on {path}: {type(fault).__name__} {fault}", query=query)
