"""Runs of mining that name a task or a domain which went with a user."""

from __future__ import annotations

from collections import Counter

from graphmem.graph.mapping.run import to_run
from graphmem.graph.records import Equals, NodeRecord
from graphmem.models.runs import MiningRun
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import pages
from graphmem.transfer.derived import remove

_PAGE = 500
_NAMES = ("domain", "task")
"""What a run may be limited to that episodes name."""


def forget_limited_runs(graph: TenantGraph, erased: Counter[str]) -> None:
    """Remove the records of runs limited to a task or domain that no episode has any more: they would name it."""
    for page in pages(graph, "MiningRun", limit=_PAGE):
        remove(graph, [node.ref for node in page if _names_what_is_gone(graph, node)], erased)


def _names_what_is_gone(graph: TenantGraph, node: NodeRecord) -> bool:
    policy = to_run(node, MiningRun).policy
    limits = [(name, policy[name]) for name in _NAMES if isinstance(policy.get(name), str)]
    return any(not graph.count("Episode", Equals(name, str(value))) for name, value in limits)
