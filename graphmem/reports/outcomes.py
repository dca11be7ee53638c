"""How closed episodes ended, by domain."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any

from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import CLOSED, every_node
from graphmem.reports.tally import Tally


def outcomes(graph: TenantGraph, now: datetime) -> list[dict[str, Any]]:  # noqa: ARG001 (one signature for all reports)
    """Counts by outcome and the success rate among known outcomes, largest domain first."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for root in every_node(graph, "Episode", CLOSED):
        tallies[str(root.properties.get("domain", ""))].add(root)
    return [
        _row(domain, tally)
        for domain, tally in sorted(tallies.items(), key=lambda row: (-row[1].episodes, row[0]))
    ]


def _row(domain: str, tally: Tally) -> dict[str, Any]:
    counts = {outcome: tally.outcomes[outcome] for outcome in ("success", "partial", "failure", "unknown")}
    known = tally.episodes - counts["unknown"]
    rate = tally.success / known if known else None
    return {"domain": domain, "episodes": tally.episodes, **counts, "success_rate": rate}
