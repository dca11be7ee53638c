"""Messages with a vector, 500 a transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import neo4j
import numpy as np

from graphmem.graph.records import NodeRecord
from neo4j_forms.server import BATCH, BEGIN, Server, chunked, unit_vectors, words
from neo4j_forms.timing import Timed, report

RAW_MESSAGES = """
UNWIND $rows AS row
MERGE (m:RawMessage {tenant: $tenant, id: row.id})
  ON CREATE SET m += {text: row.text, search_text: row.search_text, at: row.at, speaker: row.speaker},
                m.fresh = true
WITH m, row WHERE m.fresh
CALL db.create.setNodeVectorProperty(m, 'embedding', row.embedding)
WITH m REMOVE m.fresh
"""


def bench_messages(server: Server, count: int, rounds: int) -> None:
    """The store's save_nodes beside one MERGE statement."""
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

    def raw_batch(tx: neo4j.ManagedTransaction, tenant: str, batch: Sequence[dict[str, Any]]) -> None:
        tx.run(RAW_MESSAGES, rows=batch, tenant=tenant).consume()

    def raw_run(tenant: str) -> None:
        with server.driver.session(database="neo4j") as session:
            for batch in chunked(raw_rows, BATCH):
                session.execute_write(raw_batch, tenant, batch)

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
        raw(partial(raw_run, tenant))
        ours(partial(our_run, tenant))
    report("messages, 500 a transaction", count, raw, ours, ">= .40")
