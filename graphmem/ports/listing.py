"""Keyset pages of a service's items, also over several filters that exclude each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from graphmem.errors import InvalidInputError
from graphmem.graph.records import Cursor, Equals, Filter, NodeRecord, Page, Range, Scalar
from graphmem.models.fields import to_utc
from graphmem.ports.graph_store import TenantGraph

Item = TypeVar("Item")
Other = TypeVar("Other")

MAX_PAGE = 10_000
"""Items of a page at most: the port's own bound."""


@dataclass(frozen=True, slots=True)
class Listing(Generic[Item]):
    """A page of items, and where to go on; stable while others write."""

    items: tuple[Item, ...]
    """The items in order."""
    next: Cursor | None
    """Give it as `after` to get the next page; None on the last one."""

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


def equals(**values: Scalar | None) -> tuple[Filter, ...]:
    """A condition for each value that was given."""
    return tuple(Equals(name, value) for name, value in values.items() if value is not None)


def between(name: str, since: datetime | None, until: datetime | None) -> tuple[Filter, ...]:
    """A condition on a time, both bounds included; none when no bound was given.

    Raises:
        InvalidInputError: A bound has no offset.
    """
    if since is None and until is None:
        return ()
    return (Range(name, moment(since, "since"), moment(until, "until")),)


def moment(value: datetime | None, what: str) -> datetime | None:
    """A caller's time in UTC.

    Raises:
        InvalidInputError: It has no offset or is no time.
    """
    if value is None:
        return None
    try:
        return to_utc(value)
    except ValueError as fault:
        raise InvalidInputError(f"{what}: {fault}") from None


def read_page(
    graph: TenantGraph,
    label: str,
    filters: Sequence[Filter | None],
    *,
    order: str = "id",
    after: Cursor | None = None,
    limit: int = 100,
) -> Page:
    """A page of the nodes that match one of the filters, which exclude each other.

    Args:
        graph: One tenant's graph.
        label: Label to read.
        filters: At least one; None lets everything through.
        order: As `TenantGraph.scan`.
        after: `next` of the page before.
        limit: 1 to 10,000.

    Raises:
        InvalidInputError: A bound is broken.
    """
    if not 1 <= limit <= MAX_PAGE:
        raise InvalidInputError(f"limit is {limit}; it can be 1 to {MAX_PAGE}")
    pages = [graph.scan(label, where, order=order, after=after, limit=limit) for where in filters]
    if len(pages) == 1:
        return pages[0]
    return _merged(pages, order, limit)


def read_all(
    graph: TenantGraph, label: str, filters: Sequence[Filter | None], *, order: str = "id", limit: int = 1000
) -> Iterator[NodeRecord]:
    """All nodes that match one of the filters, page by page."""
    after: Cursor | None = None
    while True:
        page = read_page(graph, label, filters, order=order, after=after, limit=limit)
        yield from page.records
        if page.next is None:
            return
        after = page.next


def listing(page: Page, read: Callable[[NodeRecord], Item]) -> Listing[Item]:
    """A page of records as a page of items."""
    return Listing(tuple(map(read, page.records)), page.next)


def _merged(pages: Sequence[Page], order: str, limit: int) -> Page:
    name, falling = order.removeprefix("-"), order.startswith("-")
    found = sorted((record for page in pages for record in page.records), key=lambda record: record.id)
    having = [record for record in found if _value(record, name) is not None]
    having.sort(key=lambda record: _value(record, name), reverse=falling)
    lacking = [record for record in found if _value(record, name) is None]
    kept = (having + lacking)[:limit]
    more = len(found) > limit or any(page.next is not None for page in pages)
    return Page(tuple(kept), (_value(kept[-1], name), kept[-1].id) if more and kept else None)


def _value(record: NodeRecord, name: str) -> Any:
    return record.id if name == "id" else record.properties.get(name)
