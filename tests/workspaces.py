"""Workspaces for service tests: the embedded store, the hashing embedder, a clock that stands still."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from graphmem.embedders.hashing import HashingEmbedder
from graphmem.ports.embedder import Embedder
from graphmem.ports.workspace import Workspace
from graphmem.stores.sqlite.store import SqliteStore
from graphmem.testing.clock import FakeClock


class Desk:
    """One store with workspaces of any tenant and user on it, all with one clock and counted chance."""

    def __init__(self, path: Path, embedder: Embedder | None) -> None:
        self.clock = FakeClock()
        self.embedder = embedder
        self.store = SqliteStore(path, embedder=None if embedder is None else embedder.spec, clock=self.clock)
        self._numbers = count(1)

    def workspace(self, tenant: str = "acme", user: str | None = None) -> Workspace:
        """What a service of this tenant and user works with."""
        return Workspace(self.store.tenant(tenant), user, self.embedder, self.clock, self._bytes)

    def _bytes(self, size: int) -> bytes:
        return next(self._numbers).to_bytes(size, "big")


def desk(folder: Path, embedder: Embedder | None = None) -> Desk:
    """A desk on a new store in a folder; the embedder is the hashing one unless another one is given."""
    return Desk(folder / "memory.db", embedder or HashingEmbedder())


def desk_without_embedder(folder: Path) -> Desk:
    """A desk whose store holds no vectors."""
    return Desk(folder / "memory.db", None)
