"""Gathers what may answer a query from both indexes, and completes the scores one of them lacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.graph.records import Hit, NodeRecord, NodeRef, Vector
from graphmem.ports.embedder import Embedder
from graphmem.ports.graph_store import TenantGraph
from graphmem.recall.fusion import Signals, cosines
from graphmem.recall.scope import Scope


@dataclass(frozen=True, slots=True)
class Candidate:
    """A node that may answer, with what is known of it."""

    record: NodeRecord
    signals: Signals


def by_words(graph: TenantGraph, scope: Scope, tokens: Sequence[str], limit: int) -> list[Hit]:
    """The nodes that share tokens with the query, by BM25, best first."""
    hits = [hit for where in scope.rounds() for hit in graph.search(scope.labels, tokens, where, limit=limit)]
    return _best(hits, limit)


def by_likeness(graph: TenantGraph, scope: Scope, vector: Vector, limit: int) -> list[Hit]:
    """The nodes nearest to the query's vector, by cosine, best first."""
    hits = [
        hit
        for label, filters in scope.filters.items()
        for where in filters
        for hit in graph.nearest(label, vector, where, limit=limit)
    ]
    return _best(hits, limit)


def merged(
    graph: TenantGraph, words: Sequence[Hit], likeness: Sequence[Hit], query: tuple[Vector, Embedder] | None
) -> list[Candidate]:
    """Both lists as one; what only words found gets its likeness from its stored vector.

    Args:
        graph: One tenant's graph.
        words: Hits by BM25.
        likeness: Hits by cosine.
        query: The query's vector and the embedder that puts cosines on the common scale, if any.
    """
    records = {hit.record.ref: hit.record for hit in (*likeness, *words)}
    lexical = {hit.record.ref: hit.score for hit in words}
    cosine = {hit.record.ref: hit.score for hit in likeness}
    similarity: dict[NodeRef, float] = {}
    if query is not None:
        vector, embedder = query
        cosine |= _stored_cosines(graph, [ref for ref in records if ref not in cosine], vector)
        similarity = {ref: embedder.calibrate(value) for ref, value in cosine.items()}
    return [
        Candidate(record, Signals(lexical.get(ref, 0.0), similarity.get(ref), _is_bare(record)))
        for ref, record in records.items()
    ]


def _stored_cosines(graph: TenantGraph, refs: Sequence[NodeRef], vector: Vector) -> dict[NodeRef, float]:
    if not refs:
        return {}
    stored = {ref: node.vector for ref, node in graph.get(refs, vectors=True).items() if node.vector is not None}
    return dict(zip(stored, cosines(vector, list(stored.values())), strict=True))


def _is_bare(record: NodeRecord) -> bool:
    return record.label == "Concept" and not record.properties.get("definition")


def _best(hits: list[Hit], limit: int) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.record.ref))[:limit]
