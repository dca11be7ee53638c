"""neo4j-agent-memory: `short_term.add_messages_batch`, a call a session; nothing extracted, vectors looked up."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Coroutine, Sequence
from typing import Any

from neo4j_agent_memory import MemoryClient, MemorySettings
from neo4j_agent_memory.config.settings import ExtractionConfig, ExtractorType, Neo4jConfig

from peer_adapters.running import run
from peer_adapters.workload import DIMENSION, Given, Said

COUNT = "MATCH (m:Message) WHERE m.embedding IS NOT NULL RETURN count(m) AS found"


class LooksUp:
    """Implements that library's embedder."""

    dimensions = DIMENSION

    def __init__(self, given: Given) -> None:
        self._given = given

    async def embed(self, text: str) -> list[float]:
        """The vector of a text."""
        return self._given.list_of(text)

    async def embed_batch(self, texts: list[str]) -> list[list[float]]:
        """The vectors of texts."""
        return [self._given.list_of(text) for text in texts]


class AgentMemory:
    """Messages in conversations of users."""

    distribution = "neo4j-agent-memory"

    def __init__(self, uri: str, password: str, given: Given) -> None:
        self._loop = asyncio.new_event_loop()
        settings = MemorySettings(
            neo4j=Neo4jConfig(uri=uri, username="neo4j", password=password),
            backend="bolt",
            extraction=ExtractionConfig(extractor_type=ExtractorType.NONE),
        )
        self._client = MemoryClient(settings, embedder=LooksUp(given))
        self._wait(self._client.connect())

    def _wait(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._loop.run_until_complete(work)

    def write(self, said: Sequence[Said]) -> None:
        """A call a session, its messages in order."""
        by_session = sorted(said, key=lambda one: (one.session, one.at))
        for (session, user), group in itertools.groupby(by_session, key=lambda one: (one.session, one.user)):
            rows = [
                {
                    "role": "user",
                    "content": one.text,
                    "timestamp": one.at.isoformat(),
                    "metadata": {"id": one.id},
                }
                for one in group
            ]
            self._wait(self._client.short_term.add_messages_batch(session, rows, user_identifier=user))

    def count(self) -> int:
        """Messages with a vector."""
        return int(self._wait(self._client.query.cypher(COUNT))[0]["found"])

    def close(self) -> None:
        """Close the client."""
        self._wait(self._client.close())


if __name__ == "__main__":
    run(AgentMemory)
