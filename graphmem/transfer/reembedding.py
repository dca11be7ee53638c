"""Moves a store to another embedder: new vectors beside those in use, then a switch at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from graphmem.errors import ConflictError
from graphmem.graph.schema import EMBEDDED
from graphmem.graph.texts import embedding_text
from graphmem.ports.embedder import Embedder
from graphmem.ports.graph_store import GraphStore, TenantGraph

_BATCH = 200
"""Nodes that are embedded together."""

_ROUNDS = 5
"""Times the whole store is gone through again because others wrote meanwhile."""

Progress = Callable[[str, int], None]
"""Called after each batch with its label and the number of nodes."""


def reembed_store(store: GraphStore, embedder: Embedder, *, progress: Progress | None = None) -> dict[str, int]:
    """Give every embedded node of every tenant a vector of another embedder.

    Recall works with the old vectors until the end. Stopped and run again with the same embedder, it goes on
    where it stopped.

    Args:
        store: The store.
        embedder: Whose vectors it shall hold.
        progress: Told how far it is.

    Returns:
        Nodes embedded by this call, by label.

    Raises:
        SchemaError: A re-embedding to another embedder is running.
        ModelError: The embedder failed; run it again to go on.
        ConflictError: Others write faster than this embeds.
    """
    embedded: Counter[str] = Counter()
    store.begin_reembedding(embedder.spec)
    for _ in range(_ROUNDS - 1):
        _embed_all(store, embedder, embedded, progress)
        try:
            store.finish_reembedding()
        except ConflictError:
            continue
        return dict(embedded)
    _embed_all(store, embedder, embedded, progress)
    store.finish_reembedding()
    return dict(embedded)


def _embed_all(store: GraphStore, embedder: Embedder, embedded: Counter[str], progress: Progress | None) -> None:
    """Embed what has no new vector yet, and count it."""
    for name in store.tenants():
        for label in EMBEDDED:
            count = _embed_label(store.tenant(name), label, embedder, progress)
            if count:
                embedded[label] += count


def _embed_label(graph: TenantGraph, label: str, embedder: Embedder, progress: Progress | None) -> int:
    """Embed what has no new vector yet; how many nodes that was."""
    embedded = 0
    after: str | None = None
    while nodes := graph.missing_vectors(label, after=after, limit=_BATCH):
        vectors = embedder.embed([embedding_text(node.label, node.properties) for node in nodes])
        graph.save_vectors(label, [(node.id, vector) for node, vector in zip(nodes, vectors, strict=True)])
        embedded += len(nodes)
        after = nodes[-1].id
        if progress is not None:
            progress(label, len(nodes))
    return embedded
