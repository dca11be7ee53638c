"""Erases a tenant, or a user with everything that was derived from what is his.

What is derived goes first and what is his last: stopped in between and run again, it still finds what to
look for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from graphmem.graph.predicates import FactPolicy
from graphmem.graph.records import And, Equals, Filter, In, Missing, NodeRecord, NodeRef
from graphmem.models.ids import check_id
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import pages
from graphmem.transfer.derived import forget_sources, remove, remove_orphans
from graphmem.transfer.erased_names import forget_unused_names
from graphmem.transfer.erased_runs import forget_limited_runs

_PAGE = 500
_PERSONAL = ("Episode", "Message", "Memory", "Procedure")


def erase_tenant(graph: TenantGraph) -> dict[str, int]:
    """Remove everything of a tenant.

    Returns:
        Removed nodes by label.
    """
    return graph.erase()


def erase_user(graph: TenantGraph, user: str, facts: FactPolicy | None = None) -> dict[str, int]:
    """Remove what is a user's, and what was learned from it.

    His episodes, messages, sessions, memories and procedures; episodes and messages of nobody in his sessions and
    episodes; patterns with evidence of his; procedures and memories that have no other source; his share of
    the evidence of relations; concepts and tools that were only mentioned and that nothing names any more; aliases
    and merges that only his texts gave reason for; records of mining runs limited to a task or domain that only
    his episodes had.

    Args:
        graph: The tenant.
        user: Whose things to remove.
        facts: Which predicates hold one object at a time; None: those of the default settings.

    Returns:
        Removed nodes by label.

    Raises:
        InvalidInputError: The user is not an id.
    """
    check_id(user, "user")
    erased: Counter[str] = Counter()
    # nobody's first: they are found by what is his
    his = [ref for refs in _nobodys(graph, user) for ref in refs]
    for label in _PERSONAL:
        for page in pages(graph, label, Equals("user_id", user), limit=_PAGE):
            his += [node.ref for node in page]
    forget_sources(graph, his, user, erased, facts or FactPolicy())
    for start in range(0, len(his), _PAGE):
        remove(graph, his[start : start + _PAGE], erased)
    remove_orphans(graph, erased)
    forget_unused_names(graph, erased)
    forget_limited_runs(graph, erased)
    # last, because it also empties what a store keeps of removed things
    erased.update(graph.erase(user))
    return dict(sorted(erased.items()))


def _nobodys(graph: TenantGraph, user: str) -> Iterator[list[NodeRef]]:
    """Episodes without a user in his sessions, and messages without one in his sessions and all these episodes."""
    for sessions in pages(graph, "Session", Equals("user_id", user), limit=_PAGE):
        ids = _ids(sessions)
        for episodes in _unowned(graph, "Episode", In("session", ids)):
            for messages in _unowned(graph, "Message", In("episode", _ids(episodes))):
                yield [node.ref for node in messages]
            yield [node.ref for node in episodes]
        for messages in _unowned(graph, "Message", In("session", ids)):
            yield [node.ref for node in messages]
    for episodes in pages(graph, "Episode", Equals("user_id", user), limit=_PAGE):
        for messages in _unowned(graph, "Message", In("episode", _ids(episodes))):
            yield [node.ref for node in messages]


def _unowned(graph: TenantGraph, label: str, where: Filter) -> Iterator[tuple[NodeRecord, ...]]:
    return pages(graph, label, And((where, Missing("user_id"))), limit=_PAGE)


def _ids(nodes: tuple[NodeRecord, ...]) -> tuple[str, ...]:
    return tuple(node.id for node in nodes)
