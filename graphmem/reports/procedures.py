"""Procedures by how often they were used."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from graphmem.graph.mapping.procedure import to_procedure
from graphmem.graph.records import Missing
from graphmem.models.procedure import Procedure
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import every_node


def procedures(graph: TenantGraph, now: datetime, *, limit: int) -> list[dict[str, Any]]:  # noqa: ARG001 (one signature for all reports)
    """Current procedures with their counts, success rate and its 95 % interval, most used first."""
    found = [to_procedure(node) for node in every_node(graph, "Procedure", Missing("superseded_at"))]
    found.sort(key=lambda one: (-one.uses, one.id))
    return [_row(one) for one in found[:limit]]


def _row(one: Procedure) -> dict[str, Any]:
    low, high = one.success_interval or (None, None)
    return {
        "procedure": one.id,
        "name": one.name,
        "origin": one.origin,
        "user": one.user_id,
        "uses": one.uses,
        "success": one.successes,
        "partial": one.partials,
        "failure": one.failures,
        "success_rate": one.success_rate,
        "low": low,
        "high": high,
    }
