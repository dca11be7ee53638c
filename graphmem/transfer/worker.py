"""The second process of an import: reads chunks from standard input, writes answers to standard output.

Started by second_process.py only. It ends when its input does, so also when the first process is killed.
"""

from __future__ import annotations

import pickle
import sys
from queue import Queue
from threading import Thread
from typing import BinaryIO

from graphmem.transfer.collecting import fewer_collections
from graphmem.transfer.crossing import receive, send
from graphmem.transfer.preparing import Chunk, Circumstances, prepare

_READY = 8
"""Answers that wait to be taken at most; there are never more, since the first process asks for fewer."""

_TURN = 0.0005
"""Seconds that the computing thread makes the pipes wait at most: a full pipe holds up the first process."""


def main() -> None:
    """Answer until the input ends."""
    chunks: Queue[Chunk | None] = Queue()
    answers: Queue[bytes | None] = Queue(_READY)
    source, target = sys.stdin.buffer, sys.stdout.buffer
    sys.setswitchinterval(_TURN)
    circumstances: Circumstances = receive(source)
    send(target, pickle.dumps(None))  # ready
    # both pipes move while this thread computes, or each process would wait for the other one
    Thread(target=_read, args=(source, chunks), daemon=True).start()
    writer = Thread(target=_write, args=(target, answers))
    writer.start()
    try:
        with fewer_collections():
            while (chunk := chunks.get()) is not None:
                answers.put(pickle.dumps(prepare(chunk, circumstances), pickle.HIGHEST_PROTOCOL))
    finally:
        answers.put(None)  # so that the pipe ends, which tells the first process to go on alone
        writer.join()


def _read(source: BinaryIO, chunks: Queue[Chunk | None]) -> None:
    try:
        while True:
            chunks.put(receive(source))
    except EOFError:
        chunks.put(None)


def _write(target: BinaryIO, answers: Queue[bytes | None]) -> None:
    try:
        while (answer := answers.get()) is not None:
            send(target, answer)
    except OSError:
        while answers.get() is not None:
            pass
