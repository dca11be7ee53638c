"""What a whole consolidation costs, and what it reads, the first time and when little is new: one command.

    python benchmarks/consolidation_scale.py [--messages 100000] [--episodes 0] [--new 100] [--analyzer plain]

Writes the messages of consolidation.py and the episodes of consolidation_links.py into a SQLite file and
consolidates all of it, again when there is nothing to do, and after `--new` more of each. A row each: seconds, in
brackets those in which this process computed; records that the store handed out, and in how many calls; the peak
of this process's memory so far.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import graphmem
from conditions import conditions
from consolidation import messages
from consolidation_links import episodes
from graphmem.memory import GraphMemory

READS: dict[str, Callable[[Any], int]] = {
    "get": len,
    "edges": len,
    "nearest": len,
    "search": len,
    "scan": lambda page: len(page.records),
    "count": lambda _: 0,
}
"""Reads of the graph port, each with how many records an answer holds."""


def counted(store: type) -> tuple[Counter[str], Counter[str]]:
    """Count what a kind of store hands out from now on: records and calls by name."""
    records: Counter[str] = Counter()
    calls: Counter[str] = Counter()

    def count(name: str, size: Callable[[Any], int]) -> None:
        read = getattr(store, name)

        def counting(*given: Any, **named: Any) -> Any:
            answer = read(*given, **named)
            calls[name] += 1
            records[name] += size(answer)
            return answer

        setattr(store, name, counting)

    for name, size in READS.items():
        count(name, size)
    return records, calls


def measure(memory: GraphMemory, given: argparse.Namespace) -> None:
    """Print a row a step."""
    records, calls = counted(type(memory.store.tenant("any")))

    def row(what: str, work: Callable[[], Any]) -> None:
        records.clear()
        calls.clear()
        begun, computed = time.perf_counter(), time.process_time()
        work()
        seconds, computed = time.perf_counter() - begun, time.process_time() - computed
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        print(
            f"{what:<28} {seconds:9.2f} s ({computed:.2f}) {records.total():>9} records"
            f" {calls.total():>7} calls {peak:>6} MiB",
            flush=True,
        )

    def fill(said: tuple[int, int], lived: tuple[int, int]) -> None:
        memory.messages.add_many(messages(*said))
        memory.episodes.add_many(episodes(*lived))

    row("written", lambda: fill((0, given.messages), (0, given.episodes)))
    row("consolidated", memory.consolidate)
    row("again, nothing to do", memory.consolidate)
    lived = (given.episodes, given.episodes + given.new) if given.episodes else (0, 0)
    fill((given.messages, given.messages + given.new), lived)
    row(f"after {given.new} more", memory.consolidate)
    row("again, nothing to do", memory.consolidate)


def main() -> None:
    """Measure on a file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--episodes", type=int, default=0)
    parser.add_argument("--new", type=int, default=100)
    parser.add_argument("--analyzer", default="plain", choices=["auto", "plain", "spacy", "kiwi"])
    given = parser.parse_args()
    print(conditions("numpy"))
    options: dict[str, Any] = {"embedder": "hashing", "analyzer": given.analyzer, "boundary": {"enabled": False}}
    with (
        tempfile.TemporaryDirectory() as folder,
        graphmem.open(Path(folder) / "memory.db", tenant="benchmark", **options) as memory,
    ):
        measure(memory, given)


if __name__ == "__main__":
    main()
