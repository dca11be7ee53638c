"""engrama on Neo4j: `remember`, a call a message, an instance a user; an embedder that looks up.

The library chooses its embedder by a factory that only knows services behind HTTP: the factory is
replaced from outside, since a local service would add its own time to every call.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Sequence

import engrama.backends
import neo4j
from engrama import Engrama
from engrama.backends import create_stores
from engrama.backends.neo4j.async_store import Neo4jAsyncStore

from peer_adapters.running import run
from peer_adapters.workload import DIMENSION, Given, Said

COUNT = "MATCH (m:Concept) WHERE m.embedding IS NOT NULL RETURN count(m) AS found"


class LooksUp:
    """Has the methods of that library's providers."""

    dimensions = DIMENSION

    def __init__(self, given: Given) -> None:
        self._given = given

    def embed(self, text: str) -> list[float]:
        """The vector of a text."""
        return self._given.list_of(text)

    def embed_batch(self, texts: list[str]) -> list[list[float]]:
        """The vectors of texts."""
        return [self._given.list_of(text) for text in texts]

    def health_check(self) -> bool:
        """It is always there."""
        return True


async def _prepare(uri: str, password: str) -> None:
    """Create constraints and indexes as the library does by itself when its server connects.

    The vector index comes first: the library's own schema would size it for another embedder.
    """
    place = {"GRAPH_BACKEND": "neo4j", "NEO4J_URI": uri, "NEO4J_USERNAME": "neo4j", "NEO4J_PASSWORD": password}
    store, vectors = create_stores({**place, "EMBEDDING_DIMENSIONS": str(DIMENSION)})
    vectors.ensure_index()
    store.close()
    async with neo4j.AsyncGraphDatabase.driver(uri, auth=("neo4j", password)) as driver:
        await Neo4jAsyncStore(driver).ensure_schema()
        await driver.execute_query("CALL db.awaitIndexes(60)")


class EngramaSdk:
    """Messages as concepts, the text as their observation."""

    distribution = "engrama"

    def __init__(self, uri: str, password: str, given: Given) -> None:
        logging.disable(logging.WARNING)
        os.environ |= {"VAULT_PATH": "", "VECTOR_BACKEND": "neo4j"}
        embedder = LooksUp(given)
        engrama.backends.create_embedding_provider = lambda *_args, **_named: embedder
        asyncio.run(_prepare(uri, password))
        self._place = (uri, password)
        self._by_user: dict[str, Engrama] = {}

    def _of(self, user: str) -> Engrama:
        if user not in self._by_user:
            uri, password = self._place
            self._by_user[user] = Engrama(uri=uri, username="neo4j", password=password, user_id=user)
        return self._by_user[user]

    def write(self, said: Sequence[Said]) -> None:
        """A call a message."""
        for one in said:
            self._of(one.user).remember("Concept", one.id, one.text)

    def count(self) -> int:
        """Concepts with a vector."""
        uri, password = self._place
        with neo4j.GraphDatabase.driver(uri, auth=("neo4j", password)) as driver:
            return int(driver.execute_query(COUNT).records[0]["found"])

    def close(self) -> None:
        """Close every instance."""
        for instance in self._by_user.values():
            instance.close()


if __name__ == "__main__":
    run(EngramaSdk)
