"""Causal chains that end in a symptom, within episodes and between concepts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any, TypeVar

from graphmem.graph.records import EdgeRecord, Equals, In, NodeRef
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import CLOSED, every_node, pages

MAX_LINKS = 5
"""Links of a chain at most: their number grows with every one."""

_SYMPTOM = Equals("kind", "symptom")

Node = TypeVar("Node")
_Links = Mapping[Node, Sequence[Node]]
"""What brought each node about."""


def chains(graph: TenantGraph, now: datetime, *, depth: int, limit: int) -> list[dict[str, Any]]:  # noqa: ARG001 (one signature for all reports)
    """Chains of at most `depth` links, the farthest cause first; best founded first, then the longest."""
    depth = min(depth, MAX_LINKS)
    rows = [*_within_episodes(graph, depth), *_between_concepts(graph, depth)]
    rows.sort(
        key=lambda row: (-row["evidence"], -row["links"], row["chain"], row["level"], row["confidence"] or 0)
    )
    return rows[:limit]


def _within_episodes(graph: TenantGraph, depth: int) -> Iterator[dict[str, Any]]:
    episodes: Counter[tuple[str, ...]] = Counter()
    for roots in pages(graph, "Episode", CLOSED):
        owned = In("episode", tuple(root.id for root in roots))
        findings = {node.ref: node.properties for node in every_node(graph, "Finding", owned)}
        causes: dict[NodeRef, list[NodeRef]] = defaultdict(list)
        for edge in graph.edges(findings, ["CAUSED_BY"], "out"):
            causes[edge.source].append(edge.target)
        found = {
            (properties["episode"], tuple(str(findings[one]["key"]) for one in path))
            for ref, properties in findings.items()
            if properties["kind"] == "symptom"
            for path in _paths(ref, causes, depth)
        }
        episodes.update(keys for _, keys in found)
    for keys, count in episodes.items():
        yield _row(keys, "episode", count, None)


def _between_concepts(graph: TenantGraph, depth: int) -> Iterator[dict[str, Any]]:
    links: dict[tuple[NodeRef, NodeRef], EdgeRecord] = {}
    keys: dict[NodeRef, str] = {}
    for page in pages(graph, "Concept"):
        keys |= {node.ref: str(node.properties["key"]) for node in page}
        for edge in graph.edges([node.ref for node in page], ["CAUSES"], "out"):
            links[edge.source, edge.target] = edge
    causes: dict[NodeRef, list[NodeRef]] = defaultdict(list)
    for cause, effect in links:
        causes[effect].append(cause)
    for symptom in _symptoms(graph) if links else ():
        for path in _paths(symptom, causes, depth):
            along = [links[pair].properties for pair in pairwise(path)]
            evidence = min(_number(edge.get("evidence_count", 0)) for edge in along)
            confidence = min(_number(edge.get("confidence", 1.0)) for edge in along)
            yield _row([keys[one] for one in path], "concept", evidence, confidence)


def _symptoms(graph: TenantGraph) -> set[NodeRef]:
    """Concepts of which a symptom is an instance."""
    found: set[NodeRef] = set()
    for page in pages(graph, "Finding", _SYMPTOM):
        found |= {edge.target for edge in graph.edges([node.ref for node in page], ["INSTANCE_OF"], "out")}
    return found


def _paths(effect: Node, causes: _Links[Node], depth: int) -> Iterator[tuple[Node, ...]]:
    """Every path of 1 to `depth` links that ends in an effect and holds no node twice, causes first."""
    waiting: list[tuple[Node, ...]] = [(effect,)]
    while waiting:
        path = waiting.pop()
        if len(path) > 1:
            yield path
        if len(path) <= depth:
            waiting += [(cause, *path) for cause in causes.get(path[0], ()) if cause not in path]


def _row(keys: Sequence[str], level: str, evidence: float, confidence: float | None) -> dict[str, Any]:
    chain = " → ".join(keys)
    return {"chain": chain, "links": len(keys) - 1, "level": level, "evidence": evidence, "confidence": confidence}


def _number(value: object) -> float:
    return value if isinstance(value, int | float) else 0
