"""Reads as many items of a service's list as were asked for, page by page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from graphmem.cli.diagnostics import say
from graphmem.cli.options import Invocation
from graphmem.ports.listing import MAX_PAGE, Listing

Item = TypeVar("Item")


def first(invocation: Invocation, read: Callable[..., Listing[Item]], limit: int, **filters: Any) -> list[Item]:
    """The first items, and a word on stderr when there are more.

    Args:
        invocation: Decides whether that word is said.
        read: A service's `list`.
        limit: Items at most.
        **filters: Given to it; those that are None are left out.
    """
    asked = {name: value for name, value in filters.items() if value is not None}
    page = read(**asked, limit=min(limit, MAX_PAGE))
    items = list(page.items)
    while page.next is not None and len(items) < limit:
        page = read(**asked, limit=min(limit - len(items), MAX_PAGE), after=page.next)
        items += page.items
    if page.next is not None:
        say(invocation, f"There are more than these {len(items)}; --limit shows more.")
    return items
