"""Symptoms and causes by the closed episodes that ran into them."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any

from graphmem.graph.records import In
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import CLOSED, every_node, pages
from graphmem.reports.tally import Tally


def findings(graph: TenantGraph, now: datetime, *, limit: int) -> list[dict[str, Any]]:  # noqa: ARG001 (one signature for all reports)
    """Episodes with each finding and how they ended, most frequent first."""
    tallies: dict[tuple[str, str], Tally] = defaultdict(Tally)
    for roots in pages(graph, "Episode", CLOSED):
        episodes = {root.id: root for root in roots}
        for finding in every_node(graph, "Finding", In("episode", tuple(episodes))):
            name = str(finding.properties["key"]), str(finding.properties["kind"])
            tallies[name].add(episodes[str(finding.properties["episode"])])
    rows = [
        {
            "finding": key,
            "kind": kind,
            "episodes": tally.episodes,
            "success": tally.success,
            "failure": tally.failure,
        }
        for (key, kind), tally in sorted(tallies.items(), key=lambda row: (-row[1].episodes, row[0]))
    ]
    return rows[:limit]
