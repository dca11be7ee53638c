"""graphmem: `memory.messages.add_many`, with an embedder that looks up."""

from __future__ import annotations

from collections.abc import Sequence

import graphmem
from graphmem.ports.embedder import EmbedderSpec, Vectors
from peer_adapters.running import run
from peer_adapters.workload import DIMENSION, Given, Said

PAGE = 1000


class LooksUp:
    """Implements graphmem's `Embedder`."""

    spec = EmbedderSpec("given", DIMENSION)

    def __init__(self, given: Given) -> None:
        self._given = given

    def embed(self, texts: Sequence[str]) -> Vectors:
        """The vectors of texts."""
        return self._given.rows_of(texts)

    def calibrate(self, cosine: float) -> float:
        """Not asked for in writing."""
        return max(cosine, 0.0)


class ThisPackage:
    """Messages with users and sessions in one tenant."""

    distribution = "graphmem"

    def __init__(self, uri: str, password: str, given: Given) -> None:
        self._memory = graphmem.open(uri, tenant="bench", auth=("neo4j", password), embedder=LooksUp(given))

    def write(self, said: Sequence[Said]) -> None:
        """One stream."""
        self._memory.messages.add_many(
            {"id": one.id, "text": one.text, "user_id": one.user, "session": one.session, "at": one.at}
            for one in said
        )

    def count(self) -> int:
        """Messages whose vector is stored."""
        graph, found, after = self._memory.workspace.graph, 0, None
        while True:
            page = graph.scan("Message", after=after, limit=PAGE, vectors=True)
            found += sum(record.vector is not None for record in page.records)
            if (after := page.next) is None:
                return found

    def close(self) -> None:
        """Close the memory."""
        self._memory.close()


if __name__ == "__main__":
    run(ThisPackage)
