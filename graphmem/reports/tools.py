"""Tools by the closed episodes that used them."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import datetime
from typing import Any

from graphmem.graph.mapping.label import key_of
from graphmem.graph.records import NodeRecord
from graphmem.ports.graph_store import TenantGraph
from graphmem.reports.tally import Tally, closed_episodes


def tools(graph: TenantGraph, now: datetime, *, limit: int) -> list[dict[str, Any]]:  # noqa: ARG001 (one signature for all reports)
    """Uses, uses without effect, and how the episodes ended, most used first."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    steps: Counter[str] = Counter()
    ineffective: Counter[str] = Counter()
    for root, owned in closed_episodes(graph):
        used: set[str] = set()
        for step in owned:
            keys = _tool_keys(step)
            used |= keys
            steps.update(keys)
            if step.properties.get("effective") is False:
                ineffective.update(keys)
        for key in used:
            tallies[key].add(root)
    rows = [
        {
            "tool": key,
            "episodes": tally.episodes,
            "steps": steps[key],
            "ineffective": ineffective[key],
            "success": tally.success,
            "failure": tally.failure,
        }
        for key, tally in sorted(tallies.items(), key=lambda row: (-row[1].episodes, row[0]))
    ]
    return rows[:limit]


def _tool_keys(step: NodeRecord) -> set[str]:
    names = step.properties.get("tools", [])
    return {key_of(name) for name in names} if isinstance(names, list) else set()
