"""Speed of the embedded store: import of episodes, and the store's part of a recall.

Run `python benchmarks/sqlite_store.py` (a minute). Figures are of this machine alone; the targets are
those of docs/explanation/performance.md: 2,000 episodes a second, recall p95 under 30 ms over 10,000
memories of a tenant and under 100 ms over 100,000.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from graphmem.graph.mapping.episode import episode_tree, shared_nodes
from graphmem.graph.records import And, Equals, NodeRecord, Range
from graphmem.graph.tokens import query_tokens, search_text
from graphmem.models.episode import Episode
from graphmem.models.fields import OPEN_END
from graphmem.ports.embedder import EmbedderSpec
from graphmem.ports.graph_store import TenantGraph
from graphmem.stores.sqlite.store import SqliteStore

NOW = datetime(2026, 3, 1, tzinfo=UTC)
BATCH = 500
DIMENSION = 512
WORDS = [
    f"{first}{last}" for first in ("re", "un", "pre", "co", "de", "") for last in ("fund", "order", "ship", "pay")
]
WORDS += ["배송", "환불", "교환", "주문", "고객"] + [f"word{index}" for index in range(5000)]
WEIGHTS = [1 / (rank + 3) for rank in range(len(WORDS))]


def episode_lines(count: int) -> list[str]:
    """8-step episodes as JSON Lines, as an import reads them."""
    chance = random.Random(5)
    lines = []
    for number in range(count):
        steps: list[dict[str, object]] = [
            {
                "action": f"action_{chance.randrange(40)}",
                "reasoning": " ".join(chance.choices(WORDS, k=12)),
                "result": " ".join(chance.choices(WORDS, k=8)),
                "tools": [f"tool_{chance.randrange(12)}"],
            }
            for _ in range(8)
        ]
        steps[1] |= {"errors": ["Timeout"], "effective": False}
        steps[5] |= {"fixes": ["PoolExhausted"], "concepts": ["connection pool"]}
        record = {
            "id": f"run-{number}",
            "goal": " ".join(chance.choices(WORDS, k=8)),
            "task": f"task-{number % 50}",
            "domain": "support",
            "outcome": chance.choice(["success", "failure"]),
            "started_at": (NOW + timedelta(minutes=number)).isoformat(),
            "ended_at": (NOW + timedelta(minutes=number + 5)).isoformat(),
            "steps": steps,
        }
        lines.append(json.dumps(record, ensure_ascii=False))
    return lines


def import_episodes(graph: TenantGraph, lines: list[str]) -> int:
    """Parse, map and save in batches; how many were added."""
    added = 0
    for start in range(0, len(lines), BATCH):
        episodes = [Episode.model_validate_json(line) for line in lines[start : start + BATCH]]
        shared = {node.ref: node for episode in episodes for node in shared_nodes(episode, NOW)}
        with graph.transaction() as tx:
            tx.save_nodes(list(shared.values()))
            added += len(tx.save_trees([episode_tree(episode, NOW) for episode in episodes]).added)
    return added


def memories(count: int, seed: int) -> Iterator[NodeRecord]:
    """Memories of some 20 words, Zipf-like, with vectors."""
    chance, numbers = random.Random(seed), np.random.default_rng(seed)
    for index in range(count):
        text = " ".join(chance.choices(WORDS, WEIGHTS, k=20))
        yield NodeRecord(
            "Memory",
            f"m{index}",
            {
                "kind": chance.choice(["fact", "preference", "lesson"]),
                "text": text,
                "user_id": f"user-{index % 20}",
                "at": NOW + timedelta(minutes=index),
                "superseded_at": OPEN_END,
                "created_at": NOW,
                "search_text": search_text(text),
                "content_hash": f"{index:032x}",
            },
            numbers.normal(size=DIMENSION).astype(np.float32),
        )


def timed(call: Callable[[], object]) -> float:
    """Milliseconds of one call."""
    begin = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - begin)


def measure_import(folder: Path, count: int) -> None:
    """Print the rate of a first and a second import."""
    lines = episode_lines(count)
    store = SqliteStore(folder / "import.db", embedder=None)
    graph = store.tenant("bench")
    import_episodes(graph, lines[:BATCH])
    for what in ("first", "second"):
        begin, worked = time.perf_counter(), time.process_time()
        added = import_episodes(graph, lines)
        rate = count / (time.perf_counter() - begin)
        spent = 1000 * (time.process_time() - worked) / count
        print(f"{what} import: {rate:,.0f} episodes/s, {spent:.2f} ms of CPU an episode, {added} added")
    size = (folder / "import.db").stat().st_size
    print(f"file: {size / count:,.0f} bytes an episode")
    store.close()


def measure_recall(folder: Path, count: int, queries: int) -> None:
    """Print the quantiles of search and nearest over one tenant."""
    store = SqliteStore(folder / f"recall-{count}.db", embedder=EmbedderSpec("bench", DIMENSION))
    graph = store.tenant("bench")
    pending: list[NodeRecord] = []
    for record in memories(count, seed=1):
        pending.append(record)
        if len(pending) == 2000:
            with graph.transaction() as tx:
                tx.save_nodes(pending)
            pending = []
    chance, numbers = random.Random(9), np.random.default_rng(9)
    print(f"{count:,} memories; first nearest (loads the matrix): ", end="")
    print(f"{timed(lambda: graph.nearest('Memory', np.ones(DIMENSION, np.float32))):,.0f} ms")
    live = And((Equals("superseded_at", OPEN_END), Range("at", high=NOW + timedelta(days=365))))
    filters = {
        "no filter": None,
        "live": live,
        "one user": Equals("user_id", "user-3"),
        "rare": Equals("at", NOW + timedelta(minutes=17)),
    }
    for name, where in filters.items():
        times: dict[str, list[float]] = {"search": [], "nearest": [], "both": []}
        for _ in range(queries):
            words = query_tokens(" ".join(chance.choices(WORDS, WEIGHTS, k=8)))
            vector = numbers.normal(size=DIMENSION).astype(np.float32)
            chosen = {} if where is None else {"Memory": where}
            times["search"].append(timed(lambda w=words, c=chosen: graph.search(["Memory"], w, c, limit=20)))  # type: ignore[misc]  # defaults bind the loop's values
            times["nearest"].append(timed(lambda v=vector, f=where: graph.nearest("Memory", v, f, limit=20)))  # type: ignore[misc]  # as above
            times["both"].append(times["search"][-1] + times["nearest"][-1])
        quantiles = {part: statistics.quantiles(values, n=20) for part, values in times.items()}
        print(
            f"  {name}: " + ", ".join(f"{part} p50 {q[9]:.1f} p95 {q[18]:.1f} ms" for part, q in quantiles.items())
        )
    store.close()


def main() -> None:
    """Run what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=10_000)
    parser.add_argument("--memories", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--queries", type=int, default=100)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measure_import(folder, arguments.episodes)
        for count in arguments.memories:
            measure_recall(folder, count, arguments.queries)


if __name__ == "__main__":
    main()
