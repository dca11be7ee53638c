"""Tenants of many sizes with messages, as searches meet them."""

from __future__ import annotations

import time
from typing import Any
from uuid import uuid4

import numpy as np

from graphmem.graph.records import NodeRecord
from neo4j_forms.server import BEGIN, DIMENSION, Server, unit_vectors

_A_TURN = 100
"""Messages that a tenant writes before the next one does."""


class Tenants:
    """Messages of tenants whose sizes fall like 1/rank: unit vectors around topics that tenants share.

    A sentence encoder's vectors look alike: one direction common to all, topics on a space of few dimensions,
    some variation within a topic. Each tenant speaks of 3 to 12 topics.
    """

    def __init__(self, count: int, tenants: int = 200, topics: int = 400) -> None:
        random = np.random.default_rng(7)
        shares = 1 / np.arange(1, tenants + 1)
        self.sizes = np.maximum(1, (count * shares / shares.sum()).astype(int))
        self.names = [f"tenant-{uuid4().hex}" for _ in range(tenants)]
        common = unit_vectors(random, 1)
        base = unit_vectors(random, 32)
        centres = random.standard_normal((topics, 32)).astype(np.float32) @ base
        self._centres = 0.55 * common + 0.85 * centres / np.linalg.norm(centres, axis=1, keepdims=True)
        self._local = random.standard_normal((topics, 12, DIMENSION)).astype(np.float32) / np.sqrt(DIMENSION)
        self._topics = [random.choice(topics, random.integers(3, 13), replace=False) for _ in range(tenants)]
        self._words = random.integers(0, 6000, (topics, 60))
        self.vectors = [self.drawn(random, tenant, size) for tenant, size in enumerate(self.sizes)]
        self.texts = [self._texts(random, tenant, size) for tenant, size in enumerate(self.sizes)]

    def drawn(self, random: np.random.Generator, tenant: int, count: int) -> Any:
        """Vectors of a tenant, float32, shape (count, 384)."""
        topics = random.choice(self._topics[tenant], count)
        shifts = random.standard_normal((count, 12)).astype(np.float32) * 0.2
        noise = random.standard_normal((count, DIMENSION)).astype(np.float32) * (0.25 / np.sqrt(DIMENSION))
        drawn = self._centres[topics] + np.einsum("kj,kjd->kd", shifts, self._local[topics]) + noise
        return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)

    def _texts(self, random: np.random.Generator, tenant: int, count: int) -> list[str]:
        topics = random.choice(self._topics[tenant], count)
        own = self._words[topics[:, None], random.integers(0, 60, (count, 12))]
        common = np.minimum((random.pareto(1.0, (count, 12)) * 20).astype(int), 5999)
        return [" ".join(f"w{word}" for word in words) for words in np.concatenate([own, common], axis=1)]

    def chosen(self) -> list[int]:
        """Tenants of about 17,000, 5,000, 1,000, 300 and 85 messages."""
        return [int(np.argmin(abs(self.sizes - size))) for size in (17_000, 5_000, 1_000, 300, 85)]


def load(server: Server, data: Tenants) -> None:
    """Write every tenant's messages, the tenants in turn as in life, and wait for the indexes."""
    begun = time.perf_counter()
    for start in range(0, int(data.sizes.max()), _A_TURN):
        for tenant, name in enumerate(data.names):
            records = [
                _record(number, data.texts[tenant][number], data.vectors[tenant][number])
                for number in range(start, min(start + _A_TURN, int(data.sizes[tenant])))
            ]
            if records:
                with server.store.tenant(name).transaction() as tx:
                    tx.save_nodes(records, replace=False)
    total = int(data.sizes.sum())
    print(
        f"loaded {total:,} messages of {len(data.names)} tenants in {time.perf_counter() - begun:.0f} s",
        flush=True,
    )


def _record(number: int, text: str, vector: Any) -> NodeRecord:
    return NodeRecord(
        "Message",
        f"m{number}",
        {
            "text": text,
            "search_text": text,
            "at": BEGIN,
            "created_at": BEGIN,
            "content_hash": f"{number:032x}",
        },
        vector,
    )
