"""Reads the patterns that contrasts name."""

from __future__ import annotations

from collections.abc import Iterable

from graphmem.graph.mapping.pattern import to_pattern
from graphmem.graph.records import NodeRef
from graphmem.models.pattern import Pattern
from graphmem.ports.graph_store import TenantGraph


def contrasted(graph: TenantGraph, patterns: Iterable[Pattern]) -> dict[str, Pattern]:
    """What the contrasts of patterns name, by id; one that is gone is left out."""
    named = {NodeRef("Pattern", one.contrast.pattern) for one in patterns if one.contrast}
    stored = graph.get(sorted(named, key=lambda ref: ref.id)) if named else {}
    return {ref.id: to_pattern(node) for ref, node in stored.items()}
