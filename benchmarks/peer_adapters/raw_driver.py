"""The floor: the plain driver, one idempotent MERGE a batch of 500, the vector in the same statement."""

from __future__ import annotations

from collections.abc import Sequence

import neo4j
from neo4j.vector import Vector

from peer_adapters.running import run
from peer_adapters.workload import DIMENSION, Given, Said

BATCH = 500

KEY = "CREATE CONSTRAINT said IF NOT EXISTS FOR (m:Said) REQUIRE (m.user, m.id) IS UNIQUE"
INDEX = (
    "CREATE VECTOR INDEX said_vector IF NOT EXISTS FOR (m:Said) ON m.embedding WITH [m.user] "
    f"OPTIONS {{indexConfig: {{`vector.dimensions`: {DIMENSION}, `vector.similarity_function`: 'cosine'}}}}"
)
WRITE = (
    "UNWIND $rows AS row MERGE (m:Said {user: row.user, id: row.id}) "
    "ON CREATE SET m.session = row.session, m.text = row.text, m.at = row.at "
    "WITH m, row CALL db.create.setNodeVectorProperty(m, 'embedding', row.vector)"
)
COUNT = "MATCH (m:Said) WHERE m.embedding IS NOT NULL RETURN count(m) AS found"


class RawDriver:
    """Messages as nodes of one label."""

    distribution = "neo4j"

    def __init__(self, uri: str, password: str, given: Given) -> None:
        self._given = given
        self._driver = neo4j.GraphDatabase.driver(uri, auth=("neo4j", password))
        for statement in ("CYPHER 25 " + KEY, "CYPHER 25 " + INDEX, "CALL db.awaitIndexes(60)"):
            self._driver.execute_query(statement)

    def write(self, said: Sequence[Said]) -> None:
        """A transaction a batch."""
        for start in range(0, len(said), BATCH):
            batch = said[start : start + BATCH]
            vectors = self._given.rows_of([one.text for one in batch])
            rows = [
                {
                    "user": one.user,
                    "id": one.id,
                    "session": one.session,
                    "text": one.text,
                    "at": int(one.at.timestamp() * 1000),
                    "vector": Vector.from_numpy(vector),
                }
                for one, vector in zip(batch, vectors, strict=True)
            ]
            self._driver.execute_query(WRITE, rows=rows)

    def count(self) -> int:
        """Nodes with a vector."""
        return int(self._driver.execute_query(COUNT).records[0]["found"])

    def close(self) -> None:
        """Close the driver."""
        self._driver.close()


if __name__ == "__main__":
    run(RawDriver)
