"""Imports generated JSON Lines into a new SQLite store and prints rate and peak memory.

    python benchmarks/import_jsonl.py [--megabytes 500] [--kind episodes|messages] [--again] [--embed]

No embedding unless asked for. The rate counts everything from opening the file to the last commit, processor
seconds those of the second process as well; the peaks are of this process, generator and interpreter included, and
of the second one. The file is made beside the store in a
temporary folder, which is removed at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graphmem.embedders.hashing import HashingEmbedder
from graphmem.ports.clock import system_clock
from graphmem.ports.workspace import Workspace
from graphmem.stores.sqlite.store import SqliteStore
from graphmem.transfer.importing import import_records
from graphmem.transfer.report import ImportReport
from graphmem.transfer.sources import file_source

WORDS = [f"{first}{last}" for first in ("re", "un", "pre", "") for last in ("fund", "order", "ship", "pay")]
WORDS += [
    "timeout",
    "retried",
    "customer",
    "주문",
    "환불",
    "고객",
    "배송",
    "결제",
    "오류",
    "데이터베이스",
    "연결",
    "창고",
]
ACTIONS = ("lookup_order", "call_api", "check_pool", "issue_refund", "raise_pool", "notify", "search", "close")
MEGABYTE = 1_000_000


def words(chance: random.Random, count: int) -> str:
    """A few words in two languages."""
    return " ".join(chance.choices(WORDS, k=count))


def an_episode(chance: random.Random, number: int) -> dict[str, Any]:
    """An episode of eight steps: some 2 kB."""
    steps: list[dict[str, Any]] = []
    for _ in range(8):
        step: dict[str, Any] = {"action": chance.choice(ACTIONS), "reasoning": words(chance, 8)}
        step |= {"result": words(chance, 10), "tools": [chance.choice(("http", "orders", "payments", "db"))]}
        step |= {"concepts": [chance.choice(("order", "refund", "pool"))]}
        if chance.random() < 0.2:
            step |= {"errors": [chance.choice(("Timeout", "NotFound"))], "effective": False}
        steps.append(step)
    return {
        "type": "episode",
        "id": f"run-{number}",
        "task": f"task-{number % 50}",
        "domain": "support",
        "goal": words(chance, 8),
        "outcome": chance.choice(("success", "failure")),
        "started_at": "2026-03-01T09:00:00Z",
        "ended_at": "2026-03-01T09:04:10Z",
        "steps": steps,
        "lessons": [words(chance, 6)],
    }


def a_message(chance: random.Random, number: int) -> dict[str, Any]:
    """A message of a line."""
    return {
        "type": "message",
        "id": f"m-{number}",
        "text": words(chance, 12),
        "at": 1_700_000_000_000 + 1000 * number,
        "session": f"s-{number // 40}",
        "speaker": chance.choice(("Ada", "영희", "Bob")),
    }


MAKERS: dict[str, Callable[[random.Random, int], dict[str, Any]]] = {"episodes": an_episode, "messages": a_message}


def write_file(path: Path, kind: str, megabytes: float) -> None:
    """Write records until the file is as long as asked for."""
    chance = random.Random(17)
    size = number = 0
    with path.open("wb") as file:
        while size < megabytes * MEGABYTE:
            size += file.write(json.dumps(MAKERS[kind](chance, number), ensure_ascii=False).encode() + b"\n")
            number += 1


def run(file: Path, store: Path, *, embed: bool) -> tuple[ImportReport, float, float]:
    """Import a file; what became of it, seconds, and processor seconds."""
    embedder = HashingEmbedder() if embed else None
    opened = SqliteStore(store, embedder=embedder.spec if embedder else None)
    workspace = Workspace(opened.tenant("bench"), None, embedder, system_clock, os.urandom)
    wall, processor = time.perf_counter(), processor_seconds()
    report = import_records(workspace, [file_source(file)])
    opened.close()
    return report, time.perf_counter() - wall, processor_seconds() - processor


def processor_seconds() -> float:
    """Processor time of this process and of those that it started and that have ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def show(title: str, file: Path, report: ImportReport, seconds: float, processor: float) -> None:
    """Print one line of figures."""
    peak, second = (
        resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    print(
        f"{title}: {file.stat().st_size / MEGABYTE:.0f} MB, {report.read} records, {report.added} added, "
        f"{seconds:.1f} s ({processor:.1f} s of processor), {report.read / seconds:,.0f} records/s, "
        f"{report.read / processor:,.0f} a processor second, peak {peak:.0f} MB and {second:.0f} MB"
    )


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=float, default=50)
    parser.add_argument("--kind", choices=sorted(MAKERS), default="episodes")
    parser.add_argument("--again", action="store_true", help="import the same file a second time")
    parser.add_argument("--embed", action="store_true", help="with the hashing embedder")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file, store = Path(folder) / "records.jsonl", Path(folder) / "memory.db"
        write_file(file, asked.kind, asked.megabytes)
        show("first", file, *run(file, store, embed=asked.embed))
        if asked.again:
            show("again", file, *run(file, store, embed=asked.embed))


if __name__ == "__main__":
    main()
