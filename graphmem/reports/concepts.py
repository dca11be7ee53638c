"""The concepts that most episodes speak of."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any

from graphmem.graph.records import NodeRef
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import pages


def concepts(graph: TenantGraph, now: datetime, *, limit: int) -> list[dict[str, Any]]:  # noqa: ARG001 (one signature for all reports)
    """Episodes that mention each concept and mentions in all, most episodes first."""
    episodes: Counter[NodeRef] = Counter()
    mentions: Counter[NodeRef] = Counter()
    for roots in pages(graph, "Episode"):
        for edge in graph.edges([root.ref for root in roots], ["MENTIONS"], "out"):
            episodes[edge.target] += 1
            count = edge.properties.get("count", 0)
            mentions[edge.target] += count if isinstance(count, int) else 0
    nodes = graph.get(episodes)
    rows = [
        {
            "concept": str(node.properties["key"]),
            "kind": str(node.properties["kind"]),
            "episodes": episodes[ref],
            "mentions": mentions[ref],
        }
        for ref, node in nodes.items()
    ]
    rows.sort(key=lambda row: (-int(str(row["episodes"])), str(row["concept"]), str(row["kind"])))
    return rows[:limit]
