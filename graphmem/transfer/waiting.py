"""Records that wait for the end of an import: relations, outcomes, and what names a record yet to come.

They lie in a temporary file beyond a few megabytes, as lines of the JSON Lines format with their place. The surest
relations come first, so that of those which close a cycle the weakest is refused.
"""

from __future__ import annotations

import json
import tempfile
from array import array
from collections.abc import Iterator
from types import TracebackType
from typing import Self

import numpy as np

from graphmem.graph.records import EdgeRecord
from graphmem.models.concept import Relation
from graphmem.transfer.items import Parsed
from graphmem.transfer.jsonl import parse_record
from graphmem.transfer.reading import Read
from graphmem.transfer.stored import edge_line
from graphmem.transfer.writing import Written, to_line, to_record

_IN_MEMORY = 4 << 20
"""Bytes that are kept in memory."""


class Waiting:
    """A queue on disk. Use it as a context manager."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 (closed by __exit__)
        self._places = array("Q")
        self._doubts = array("d")
        """How unsure a relation is, 0 for all else."""

    def add(self, read: Read, item: Written | EdgeRecord) -> None:
        """Put a record at the end."""
        self._places.append(self._file.tell())
        self._doubts.append(1 - item.confidence if isinstance(item, Relation) else 0.0)
        record = edge_line(item) if isinstance(item, EdgeRecord) else to_record(item)
        self._file.write(to_line([read.path, read.line, read.size, record]))

    def take(self) -> Iterator[Read]:
        """All records in the order in which they were put, relations that are less sure after all others."""
        for index in np.argsort(np.array(self._doubts), kind="stable"):
            self._file.seek(self._places[index])
            path, number, size, record = json.loads(self._file.readline())
            yield Read(path, number, size, Parsed(parse_record(record).item))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
