"""What aliases and merges cost: one command.

    python benchmarks/names.py [--episodes 4000] [--aliases 20000] [--uri bolt://127.0.0.1:7687]

Imports episodes of four steps that name 3,000 concepts into a SQLite file, through the store's own graph (`plain`)
and through the one in which aliases lead to their concepts (`aliased`), alternately, three times each. Then
describes concepts with an alias each, and times look-ups by name and by alias, the merge of a concept that one
step of every episode names, its undoing, and the search for candidates. With --uri the second part runs in a
tenant of its own on that server (password in NEO4J_PASSWORD) too, which is erased at the end.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import graphmem
from conditions import conditions
from graphmem.memory import GraphMemory
from graphmem.ports.aliased_graph import without_aliasing
from graphmem.transfer.importing import import_records
from graphmem.transfer.sources import stream_source
from throwaway import PASSWORD

TENANT = "benchmark-names"
LOOKUPS = 200
ROUNDS = 3


def episodes(count: int) -> bytes:
    """Records of episodes; `step 1` is a concept of all of them."""
    return "\n".join(
        json.dumps(
            {
                "type": "episode",
                "id": f"e{number}",
                "goal": "g",
                "steps": [
                    {
                        "action": f"act {place}",
                        "concepts": [f"thing {(number * 7 + place) % 3000}", f"step {place}"],
                    }
                    for place in range(4)
                ],
            }
        )
        for number in range(count)
    ).encode()


def described(count: int) -> bytes:
    """Records of concepts with an alias each."""
    return "\n".join(
        json.dumps({"type": "concept", "name": f"long name {number}", "aliases": [f"alias {number}"]})
        for number in range(count)
    ).encode()


def put(memory: GraphMemory, data: bytes, *, plain: bool = False) -> float:
    """Import; CPU seconds."""
    workspace = memory.workspace
    if plain:
        workspace = replace(workspace, graph=without_aliasing(workspace.graph))
    begun = time.process_time()
    import_records(workspace, [stream_source("records.jsonl", io.BytesIO(data))])
    return time.process_time() - begun


def seconds(work: Callable[[], object]) -> float:
    """Wall-clock seconds of one call."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def importing(count: int) -> None:
    """The cost of leading aliases while nothing is one."""
    data = episodes(count)
    spent: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(ROUNDS):
        for plain in (True, False):
            with (
                tempfile.TemporaryDirectory() as folder,
                graphmem.open(f"{folder}/m.db", embedder="none") as memory,
            ):
                spent[plain].append(put(memory, data, plain=plain))
    before, after = (statistics.median(spent[kind]) for kind in (True, False))
    print(f"import of {count} episodes, CPU s: plain {before:.2f}  aliased {after:.2f}  {after / before - 1:+.1%}")


def asking(memory: GraphMemory, aliases: int, count: int) -> None:
    """Look-ups, a merge, its undoing, and candidates."""
    put(memory, described(aliases))
    put(memory, episodes(count))
    for what in ("long name", "alias"):
        spent = [seconds(lambda: memory.concepts.get(f"{what} {n}")) for n in range(LOOKUPS)]  # noqa: B023 (called at once)
        print(f"  get by {what}: {1000 * statistics.median(spent):.2f} ms (median of {LOOKUPS})")
    merging = seconds(lambda: memory.concepts.merge("long name 1", "step 1"))
    print(f"  merge of a concept with {count} steps about it: {merging:.2f} s")
    print(f"  split: {seconds(lambda: memory.concepts.split('step 1')):.2f} s")
    held = memory.workspace.graph.count("Concept")
    print(f"  candidates among {held} concepts: {seconds(memory.concepts.candidates):.2f} s")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=4000)
    parser.add_argument("--aliases", type=int, default=20_000)
    parser.add_argument("--uri")
    given = parser.parse_args()
    print(conditions())
    importing(given.episodes)
    with tempfile.TemporaryDirectory() as folder:
        print("sqlite")
        with graphmem.open(Path(folder) / "m.db", embedder="none") as memory:
            asking(memory, given.aliases, given.episodes)
    if given.uri:
        print(given.uri)
        with graphmem.open(given.uri, auth=("neo4j", PASSWORD), tenant=TENANT, embedder="none") as memory:
            try:
                asking(memory, given.aliases, given.episodes)
            finally:
                memory.store.tenant(TENANT).erase()


if __name__ == "__main__":
    main()
