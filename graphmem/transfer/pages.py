"""Reads a tenant's nodes page by page, so that a stream over all of them holds one page at a time."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.graph.records import Cursor, Filter, NodeRecord
from graphmem.ports.graph_store import TenantGraph


def pages(
    graph: TenantGraph, label: str, where: Filter | None = None, *, size: int, vectors: bool = False
) -> Iterator[tuple[NodeRecord, ...]]:
    """All nodes of a label that match, by id, in pages of at most `size`."""
    after: Cursor | None = None
    while True:
        page = graph.scan(label, where, after=after, limit=size, vectors=vectors)
        if page.records:
            yield page.records
        if page.next is None:
            return
        after = page.next
