"""What cannot all be true: facts of one time, claims that are denied, relations both ways round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import combinations
from typing import Any

from graphmem.graph.predicates import SPELLINGS
from graphmem.graph.records import EdgeRecord, In, NodeRecord, NodeRef
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import every_node, pages

ONE_WAY = ("IS_A", "PART_OF", "MEMBER_OF", "HAS_A", "CAUSES", "USED_FOR", "PREREQUISITE_OF", "INSTANCE_OF")
"""Relations that lead from one concept to another and not back."""


def contradictions(graph: TenantGraph, now: datetime, *, limit: int) -> list[dict[str, Any]]:
    """Pairs that exclude each other, by kind and subject; of facts those of one user and one time."""
    rows = [*_facts(graph, now), *_claims(graph), *_directions(graph)]
    rows.sort(key=lambda row: tuple(_first(value) for value in row.values()))
    return rows[:limit]


def _facts(graph: TenantGraph, now: datetime) -> Iterator[dict[str, Any]]:
    by_topic: dict[tuple[str, str, str], list[NodeRecord]] = defaultdict(list)
    for node in every_node(graph, "Memory", In("predicate_key", tuple(sorted(SPELLINGS)))):
        properties = node.properties
        until = properties.get("superseded_at")
        if "object" in properties and "subject_key" in properties and isinstance(until, datetime) and until > now:
            topic = properties["subject_key"], properties["predicate_key"], properties.get("user_id", "")
            by_topic[tuple(map(str, topic))].append(node)  # type: ignore[index]  # three of them
    for facts in by_topic.values():
        for one, other in combinations(sorted(facts, key=_object), 2):
            if _exclude(one, other):
                said = one.properties["subject"], one.properties["predicate_key"], _object(one), _object(other)
                yield _row(
                    "fact", said, (_size(one.properties.get("sources")), _size(other.properties.get("sources")))
                )


def _exclude(one: NodeRecord, other: NodeRecord) -> bool:
    """Whether both hold at one moment with different objects."""
    if _object(one).lower() == _object(other).lower():
        return False
    return _begins_before(one, other) and _begins_before(other, one)


def _begins_before(one: NodeRecord, other: NodeRecord) -> bool:
    begin, end = one.properties.get("valid_from"), other.properties.get("valid_to")
    return isinstance(end, datetime) and (not isinstance(begin, datetime) or begin < end)


def _claims(graph: TenantGraph) -> Iterator[dict[str, Any]]:
    for node in every_node(graph, "Claim"):
        said = node.properties
        support, against = _number(said.get("support")), _number(said.get("against"))
        if support > 0 and against > 0:
            yield _row("claim", (said["head"], said["relation"], said["tail"], None), (support, against))


def _directions(graph: TenantGraph) -> Iterator[dict[str, Any]]:
    edges: dict[tuple[str, NodeRef, NodeRef], EdgeRecord] = {}
    for page in pages(graph, "Concept"):
        found = graph.edges([node.ref for node in page], ONE_WAY, "out")
        edges |= {edge[:3]: edge for edge in found if edge.target.label == "Concept"}
    pairs = [
        (edge, edges[kind, end, start]) for (kind, start, end), edge in edges.items() if _is_both(edges, edge)
    ]
    names = _names(graph, [there for there, _ in pairs])
    for there, back in pairs:
        counts = _number(there.properties.get("evidence_count")), _number(back.properties.get("evidence_count"))
        yield _row("direction", (names[there.source], there.type.lower(), names[there.target], None), counts)


def _is_both(edges: dict[tuple[str, NodeRef, NodeRef], EdgeRecord], edge: EdgeRecord) -> bool:
    return edge.source.id < edge.target.id and (edge.type, edge.target, edge.source) in edges


def _names(graph: TenantGraph, edges: Sequence[EdgeRecord]) -> dict[NodeRef, str]:
    refs = {ref for edge in edges for ref in (edge.source, edge.target)}
    return {ref: str(node.properties["name"]) for ref, node in graph.get(refs).items()} if refs else {}


def _row(what: str, said: tuple[Any, Any, Any, Any], counts: tuple[int, int]) -> dict[str, Any]:
    subject, predicate, first, other = said
    pair = {"object": first, "other": other}
    counted = {"supporting": counts[0], "opposing": counts[1]}
    return {"what": what, "subject": subject, "predicate": predicate, **pair, **counted}


def _object(node: NodeRecord) -> str:
    return str(node.properties["object"])


def _first(value: Any) -> Any:
    return "" if value is None else value


def _size(value: object) -> int:
    return len(value) if isinstance(value, list) else 0


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
