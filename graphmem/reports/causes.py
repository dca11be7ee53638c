"""Which symptom came from which cause within one episode."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import datetime
from typing import Any

from graphmem.graph.mapping.label import key_of
from graphmem.graph.mapping.values import read_json
from graphmem.graph.records import NodeRecord
from graphmem.ports.graph_store import TenantGraph
from graphmem.reports.tally import Tally, closed_episodes


def causes(graph: TenantGraph, now: datetime, *, limit: int) -> list[dict[str, Any]]:  # noqa: ARG001 (one signature for all reports)
    """Episodes with each pair, in how many of them a step fixed the cause, and how they ended."""
    tallies: dict[tuple[str, str], Tally] = defaultdict(Tally)
    fixed: Counter[tuple[str, str]] = Counter()
    for root, steps in closed_episodes(graph):
        mended = {key for step in steps for key in _fixed_keys(step)}
        for pair in _pairs(root):
            tallies[pair].add(root)
            fixed[pair] += pair[1] in mended
    rows = [
        {
            "effect": pair[0],
            "cause": pair[1],
            "episodes": tally.episodes,
            "fixed": fixed[pair],
            "success": tally.success,
            "failure": tally.failure,
        }
        for pair, tally in sorted(tallies.items(), key=lambda row: (-row[1].episodes, row[0]))
    ]
    return rows[:limit]


def _pairs(root: NodeRecord) -> set[tuple[str, str]]:
    return {(key_of(link["effect"]), key_of(link["cause"])) for link in read_json(root.properties, "causes")}


def _fixed_keys(step: NodeRecord) -> set[str]:
    names = step.properties.get("fixes", [])
    return {key_of(name) for name in names} if isinstance(names, list) else set()
