"""Gives records their vectors: what every workflow does before it opens a transaction."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.graph.records import NodeRecord
from graphmem.graph.schema import NODE_TYPES
from graphmem.graph.texts import embedding_text
from graphmem.ports.embedder import Embedder


def with_vectors(records: Sequence[NodeRecord], embedder: Embedder | None) -> list[NodeRecord]:
    """The records, those of embedded labels with a vector.

    Args:
        records: Nodes in any order; one that has a vector keeps it.
        embedder: None leaves the records as they are.

    Returns:
        As many records in the same order.

    Raises:
        ModelError: The embedder failed; nothing was written.
    """
    if embedder is None:
        return list(records)
    waiting = [
        index
        for index, record in enumerate(records)
        if record.vector is None and NODE_TYPES[record.label].embedded
    ]
    if not waiting:
        return list(records)
    vectors = embedder.embed([embedding_text(records[i].label, records[i].properties) for i in waiting])
    filled = list(records)
    for index, vector in zip(waiting, vectors, strict=True):
        record = filled[index]
        filled[index] = NodeRecord(record.label, record.id, record.properties, vector)
    return filled
