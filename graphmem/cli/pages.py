"""Reads as many items of a service's list as were asked for, page by page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from graphmem.cli.diagnostics import say
from graphmem.cli.options import Invocation

if TYPE_CHECKING:
    from graphmem.ports.listing import Listing

Item = TypeVar("Item")

_PAGE = 1000
"""Items read at once."""


def first(invocation: Invocation, read: Callable[..., Listing[Item]], limit: int, **filters: Any) -> list[Item]:
    """The first items, and a word on stderr when there are more.

    Args:
        invocation: Decides whether that word is said.
        read: A service's `list`.
        limit: Items at most.
        **filters: Given to it; those that are None are left out.
    """
    items, more = _read(read, limit, filters)
    if more:
        say(invocation, f"There are more than these {len(items)}; --limit shows more.")
    return items


def everything(read: Callable[..., Listing[Item]], limit: int | None, **filters: Any) -> list[Item]:
    """All items, or as many as are wanted.

    Args:
        read: A service's `list`.
        limit: Items at most; None: all.
        **filters: Given to it; those that are None are left out.
    """
    return _read(read, limit, filters)[0]


def _read(
    read: Callable[..., Listing[Item]], limit: int | None, filters: dict[str, Any]
) -> tuple[list[Item], bool]:
    asked = {name: value for name, value in filters.items() if value is not None}
    items: list[Item] = []
    while True:
        wanted = _PAGE if limit is None else min(_PAGE, limit - len(items))
        page = read(**asked, limit=wanted)
        items += page.items
        if page.next is None or len(items) == limit:
            return items, page.next is not None
        asked["after"] = page.next
