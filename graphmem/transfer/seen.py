"""Which ids an import has met, and with which content: on disk beyond a few megabytes, gone with the import."""

from __future__ import annotations

import sqlite3
from hashlib import blake2b
from types import TracebackType
from typing import Literal, Self

_CACHE_KIB = 8192
"""Memory that the private database may use; what is beyond lies in a temporary file."""

Meeting = Literal["first", "same", "other"]
"""Whether an id is new, came before with this content, or with another one."""


class Seen:
    """A set of ids with the content each first came with. Close it, or use it as a context manager."""

    def __init__(self) -> None:
        self._ids = sqlite3.connect("", isolation_level=None)
        self._ids.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        self._ids.execute("PRAGMA journal_mode = OFF")
        self._ids.execute("PRAGMA synchronous = OFF")
        self._ids.execute("CREATE TABLE seen (id INTEGER PRIMARY KEY, content INTEGER NOT NULL)")
        self._ids.execute("BEGIN")

    def meet(self, label: str, node_id: str, content: str) -> Meeting:
        """Note an id; the content it first came with stays.

        Args:
            label: What kind of thing it names: ids are unique within one.
            node_id: The id.
            content: Hash of what was given with it.
        """
        key, digest = _number(f"{label}\n{node_id}"), _number(content)
        if self._ids.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (key, digest)).rowcount:
            return "first"
        (known,) = self._ids.execute("SELECT content FROM seen WHERE id = ?", (key,)).fetchone()
        return "same" if known == digest else "other"

    def has(self, label: str, node_id: str) -> bool:
        """Whether an id was met."""
        key = _number(f"{label}\n{node_id}")
        return self._ids.execute("SELECT 1 FROM seen WHERE id = ?", (key,)).fetchone() is not None

    def close(self) -> None:
        """Drop the ids."""
        self._ids.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _number(text: str) -> int:
    """64 bits of a hash: two of ten million ids meet by chance once in 300,000 imports."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big", signed=True)
