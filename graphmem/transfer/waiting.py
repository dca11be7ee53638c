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
import numpy.typing as npt

from graphmem.graph.records import EdgeRecord
from graphmem.models.concept import ACYCLIC_RELATIONS, Relation
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
        """How unsure a relation without cycles is, 0 for all else."""
        self._statements = array("q")
        """What a relation says, hashed: what is said twice waits together."""

    def add(self, read: Read, item: Written | EdgeRecord) -> None:
        """Put a record at the end."""
        self._places.append(self._file.tell())
        doubt, statement = 0.0, 0
        if isinstance(item, Relation) and item.relation in ACYCLIC_RELATIONS:
            doubt, statement = 1 - item.confidence, hash((item.relation, item.head, item.tail))
        self._doubts.append(doubt)
        self._statements.append(statement)
        record = edge_line(item) if isinstance(item, EdgeRecord) else to_record(item)
        self._file.write(to_line([read.path, read.line, read.size, record]))

    def take(self) -> Iterator[Read]:
        """All records in the order in which they were put, relations that are less sure after all others.

        What is said several times is as sure as it is said once, and keeps its order.
        """
        for index in np.argsort(self._least_doubts(), kind="stable"):
            self._file.seek(self._places[index])
            path, number, size, record = json.loads(self._file.readline())
            yield Read(path, number, size, Parsed(parse_record(record).item))

    def _least_doubts(self) -> npt.NDArray[np.float64]:
        doubts = np.array(self._doubts)
        _, statement = np.unique(np.array(self._statements), return_inverse=True)
        least = np.full(len(doubts), np.inf)
        np.minimum.at(least, statement, doubts)
        return np.where(np.array(self._statements) == 0, doubts, least[statement])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
