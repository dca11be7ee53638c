"""Runs of chat messages recorded as they grow, compared with their import.

    python benchmarks/recorded_runs.py [--runs N] [--data FOLDER]

The runs are evaluation data that is not part of the repository: FOLDER (or GRAPHMEM_DATA) holds
tau-bench/gpt-4o-airline.json. A run counts as equal when every node and edge that is reached from its episode
is, times of recording, the ids of the episodes, and what the source says beside the run aside.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import graphmem
from graphmem.graph.records import NodeRef
from graphmem.transfer.importing import import_records
from graphmem.transfer.policy import ImportOptions
from graphmem.transfer.sources import file_source

FILE = Path("tau-bench") / "gpt-4o-airline.json"
FIELDS = {"messages": "traj", "task": "task_id", "outcome": "reward"}
TIMES = {"created_at", "started_at", "ended_at", "duration_ms", "time_unknown", "content_hash", "at"}

Picture = tuple[dict[Any, Any], dict[Any, Any]]


def picture(memory: graphmem.GraphMemory, episode: str) -> Picture:
    """All that is reached from an episode."""

    def named(ref: NodeRef) -> tuple[str, str]:
        return ref.label, f"*{ref.id.removeprefix(episode)}" if ref.id.startswith(episode) else ref.id

    def kept(properties: Any) -> dict[str, Any]:
        found = {
            name: "*" if value == episode else value for name, value in properties.items() if name not in TIMES
        }
        if "state" in found:
            found["extra"] = json.loads(found.get("extra", "{}")).get("unmatched_results")
        return found

    ref = NodeRef("Episode", episode)
    found = memory.workspace.graph.expand([ref], direction="out", depth=4, limit=10_000)
    nodes = {named(node.ref): kept(node.properties) for node in found.nodes}
    return nodes, {(one.type, named(one.source), named(one.target)): kept(one.properties) for one in found.edges}


def record(memory: graphmem.GraphMemory, given: dict[str, Any], name: str) -> None:
    """Record a run, its messages given again with each new one."""
    messages = given["traj"]
    with memory.episodes.record(id=name, task=str(given["task_id"])) as run:
        for count in range(1, len(messages) + 1):
            run.messages(messages[:count])
        run.close("success" if given["reward"] else "failure")


def main() -> None:
    """Print how many runs are equal, and what recording them took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("GRAPHMEM_DATA", "../shared/data")))
    asked = parser.parse_args()
    runs = json.loads((asked.data / FILE).read_text(encoding="utf-8"))[: asked.runs]
    with tempfile.TemporaryDirectory(prefix="graphmem-benchmark-") as folder:
        source = Path(folder) / "runs.json"
        source.write_text(json.dumps(runs), encoding="utf-8")
        with graphmem.open(f"{folder}/memory.db", embedder="none") as memory:
            started = time.perf_counter()
            options = ImportOptions(format="chat", fields=FIELDS)
            report = import_records(memory.workspace, [file_source(source)], options)
            print(f"imported {report.added} of {len(runs)} runs in {time.perf_counter() - started:.1f} s")
            _compare(memory, runs)


def _compare(memory: graphmem.GraphMemory, runs: list[dict[str, Any]]) -> None:
    trials = {(one.task, one.extra["trial"]): one.id for one in memory.episodes.all()}
    started, equal = time.perf_counter(), 0
    for number, given in enumerate(runs):
        record(memory, given, f"recorded-{number}")
        imported = trials[str(given["task_id"]), given["trial"]]
        equal += picture(memory, imported) == picture(memory, f"recorded-{number}")
    seconds = time.perf_counter() - started
    messages = sum(len(given["traj"]) for given in runs)
    print(f"recorded {len(runs)} runs, {messages:,} messages, in {seconds:.1f} s")
    print(f"equal to their import: {equal} of {len(runs)}")


if __name__ == "__main__":
    main()
