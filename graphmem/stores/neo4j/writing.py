"""What the statements of one write transaction share, and what names what they write."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from graphmem.graph.records import NodeRecord, NodeRef
from graphmem.graph.schema import NODE_TYPES
from graphmem.queries import Query
from graphmem.stores.neo4j import statements
from graphmem.stores.neo4j.connection import Pending, Row, WriteTransaction
from graphmem.stores.neo4j.state import StoreState
from graphmem.stores.neo4j.statements import filled
from graphmem.stores.neo4j.values import VectorCodec

Item = TypeVar("Item")


@dataclass(slots=True)
class WriteContext:
    """The part of a transaction that its statements share."""

    tenant: str
    state: StoreState
    codec: VectorCodec
    writer: WriteTransaction
    counts: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """By how much the tenant's counts change."""
    changed: bool = False
    has_vectors: bool = False
    fresh: set[NodeRef] = field(default_factory=set)
    """Nodes that did not exist before this transaction: all their edges are its own."""
    created: set[tuple[str, NodeRef, NodeRef]] = field(default_factory=set)
    """Edges that were written at such nodes."""
    _unread: list[tuple[Pending, Callable[[list[Row]], None]]] = field(default_factory=list)

    def run(self, statement: Query, parameters: Mapping[str, Any], **stand_ins: str) -> list[Row]:
        """Run a statement of cypher/graph for the tenant."""
        return self.send(statement, parameters, **stand_ins).rows()

    def send(self, statement: Query, parameters: Mapping[str, Any], **stand_ins: str) -> Pending:
        """Send a statement: the server works on it while the next one is made."""
        text = filled(statement, **stand_ins)
        return self.writer.send(statement.name, text, {"tenant": self.tenant, **parameters})

    def check_later(self, pending: Pending, check: Callable[[list[Row]], None]) -> None:
        """Leave an answer unread that only tells whether all went well."""
        self._unread.append((pending, check))

    def settle(self) -> None:
        """Read what was left unread.

        Raises:
            GraphMemError: What a check found wrong.
        """
        unread, self._unread = self._unread, []
        for pending, check in unread:
            check(pending.rows())

    def count(self, label: str, documents: int, words: int) -> None:
        """Note that a label's documents and words change."""
        self.changed = True
        if documents:
            self.counts[f"documents_{label}"] += documents
        if words:
            self.counts[f"words_{label}"] += words

    def note(self, record: NodeRecord, words_before: int | None) -> None:
        """Note that a node was written, where it had so many words before."""
        self.has_vectors |= record.vector is not None
        text = record.properties.get("search_text")
        words = text.count(" ") + 1 if isinstance(text, str) and text else 0
        before = words_before or 0
        self.count(record.label, bool(words) - bool(before), words - before)


def chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """The items in lists of at most this many."""
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk


def by_label(refs: Iterable[NodeRef]) -> dict[str, list[str]]:
    """Distinct ids by label, sorted: writers take locks in one order."""
    found: dict[str, set[str]] = defaultdict(set)
    for ref in refs:
        found[ref.label].add(ref.id)
    return {label: sorted(ids) for label, ids in sorted(found.items()) if label in NODE_TYPES}


def read_hashes(context: WriteContext, refs: Iterable[NodeRef]) -> dict[NodeRef, str]:
    """Content hashes of the nodes that exist."""
    found: dict[NodeRef, str] = {}
    for label, ids in by_label(refs).items():
        ((hashes,),) = context.run(statements.HASHES, {"ids": ids}, label=label)
        found.update((NodeRef(label, node_id), content_hash) for node_id, content_hash in hashes)
    return found
