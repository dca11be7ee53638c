"""How near the store on Neo4j comes to the raw driver: one command, one run, one warm server.

    python benchmarks/neo4j_store.py --uri bolt://127.0.0.1:7687 --password ... [write] [messages] [vectors] [texts]

Each form runs in turn with the raw one, several rounds, and the ratio is the median over rounds of neighbours
in time: a busy machine slows both. The server should be a throw-away one (tests/neo4j/server.py): the raw forms
leave labels of their own, which are removed at the end, and the vectors are of 384 dimensions.

write      8-step episodes with a vector, 500 a transaction, then the same again, then one a transaction
messages   messages with a vector, 500 a transaction
vectors    tenant-filtered nearest neighbours: recall@10 and p50 at tenants of 85 to 17,000 of 100,000
texts      full text within a tenant, ranking included, beside the index alone
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import neo4j
import numpy as np
from neo4j.vector import Vector as PackedVector

from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Tree
from graphmem.ports.embedder import EmbedderSpec
from graphmem.stores.neo4j.lexical import index_name, lucene
from graphmem.stores.neo4j.store import Neo4jStore

DIMENSION = 384
BATCH = 500
STEPS = 8
SPEC = EmbedderSpec("benchmark", DIMENSION)
BEGIN = datetime(2026, 3, 1, 9, tzinfo=UTC)
TOOLS = ("search", "read_file", "edit_file", "run_tests", "grep", "http_get", "sql", "ask", "plan", "summarise", "merge")
CONCEPTS = [f"concept{number}" for number in range(30)]

RAW_SCHEMA = (
    "CREATE CONSTRAINT raw_episode IF NOT EXISTS FOR (n:RawEpisode) REQUIRE (n.tenant, n.id) IS UNIQUE",
    "CREATE CONSTRAINT raw_step IF NOT EXISTS FOR (n:RawStep) REQUIRE (n.tenant, n.id) IS UNIQUE",
    "CREATE CONSTRAINT raw_concept IF NOT EXISTS FOR (n:RawConcept) REQUIRE (n.tenant, n.name) IS UNIQUE",
    "CREATE CONSTRAINT raw_message IF NOT EXISTS FOR (n:RawMessage) REQUIRE (n.tenant, n.id) IS UNIQUE",
    "CREATE FULLTEXT INDEX raw_episode_text IF NOT EXISTS FOR (n:RawEpisode) ON EACH [n.search_text, n.tenant]"
    " OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}",
    "CREATE FULLTEXT INDEX raw_message_text IF NOT EXISTS FOR (n:RawMessage) ON EACH [n.search_text, n.tenant]"
    " OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}",
)
RAW_VECTORS = (
    "CREATE VECTOR INDEX raw_{name}_vector IF NOT EXISTS FOR (n:{label}) ON n.embedding{filter} OPTIONS {{indexConfig:"
    " {{`vector.dimensions`: 384, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}}}}"
)
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
RAW_MESSAGES = """
UNWIND $rows AS row
MERGE (m:RawMessage {tenant: $tenant, id: row.id})
  ON CREATE SET m += {text: row.text, search_text: row.search_text, at: row.at, speaker: row.speaker}, m.fresh = true
