"""Conversations into episodes: how fast LoCoMo is imported, and what cutting adds to keeping messages.

python benchmarks/segmentation.py [--data FOLDER] [--embedder hashing] [--embedder use] [--messages 5000]
"""

from __future__ import annotations

import argparse
import os
import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import graphmem
from graphmem.graph.mapping.message import to_message
from graphmem.graph.records import NodeRef
from graphmem.ports.reading import every_node
from graphmem.transfer.importing import import_records
from graphmem.transfer.policy import ImportOptions
from graphmem.transfer.sources import file_source

DATA = Path(os.environ.get("GRAPHMEM_DATA") or Path(__file__).parents[2] / "shared" / "data")
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = ("refund", "order", "parcel", "late", "address", "change", "please", "환불", "배송", "주문", "broken")


def locomo(data: Path, embedder: str) -> None:
    """Import five conversations without a model, and check where every message went."""
    file = file_source(data / "locomo" / "locomo-5.json")
    with TemporaryDirectory() as folder, graphmem.open(Path(folder) / "memory.db", embedder=embedder) as memory:
        begin = time.perf_counter()
        report = import_records(memory.workspace, [file], ImportOptions(format="locomo"))
        seconds = time.perf_counter() - begin
        sessions: dict[str, set[str | None]] = defaultdict(set)
        placed = 0
        for node in every_node(memory.workspace.graph, "Message"):
            message = to_message(node)
            if message.episode is not None:
                placed += 1
                sessions[message.episode].add(message.session)
        roots = [NodeRef("Episode", name) for name in sessions]
        edges = memory.workspace.graph.edges(roots, ["HAS_MESSAGE"], "out")
        if not report.added == placed == len(edges) == len({edge.target for edge in edges}):
            raise SystemExit("a message is in no episode, or in several")
        if any(len(found) > 1 for found in sessions.values()):
            raise SystemExit("an episode spans two sessions")
        pending = len(memory.episodes.pending())
        facts = memory.workspace.graph.count("Memory")
    print(
        f"locomo, {embedder}: {placed} messages in {len(sessions)} episodes, {pending} pending, {facts} facts,"
        f" {seconds:.1f} s"
    )


def talk(count: int, per_session: int = 20) -> Iterator[dict[str, Any]]:
    """Chats of sessions, each cut once by words and once by its end."""
    at = BEGIN
    for number in range(count):
        at += timedelta(minutes=1 if number % per_session else 600)
        text = " ".join(WORDS[(number * 7 + place * 3) % len(WORDS)] for place in range(12))
        yield {
            "id": f"m{number:07}",
            "text": "It is fixed now, thanks" if number % 10 == 9 else f"{text} {number}",
            "at": at,
            "session": f"s{number // per_session}",
            "role": "assistant" if number % 2 == 0 else "user",
            "speaker": "Ada",
        }


def adding(count: int, embedder: str) -> None:
    """Messages a second of add_many with the boundaries on and off, and milliseconds of a live add."""
    for enabled in (True, False):
        boundary = {"enabled": enabled}
        with (
            TemporaryDirectory() as folder,
            graphmem.open(Path(folder) / "memory.db", embedder=embedder, boundary=boundary) as memory,
        ):
            given = list(talk(count))
            begin = time.perf_counter()
            memory.messages.add_many(given)
            rate = count / (time.perf_counter() - begin)
            begin = time.perf_counter()
            for number in range(200):
                memory.messages.add("hello there", session="live", at=BEGIN + timedelta(seconds=number))
            each = (time.perf_counter() - begin) * 5
            episodes = memory.workspace.graph.count("Episode")
        told = f"{episodes} episodes; add {each:.1f} ms"
        state = "on" if enabled else "off"
        print(f"add_many, {embedder}, boundaries {state}: {rate:.0f} messages/s, {told}")


def main() -> None:
    """Measure what the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--embedder", action="append", choices=["hashing", "use", "none"])
    parser.add_argument("--messages", type=int, default=5000)
    given = parser.parse_args()
    for embedder in given.embedder or ["hashing", "use"]:
        locomo(given.data, embedder)
    adding(given.messages, "hashing")


if __name__ == "__main__":
    main()
