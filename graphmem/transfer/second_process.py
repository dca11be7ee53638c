"""Reads large JSON Lines files with a second process, so that two cores work: one reads, the other writes.

Records keep their order, and their faults their places. While the second process starts, and should it end early,
this one does its work: it is the same. Standard input and small files are read without it.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Self

from graphmem.transfer.crossing import receive, send
from graphmem.transfer.policy import ImportOptions
from graphmem.transfer.preparing import Answers, Chunk, Circumstances, prepare, understood
from graphmem.transfer.reading import RawRead, Read
from graphmem.transfer.sources import Source

SMALLEST = 4_000_000
"""Bytes of all files from which on a second process is worth its start, about half a second of a core."""

_CHUNK_RECORDS = 250
_CHUNK_BYTES = 1 << 20
"""What crosses at once, a longer record aside: half a batch, so that the first one comes soon."""

_SENT = 4
"""Chunks that were not answered yet, at most."""

_SIGN = b'"steps"'
"""Stands in every episode: other records are read faster than they cross."""

_FEWEST_EPISODES = 4
"""One record in as many is an episode in a chunk that is worth its crossing."""

_PIPE = 1 << 20
"""Bytes that a pipe holds where that can be said: about what crosses at once, so that neither process waits."""

_START = "import sys; sys.path[:] = sys.argv[1:]; from graphmem.transfer.worker import main; main()"


def is_worthwhile(sources: Sequence[Source], options: ImportOptions) -> bool:
    """Whether a second process would save time: much to read that is there already, and a core that reads it."""
    sizes = [source.size for source in sources]
    if options.format != "jsonl" or None in sizes or sum(size or 0 for size in sizes) < SMALLEST:
        return False
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    # a frozen program, or a server with Python in it, cannot be started like Python
    is_python = Path(sys.executable or "").stem.lower().startswith("python") and not getattr(sys, "frozen", False)
    return cores > 1 and is_python


class SecondProcess:
    """Reads chunks of records, from the first that is worth it. Close it, or use it as a context manager."""

    def __init__(self, circumstances: Circumstances) -> None:
        self.circumstances = circumstances
        self._child: subprocess.Popen[bytes] | None = None
        self._starting: Thread | None = None
        self._works = True

    def answers(self, chunks: Iterable[Chunk]) -> Iterator[tuple[Chunk, Answers]]:
        """Each chunk with its answers, in order."""
        sent: deque[Chunk] = deque()
        for chunk in chunks:
            if self._is_ready_for(chunk) and self._send(chunk):
                sent.append(chunk)
                if len(sent) == _SENT:
                    yield self._answered(sent.popleft())
                continue
            while sent:
                yield self._answered(sent.popleft())
            yield chunk, prepare(chunk, self.circumstances)
        while sent:
            yield self._answered(sent.popleft())

    def close(self) -> None:
        """End the process: it holds nothing that could be lost."""
        if self._child is None or self._starting is None:
            return
        self._child.kill()
        self._child.wait()
        self._starting.join()
        for pipe in (self._child.stdin, self._child.stdout):
            with suppress(OSError):  # what was not sent any more
                pipe.close()  # type: ignore[union-attr]  # both are pipes

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _is_ready_for(self, chunk: Chunk) -> bool:
        """Whether a chunk can be sent and should be; the first one that should be starts the process."""
        if not self._works or _FEWEST_EPISODES * sum(_SIGN in record for record in chunk[1]) < len(chunk[1]):
            return False
        if self._starting is None:
            self._start()
        return self._starting is not None and not self._starting.is_alive()

    def _start(self) -> None:
        try:
            self._child = subprocess.Popen(  # noqa: S603 (this Python, with a module of this package)
                [sys.executable, "-c", _START, *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pipesize=_PIPE,
                # an interrupt at the terminal is for the first process, which ends this one
                start_new_session=True,
            )
        except OSError:
            # no memory or no room in pipes for it: the first process can do all
            self._works = False
            return
        self._starting = Thread(target=self._wait_for_start, daemon=True)
        self._starting.start()
        self._send(self.circumstances)

    def _wait_for_start(self) -> None:
        with suppress(EOFError, OSError):
            receive(self._child.stdout)  # type: ignore[union-attr, arg-type]  # a pipe

    def _send(self, value: Chunk | Circumstances) -> bool:
        """Whether it could be sent."""
        try:
            send(self._child.stdin, pickle.dumps(value, pickle.HIGHEST_PROTOCOL))  # type: ignore[union-attr, arg-type]  # a pipe
        except OSError:
            self._works = False
        return self._works

    def _answered(self, chunk: Chunk) -> tuple[Chunk, Answers]:
        if self._works:
            try:
                answers: Answers = receive(self._child.stdout)  # type: ignore[union-attr, arg-type]  # a pipe
            except (EOFError, OSError):
                self._works = False
            else:
                return chunk, answers
        return chunk, prepare(chunk, self.circumstances)


def read_by(
    second: SecondProcess, records: Iterable[RawRead | Read], expects_new: Callable[[], bool]
) -> Iterator[Read]:
    """The records as they were read, in order.

    Args:
        second: Who reads them.
        records: Their bytes; those that are refused already stay as they are.
        expects_new: Asked now and then, whether it is worth while to plan what is written for episodes that may be
            new.
    """
    places: deque[list[RawRead | Read]] = deque()

    def chunks() -> Iterator[Chunk]:
        for group in _groups(records):
            places.append(group)
            yield expects_new(), tuple(place[2] for place in group if not isinstance(place, Read))

    for chunk, answers in second.answers(chunks()):
        understandings = understood(chunk, answers, second.circumstances)
        for place in places.popleft():
            if isinstance(place, Read):
                yield place
                continue
            path, line, data = place
            found = next(understandings)
            reason = found if isinstance(found, str) else ""
            yield Read(path, line, len(data), None if isinstance(found, str) else found, reason)


def _groups(records: Iterable[RawRead | Read]) -> Iterator[list[RawRead | Read]]:
    group: list[RawRead | Read] = []
    size = 0
    for record in records:
        group.append(record)
        size += 0 if isinstance(record, Read) else len(record[2])
        if len(group) == _CHUNK_RECORDS or size >= _CHUNK_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group
