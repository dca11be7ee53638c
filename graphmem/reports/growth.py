"""What was recorded each day."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import datetime, timedelta
from typing import Any

from graphmem.graph.records import Range
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import every_node

_COLUMNS = {"episodes": "Episode", "messages": "Message", "memories": "Memory", "concepts": "Concept"}


def growth(graph: TenantGraph, now: datetime, *, days: int) -> list[dict[str, Any]]:
    """Episodes, messages, memories and concepts recorded a day, oldest day first.

    Args:
        graph: The tenant.
        now: End of the window, included.
        days: Length of the window; days without any record have no row.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    begin = now - timedelta(days=days)
    for column, label in _COLUMNS.items():
        for node in every_node(graph, label, Range("created_at", begin, now)):
            recorded = node.properties["created_at"]
            if isinstance(recorded, datetime) and recorded > begin:
                counts[recorded.date().isoformat()][column] += 1
    return [{"day": day, **{column: counts[day][column] for column in _COLUMNS}} for day in sorted(counts)]
