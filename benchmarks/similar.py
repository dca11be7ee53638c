"""Similar episodes under a filter that 1 % of them match, query embedding included: one command.

    python benchmarks/similar.py [--count 50000] [--queries 200] [--uri bolt://127.0.0.1:7687]

Writes episodes of two steps, English and Korean, into a SQLite file and, with --uri, into a tenant of its own
on that server (password in NEO4J_PASSWORD), which is erased at the end. Then asks `episodes.similar` for the
3 most similar, at any similarity, without a filter and with three:

outcome    failures are 1 %, of every subject
domain     1 % are of one domain, whose subject no query is about: all neighbours of a query fail the filter
user       one of 100 users

`found` is the share of the truly nearest that was answered, `short` counts answers of fewer than 3.
The vectors are those of `use` cut to 384 dimensions, so that a server of neo4j_store.py can be taken.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import graphmem
from conditions import conditions
from graphmem.embedders.cached import CachedEmbedder
from graphmem.embedders.use import UseEmbedder
from graphmem.memory import GraphMemory
from graphmem.models.episode import Episode, Step
from graphmem.ports.embedder import Embedder, EmbedderSpec, Vectors
from throwaway import PASSWORD

TENANT = "benchmark-similar"
LIMIT = 3
RARE = 100
"""One episode of so many matches a filter."""
WARM = 20
"""Queries that are not timed: a server compiles its statements by the first ones."""
VERBS = ("Refund", "Track", "Cancel", "Explain", "Repair", "Migrate", "환불:", "배송 조회:", "취소:", "설정 변경:")
THINGS = ("the order", "a damaged lamp", "the invoice", "the build", "the database", "주문", "파손된 상품", "서버")
REASONS = ("since it came late", "after the upgrade", "before the audit", "고객이 요청해서", "오류가 나서", "다시")
CONTRACTS = ("Review clause", "Sign the contract on page", "계약서 조항 검토")
FILTERS: dict[str, dict[str, Any]] = {
    "no filter": {},
    "outcome": {"outcome": "failure"},
    "domain": {"domain": "law"},
}


class CutEmbedder:
    """`use` cut to its first 384 dimensions."""

    spec = EmbedderSpec("benchmark", 384)

    def __init__(self) -> None:
        self._whole = UseEmbedder()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts; see the port."""
        rows = self._whole.embed(texts)[:, : self.spec.dimension]
        shortened: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return shortened

    def calibrate(self, cosine: float) -> float:
        """The scale of the whole embedder."""
        return self._whole.calibrate(cosine)


def episodes(count: int) -> Iterator[Episode]:
    """Distinct goals; failures and users are spread over all subjects, the domain `law` is one of its own."""
    chance = random.Random(3)
    for number in range(count):
        law = number % RARE == 1
        yield Episode(
            id=f"e{number}",
            goal=f"{chance.choice(CONTRACTS)} {number}" if law else question(chance, number),
            domain="law" if law else "support",
            outcome="failure" if chance.random() < 1 / RARE else "success",
            user_id=f"user{chance.randrange(RARE)}",
            lessons=("look first",),
            steps=(Step(action="look", tools=("search",)), Step(action="answer")),
        )


def question(chance: random.Random, number: int) -> str:
    """A goal as users word it."""
    return f"{chance.choice(VERBS)} {chance.choice(THINGS)} {number} {chance.choice(REASONS)}"


def measure(open_memory: Callable[..., GraphMemory], what: str, embedder: Embedder, given: Any) -> None:
    """Fill a tenant, ask it under each filter, and print a line a filter."""
    with open_memory(embedder=embedder) as memory:
        begun = time.perf_counter()
        memory.episodes.add_many(episodes(given.count))
        print(f"{what}: {given.count:,} episodes written in {time.perf_counter() - begun:.0f} s", flush=True)
        for name, filters in FILTERS.items():
            print(f"  {name:10} {_figures(memory, embedder, filters, given)}", flush=True)
    with open_memory(embedder=embedder, user="user7") as memory:
        print(f"  {'user':10} {_figures(memory, embedder, {}, given)}", flush=True)


def _figures(memory: GraphMemory, embedder: Embedder, filters: dict[str, Any], given: Any) -> str:
    asked = filters if memory.user is None else {"user_id": memory.user}
    truth = [one for one in episodes(given.count) if all(getattr(one, key) == asked[key] for key in asked)]
    vectors = embedder.embed([one.goal for one in truth])
    # texts that no other line asks: a remembered vector would flatter the figure
    chance = random.Random(f"{memory.store.info().kind} {asked}")
    times, shares, short = [], [], 0
    for number in range(WARM + given.queries):
        text = question(chance, chance.randrange(10**9))
        begun = time.perf_counter()
        found = memory.episodes.similar(text, limit=LIMIT, min_similarity=0.0, **filters)
        if number >= WARM:
            times.append(1000 * (time.perf_counter() - begun))
        short += len(found) < LIMIT
        cosines = vectors @ embedder.embed([text])[0]
        # equal to five digits: a store may answer either
        best = {truth[place].id for place in np.flatnonzero(cosines >= np.sort(cosines)[-LIMIT] - 1e-5)}
        shares.append(sum(one.id in best for one in found) / LIMIT)
    cuts = statistics.quantiles(times, n=20)
    return (
        f"of {len(truth):6,}: p50 {cuts[9]:6.1f} ms  p95 {cuts[18]:6.1f} ms"
        f"  found {statistics.mean(shares):.3f}  short {short}"
    )


def main() -> None:
    """Measure a SQLite file, and a server where one is named."""
    parser = argparse.ArgumentParser(description="Similar episodes under a filter.")
    parser.add_argument("--count", type=int, default=50_000, help="Episodes of the tenant.")
    parser.add_argument("--queries", type=int, default=200, help="Queries that are timed, a filter.")
    parser.add_argument("--uri", help="A Neo4j to measure as well; password in NEO4J_PASSWORD.")
    given = parser.parse_args()
    print(conditions("neo4j"))
    embedder = CachedEmbedder(CutEmbedder(), capacity=2 * given.count)
    with tempfile.TemporaryDirectory() as folder:
        measure(partial(graphmem.open, Path(folder) / "similar.db", tenant=TENANT), "SQLite", embedder, given)
    if given.uri:
        auth = ("neo4j", os.environ.get("NEO4J_PASSWORD", PASSWORD))
        opened = partial(graphmem.open, given.uri, auth=auth, tenant=TENANT)
        try:
            measure(opened, "Neo4j", embedder, given)
        finally:
            with opened(embedder=embedder) as memory:
                memory.store.tenant(TENANT).erase()


if __name__ == "__main__":
    main()