WITH m, row WHERE m.fresh
CALL db.create.setNodeVectorProperty(m, 'embedding', row.embedding)
WITH m REMOVE m.fresh
"""


@dataclass(frozen=True)
class Server:
    """The server and both ways to it."""

    driver: neo4j.Driver
    store: Neo4jStore
    old: bool
    """Whether it is the 5.26 line."""

    def run(self, text: str, **parameters: Any) -> list[Any]:
        with self.driver.session(database="neo4j") as session:
            return [record.values() for record in session.run(text, parameters)]  # type: ignore[arg-type]  # text of this file

    def packed(self, vector: Any) -> Any:
        return vector.tolist() if self.old else PackedVector.from_numpy(vector)


@contextmanager
def connected(uri: str, password: str) -> Iterator[Server]:
    driver = neo4j.GraphDatabase.driver(uri, auth=("neo4j", password), notifications_min_severity="OFF")
    store = Neo4jStore(uri, auth=("neo4j", password), embedder=SPEC)
    server = Server(driver, store, store.info().version.startswith("5."))
    for text in RAW_SCHEMA:
        server.run(text)
    for name, label in (("episode", "RawEpisode"), ("message", "RawMessage")):
        declared = "" if server.old else " WITH [n.tenant]"
        prefix = "" if server.old else "CYPHER 25 "
        server.run(prefix + RAW_VECTORS.format(name=name, label=label, filter=declared))
    server.run("CALL db.awaitIndexes(60)")
    try:
        yield server
    finally:
        for text in ("RawEpisode", "RawStep", "RawConcept", "RawMessage"):
            server.run(f"MATCH (n:{text}) CALL (n) {{ DETACH DELETE n }} IN TRANSACTIONS OF 2000 ROWS")
        store.close()
        driver.close()


class Timed:
    """Wall and CPU time of a form, round by round."""

    def __init__(self) -> None:
        self.walls: list[float] = []
        self.cpus: list[float] = []

    def __call__(self, work: Callable[[], object]) -> None:
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        self.walls.append(time.perf_counter() - wall)
        self.cpus.append(time.process_time() - cpu)


def ratio(raw: Timed, ours: Timed) -> float:
    """Our rate over the raw one: the median over rounds."""
    return statistics.median(a / b for a, b in zip(raw.walls, ours.walls, strict=True))


def report(what: str, count: int, raw: Timed, ours: Timed, bar: str) -> None:
    rates = [count / min(timed.walls) for timed in (raw, ours)]
    cpu = 1000 * min(ours.cpus) / count
    raw_cpu = 1000 * min(raw.cpus) / count
    print(
        f"{what:34} raw {rates[0]:8,.0f}/s  ours {rates[1]:8,.0f}/s  ratio {ratio(raw, ours):.2f} ({bar})"
        f"  client CPU {cpu:.3f} ms (raw {raw_cpu:.3f})",
        flush=True,
    )


def words(random: np.random.Generator, count: int) -> list[str]:
    return [f"w{number}" for number in random.integers(0, 6000, count)]


def unit_vectors(random: np.random.Generator, count: int) -> Any:
    drawn = random.standard_normal((count, DIMENSION)).astype(np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


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
    return {name: value for name, value in row.items() if name != "vector"}


def moment(milliseconds: int) -> datetime:
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
    edges += [EdgeRecord("NEXT", a, b, own) for a, b in zip(refs, refs[1:], strict=False)]
    edges += [
        EdgeRecord("USED", ref, NodeRef("Tool", step["concept"]), own)
        for ref, step in zip(refs, row["steps"], strict=True)
    ]
    return Tree(NodeRecord("Episode", row["id"], properties, row["vector"]), tuple(nodes), tuple(edges))


def shared_of(trees: Sequence[Tree], recorded_at: datetime) -> list[NodeRecord]:
    names = {edge.target.id for tree in trees for edge in tree.edges if edge.target.label == "Tool"}
    return [
        NodeRecord("Tool", name, {"key": name, "name": name, "created_at": recorded_at, "content_hash": ""})
        for name in sorted(names)
    ]


def chunked(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def raw_write(server: Server, tenant: str, rows: Sequence[dict[str, Any]], size: int, times: list[float]) -> None:
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
        raw(lambda: raw_write(server, tenant, raw_rows, BATCH, []))  # noqa: B023 (called at once)
        ours(lambda: our_write(server, tenant, trees, BATCH, []))  # noqa: B023 (called at once)
        raw_again(lambda: raw_write(server, tenant, raw_rows, BATCH, []))  # noqa: B023 (called at once)
        added: list[int] = []
        ours_again(lambda: added.extend(our_write(server, tenant, trees, BATCH, [])))  # noqa: B023 (called at once)
        if any(added):
            raise SystemExit(f"the second import added {added}")
    report("episodes, 500 a transaction", count, raw, ours, ">= .60, CPU <= .4 ms")
    report("the same again, 0 new", count, raw_again, ours_again, ">= .40")
    bench_single(server, raw_rows[:400], trees[:400])


def bench_single(server: Server, raw_rows: list[dict[str, Any]], trees: list[Tree]) -> None:
    tenant = f"bench-{uuid4().hex}"
    raw_times: list[float] = []
    our_times: list[float] = []
    for row, tree in zip(raw_rows, trees, strict=True):
        raw_write(server, tenant, [row], 1, raw_times)
        our_write(server, tenant, [tree], 1, our_times)
    raw_ms, our_ms = (1000 * statistics.median(times[50:]) for times in (raw_times, our_times))
    print(f"{'one episode a transaction, p50':34} raw {raw_ms:.2f} ms  ours {our_ms:.2f} ms  x {our_ms / raw_ms:.2f} (<= 1.5)")


def bench_messages(server: Server, count: int, rounds: int) -> None:
    random = np.random.default_rng(11)
    vectors = unit_vectors(random, count)
    texts = [" ".join(words(random, 16)) for _ in range(count)]
    raw_rows = [
        {
            "id": f"m{number}",
            "text": text,
            "search_text": text,
            "at": int((BEGIN + timedelta(seconds=number)).timestamp() * 1000),
            "speaker": "Ada",
            "embedding": server.packed(vectors[number]),
        }
        for number, text in enumerate(texts)
    ]
    records = [
        NodeRecord(
            "Message",
            f"m{number}",
            {
                "text": text,
                "search_text": text,
                "at": BEGIN + timedelta(seconds=number),
                "speaker": "Ada",
                "role": "user",
                "created_at": BEGIN,
                "content_hash": f"{number:032x}",
            },
            vectors[number],
        )
        for number, text in enumerate(texts)
    ]

    def raw_run(tenant: str) -> None:
        with server.driver.session(database="neo4j") as session:
            for batch in chunked(raw_rows, BATCH):
                session.execute_write(lambda tx, batch=batch: tx.run(RAW_MESSAGES, rows=batch, tenant=tenant).consume())

    def our_run(tenant: str) -> None:
        graph = server.store.tenant(tenant)
        for batch in chunked(records, BATCH):
            with graph.transaction() as tx:
                tx.save_nodes(batch, replace=False)

    raw, ours = Timed(), Timed()
    for _ in range(2):
        raw_run(f"warm-{uuid4().hex}")
        our_run(f"warm-{uuid4().hex}")
    for _ in range(rounds):
        tenant = f"bench-{uuid4().hex}"
        raw(lambda: raw_run(tenant))  # noqa: B023 (called at once)
        ours(lambda: our_run(tenant))  # noqa: B023 (called at once)
    report("messages, 500 a transaction", count, raw, ours, ">= .40")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", default=["write", "messages", "vectors", "texts"])
    parser.add_argument("--uri", required=True)
    parser.add_argument("--password", default="graphmem-test")
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    with connected(given.uri, given.password) as server:
        print(f"Neo4j {server.store.info().version}, driver {neo4j.__version__}")
        if "write" in given.what:
            bench_write(server, given.count, given.rounds)
        if "messages" in given.what:
            bench_messages(server, given.count, given.rounds)
        if "vectors" in given.what or "texts" in given.what:
            bench_search(server, given.what)


def bench_search(server: Server, what: Sequence[str]) -> None:
    del server, what, index_name, lucene


if __name__ == "__main__":
    main()
