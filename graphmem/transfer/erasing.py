"""Erases a tenant, or a user with everything that was derived from what is his.

What is derived goes first and what is his last: stopped in between and run again, it still finds what to
look for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from graphmem.graph.records import And, Equals, Filter, In, Missing, NodeRef
from graphmem.models.ids import check_id
from graphmem.ports.graph_store import TenantGraph
from graphmem.transfer.derived import forget_evidence, prune_relations, remove, remove_orphans
from graphmem.transfer.pages import pages

_PAGE = 500


def erase_tenant(graph: TenantGraph) -> dict[str, int]:
    """Remove everything of a tenant.

    Returns:
        Removed nodes by label.
    """
    return graph.erase()


def erase_user(graph: TenantGraph, user: str) -> dict[str, int]:
    """Remove what is a user's, and what was learned from it.

    His episodes, messages, sessions and memories; episodes and messages of nobody in his sessions and
    episodes; patterns with evidence of his; procedures and memories that have no other source; his share of
    the evidence of relations; concepts and tools that were only mentioned and that nothing names any more.

    Args:
        graph: The tenant.
        user: Whose things to remove.

    Returns:
        Removed nodes by label.

    Raises:
        InvalidInputError: The user is not an id.
    """
    check_id(user, "user")
    erased: Counter[str] = Counter()
    his: set[str] = set()
    for refs in _nobodys(graph, user):
        forget_evidence(graph, refs, user, erased)
        his.update(ref.id for ref in refs)
        prune_relations(graph, his)
        remove(graph, refs, erased)
    his.clear()
    for label in ("Episode", "Message", "Memory"):
        for page in pages(graph, label, Equals("user_id", user), size=_PAGE):
            refs = [node.ref for node in page]
            forget_evidence(graph, refs, user, erased)
            his.update(ref.id for ref in refs)
    prune_relations(graph, his)
    erased.update(graph.erase(user))
    remove_orphans(graph, erased)
    return dict(sorted(erased.items()))


def _nobodys(graph: TenantGraph, user: str) -> Iterator[list[NodeRef]]:
    """Episodes and messages without a user that belong to his sessions and episodes."""
    for label in ("Session", "Episode"):
        for page in pages(graph, label, Equals("user_id", user), size=_PAGE):
            ids = tuple(node.id for node in page)
            for part in ("Episode", "Message") if label == "Session" else ("Message",):
                where: Filter = And((In(label.lower(), ids), Missing("user_id")))
                for found in pages(graph, part, where, size=_PAGE):
                    yield [node.ref for node in found]
                    if part == "Episode":
                        yield from _messages_of(graph, tuple(node.id for node in found))


def _messages_of(graph: TenantGraph, episodes: tuple[str, ...]) -> Iterator[list[NodeRef]]:
    """Messages without a user that belong to these episodes."""
    for page in pages(graph, "Message", And((In("episode", episodes), Missing("user_id"))), size=_PAGE):
        yield [node.ref for node in page]
