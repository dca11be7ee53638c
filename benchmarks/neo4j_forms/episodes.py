"""8-step episodes with a vector: in batches, the same again, and one a transaction."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise
from typing import Any
from uuid import uuid4

import neo4j
import numpy as np

from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Tree
from neo4j_forms.server import BATCH, BEGIN, Server, chunked, unit_vectors, words
from neo4j_forms.timing import Timed, report

STEPS = 8
TOOLS = (
    "search",
    "read_file",
    "edit_file",
    "run_tests",
    "grep",
    "http_get",
    "sql",
    "ask",
    "plan",
    "summarise",
    "merge",
)
CONCEPTS = [f"concept{number}" for number in range(30)]

RAW_CONCEPTS = "UNWIND $names AS name MERGE (:RawConcept {tenant: $tenant, name: name})"
RAW_GUARD = """
UNWIND $rows AS row
MERGE (e:RawEpisode {tenant: $tenant, id: row.id})
  ON CREATE SET e += {goal: row.goal, search_text: row.search_text, outcome: row.outcome,
                      started_at: row.started_at, ended_at: row.ended_at}, e.fresh = true
WITH e, row WHERE e.fresh
CALL db.create.setNodeVectorProperty(e, 'embedding', row.embedding)
WITH e, row REMOVE e.fresh
WITH e, row
CALL (e, row) {
  UNWIND row.steps AS step
  CREATE (e)-[:HAS_STEP {i: step.i}]->(s:RawStep {tenant: $tenant, id: step.id, i: step.i, tool: step.tool,
                                                   status: step.status, text: step.text, at: step.at})
  WITH s, step
  MATCH (c:RawConcept {tenant: $tenant, name: step.concept})
  CREATE (s)-[:USED]->(c)
  WITH s ORDER BY s.i
  WITH collect(s) AS steps
  UNWIND range(0, size(steps) - 2) AS k
  WITH steps[k] AS a, steps[k + 1] AS b
  CREATE (a)-[:NEXT]->(b)
  RETURN count(*) AS made
}
FINISH
"""


def episode_rows(server: Server, count: int, seed: int) -> list[dict[str, Any]]:
    """The same episodes for both forms, as the raw one takes them."""
    random = np.random.default_rng(seed)
    vectors = unit_vectors(random, count)
    rows = []
    for number in range(count):
        text = words(random, 60)
        begun = BEGIN + timedelta(minutes=number)
        steps = [
            {
                "id": f"e{number}/{index}",
                "i": index,
                "tool": TOOLS[(7 * number + index) % len(TOOLS)],
                "status": "ok" if (number + index) % 9 else "error",
                "text": " ".join(text[24 + 4 * index : 28 + 4 * index]),
                "at": int((begun + timedelta(seconds=5 * index)).timestamp() * 1000),
                "concept": CONCEPTS[(number + index) % len(CONCEPTS)],
            }
            for index in range(STEPS)
        ]
        rows.append(
            {
                "id": f"e{number}",
                "goal": " ".join(text[:8]),
                "search_text": " ".join(text[:24]),
                "outcome": "success" if number % 5 else "failure",
                "started_at": int(begun.timestamp() * 1000),
                "ended_at": int((begun + timedelta(seconds=42)).timestamp() * 1000),
                "embedding": server.packed(vectors[number]),
                "steps": steps,
                "vector": vectors[number],
            }
        )
    return rows


def raw_row(row: dict[str, Any]) -> dict[str, Any]:
    """A row without what only the own form needs."""
    return {name: value for name, value in row.items() if name != "vector"}


def moment(milliseconds: int) -> datetime:
    """A time as graphmem keeps it."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def to_tree(row: dict[str, Any], recorded_at: datetime) -> Tree:
    """The records that graph/mapping makes of such an episode: 9 nodes and 23 edges."""
    own = {"created_at": recorded_at}
    root = NodeRef("Episode", row["id"])
    properties = {
        **own,
        "goal": row["goal"],
        "state": "closed",
        "outcome": row["outcome"],
        "started_at": moment(row["started_at"]),
        "ended_at": moment(row["ended_at"]),
        "duration_ms": 42_000,
        "domain": "support",
        "tools_used": sorted({step["tool"] for step in row["steps"]}),
        "time_unknown": False,
        "step_count": STEPS,
        "search_text": row["search_text"],
        "content_hash": f"{int(row['id'][1:]):032x}",
    }
    refs = [NodeRef("Step", step["id"]) for step in row["steps"]]
    nodes = [
        NodeRecord(
            "Step",
            ref.id,
            {
                **own,
                "episode": row["id"],
                "index": step["i"],
                "key": step["tool"],
                "action": step["tool"],
                "effective": step["status"] == "ok",
                "result": step["text"],
                "at": moment(step["at"]),
                "tools": [step["concept"]],
            },
        )
        for ref, step in zip(refs, row["steps"], strict=True)
    ]
    edges = [EdgeRecord("HAS_STEP", root, ref, own) for ref in refs]
    edges += [EdgeRecord("NEXT", a, b, own) for a, b in pairwise(refs)]
    edges += [
        EdgeRecord("USED", ref, NodeRef("Tool", step["concept"]), own)
        for ref, step in zip(refs, row["steps"], strict=True)
    ]
    return Tree(NodeRecord("Episode", row["id"], properties, row["vector"]), tuple(nodes), tuple(edges))


