"""The server that is measured, reached by the raw driver and by graphmem's store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import neo4j
import numpy as np
from neo4j import Query
from neo4j.vector import Vector as PackedVector

from graphmem.ports.embedder import EmbedderSpec
from graphmem.stores.neo4j.store import Neo4jStore

DIMENSION = 384
BATCH = 500
SPEC = EmbedderSpec("benchmark", DIMENSION)
BEGIN = datetime(2026, 3, 1, 9, tzinfo=UTC)

RAW_SCHEMA = (
    "CREATE CONSTRAINT raw_episode IF NOT EXISTS FOR (n:RawEpisode) REQUIRE (n.tenant, n.id) IS UNIQUE",
    "CREATE CONSTRAINT raw_step IF NOT EXISTS FOR (n:RawStep) REQUIRE (n.tenant, n.id) IS UNIQUE",
    "CREATE CONSTRAINT raw_concept IF NOT EXISTS FOR (n:RawConcept) REQUIRE (n.tenant, n.name) IS UNIQUE",
    "CREATE CONSTRAINT raw_message IF NOT EXISTS FOR (n:RawMessage) REQUIRE (n.tenant, n.id) IS UNIQUE",
    (
        "CREATE FULLTEXT INDEX raw_episode_text IF NOT EXISTS FOR (n:RawEpisode) ON EACH [n.search_text, n.tenant]"
        " OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}"
    ),
    (
        "CREATE FULLTEXT INDEX raw_message_text IF NOT EXISTS FOR (n:RawMessage) ON EACH [n.search_text, n.tenant]"
        " OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}"
    ),
)
RAW_VECTORS = (
    "CREATE VECTOR INDEX raw_{name}_vector IF NOT EXISTS FOR (n:{label}) ON n.embedding{filter}"
    " OPTIONS {{indexConfig: {{`vector.dimensions`: 384,"
    " `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}}}}"
)


@dataclass(frozen=True)
class Server:
    """The server and both ways to it."""

    driver: neo4j.Driver
    store: Neo4jStore
    old: bool
    """Whether it is the 5.26 line."""

    def run(self, text: str, **parameters: Any) -> list[Any]:
        """The rows of a statement of this benchmark."""
        query = Query(text)
        with self.driver.session(database="neo4j") as session:
            return [record.values() for record in session.run(query, parameters)]

    def packed(self, vector: Any) -> Any:
        """A vector as the line takes it as a parameter."""
        return vector.tolist() if self.old else PackedVector.from_numpy(vector)


@contextmanager
def connected(uri: str, password: str) -> Iterator[Server]:
    """Connect both ways, make the raw schema, and remove what the raw forms wrote at the end."""
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


def words(random: np.random.Generator, count: int) -> list[str]:
    """Words of a vocabulary of 6,000."""
    return [f"w{number}" for number in random.integers(0, 6000, count)]


def unit_vectors(random: np.random.Generator, count: int) -> Any:
    """float32 vectors of length 1, shape (count, 384)."""
    drawn = random.standard_normal((count, DIMENSION)).astype(np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def chunked(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    """Items in batches."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