def shared_of(trees: Sequence[Tree], recorded_at: datetime) -> list[NodeRecord]:
    """The tools that trees name, as placeholders."""
    names = {edge.target.id for tree in trees for edge in tree.edges if edge.target.label == "Tool"}
    return [
        NodeRecord("Tool", name, {"key": name, "name": name, "created_at": recorded_at, "content_hash": ""})
        for name in sorted(names)
    ]


def raw_write(server: Server, tenant: str, rows: Sequence[dict[str, Any]], size: int, times: list[float]) -> None:
    """Write with the guard, idempotent by episode; seconds of each transaction go to `times`."""

    def work(tx: neo4j.ManagedTransaction, batch: Sequence[dict[str, Any]]) -> None:
        names = sorted({step["concept"] for row in batch for step in row["steps"]})
        tx.run(RAW_CONCEPTS, names=names, tenant=tenant).consume()
        tx.run(RAW_GUARD, rows=batch, tenant=tenant).consume()

    with server.driver.session(database="neo4j") as session:
        for batch in chunked(rows, size):
            begun = time.perf_counter()
            session.execute_write(work, batch)
            times.append(time.perf_counter() - begun)


def our_write(server: Server, tenant: str, trees: Sequence[Tree], size: int, times: list[float]) -> list[int]:
    """Write through the store; seconds of each transaction go to `times`. Returns tools and episodes added."""
    graph = server.store.tenant(tenant)
    added = [0, 0]
    for batch in chunked(trees, size):
        begun = time.perf_counter()
        with graph.transaction() as tx:
            added[0] += len(tx.save_nodes(shared_of(batch, BEGIN)).added)
            added[1] += len(tx.save_trees(batch).added)
        times.append(time.perf_counter() - begun)
    return added


def bench_write(server: Server, count: int, rounds: int) -> None:
    """Batches, the same again, and one a transaction, beside the guard."""
    rows = episode_rows(server, count, 3)
    trees = [to_tree(row, BEGIN) for row in rows]
    raw_rows = [raw_row(row) for row in rows]
    raw, ours, raw_again, ours_again = Timed(), Timed(), Timed(), Timed()
    warm = [f"warm-{uuid4().hex}" for _ in range(2)]
    for tenant in warm:
        raw_write(server, tenant, raw_rows, BATCH, [])
        our_write(server, tenant, trees, BATCH, [])
    for _ in range(rounds):
        tenant = f"bench-{uuid4().hex}"
        raw(partial(raw_write, server, tenant, raw_rows, BATCH, []))
        ours(partial(our_write, server, tenant, trees, BATCH, []))
        raw_again(partial(raw_write, server, tenant, raw_rows, BATCH, []))
        added: list[int] = []
        ours_again(lambda: added.extend(our_write(server, tenant, trees, BATCH, [])))  # noqa: B023 (called at once)
        if any(added):
            raise SystemExit(f"the second import added {added}")
    report("episodes, 500 a transaction", count, raw, ours, ">= .60, CPU <= .4 ms")
    report("the same again, 0 new", count, raw_again, ours_again, ">= .40")
    bench_single(server, raw_rows[:400], trees[:400])


def bench_single(server: Server, raw_rows: list[dict[str, Any]], trees: list[Tree]) -> None:
    """One episode a transaction, the forms in turn."""
    tenant = f"bench-{uuid4().hex}"
    raw_times: list[float] = []
    our_times: list[float] = []
    for row, tree in zip(raw_rows, trees, strict=True):
        raw_write(server, tenant, [row], 1, raw_times)
        our_write(server, tenant, [tree], 1, our_times)
    raw_ms, our_ms = (1000 * statistics.median(times[50:]) for times in (raw_times, our_times))
    times = f"raw {raw_ms:.2f} ms  ours {our_ms:.2f} ms  x {our_ms / raw_ms:.2f}"
    print(f"{'one episode a transaction, p50':34} {times} (<= 1.5)")
