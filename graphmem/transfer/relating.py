"""Relations of a file to edges between concepts: which concepts are meant, cycles, and what merges.

Pure over what is stored, which the caller reads once for a whole batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from graphmem.concepts.cycles import closing_path, cycle_refused
from graphmem.concepts.resolution import key_of_name, resolve
from graphmem.graph.mapping.concept import relation_edge
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Value
from graphmem.models.concept import ACYCLIC_RELATIONS, Relation
from graphmem.transfer.faults import RecordFault

EdgeKey = tuple[str, NodeRef, NodeRef]

_SOURCES = ("consolidated", "extracted", "given")
"""From the weakest to the strongest."""

_MAX_EVIDENCE = 1000
"""Pieces of evidence that an edge keeps."""


@dataclass(slots=True)
class Taxonomy:
    """What a batch of relations meets: concepts by key, edges, and what the batch adds to both."""

    concepts: dict[str, list[NodeRecord]]
    """Key -> concepts of that key, of any kind."""
    edges: dict[EdgeKey, EdgeRecord]
    """Stored edges at these concepts, and above them for relations without cycles."""
    new_concepts: dict[NodeRef, NodeRecord] = field(default_factory=dict)
    written: dict[EdgeKey, EdgeRecord] = field(default_factory=dict)
    above: dict[tuple[str, NodeRef], list[EdgeRecord]] = field(default_factory=dict)
    """Edges out of a node, by type, for the search for cycles."""
    found: frozenset[NodeRef] = frozenset()
    """The stored concepts, those found by an alias included."""

    def __post_init__(self) -> None:
        self.found = frozenset(node.ref for nodes in self.concepts.values() for node in nodes)
        for edge in self.edges.values():
            self._note(edge)

    def relate(self, relation: Relation, recorded_at: datetime) -> Literal["added", "changed", "unchanged"]:
        """Add a relation.

        Returns:
            added, changed or unchanged.

        Raises:
            RecordFault: It would close a cycle.
            ValueError: A name has nothing a key could hold.
        """
        head, tail = self._ends(relation, recorded_at)
        edge = relation_edge(relation, head.ref, tail.ref, recorded_at)
        key = (edge.type, edge.source, edge.target)
        known = self.edges.get(key)
        if known is None:
            self._refuse_cycle(relation, edge, head, tail)
            self._keep(head, tail)
            self._note(edge)
        merged = edge if known is None else merge(known, edge)
        if merged == known:
            return "unchanged"
        self.edges[key] = self.written[key] = merged
        return "added" if known is None else "changed"

    def _ends(self, relation: Relation, recorded_at: datetime) -> tuple[NodeRecord, NodeRecord]:
        """The two concepts; where names are shared, those that this relation joins already."""
        heads = self.concepts.get(key_of_name(relation.head), [])
        tails = self.concepts.get(key_of_name(relation.tail), [])
        if len(heads) > 1 or len(tails) > 1:
            for head in _possible(heads, relation.head_kind):
                for tail in _possible(tails, relation.tail_kind):
                    if (relation.relation.value.upper(), head.ref, tail.ref) in self.edges:
                        return head, tail
        return (
            resolve(relation.head, relation.head_kind, heads, recorded_at)[0],
            resolve(relation.tail, relation.tail_kind, tails, recorded_at)[0],
        )

    def _refuse_cycle(self, relation: Relation, edge: EdgeRecord, *ends: NodeRecord) -> None:
        path = closing_path(
            relation.relation,
            edge.source,
            edge.target,
            lambda refs: [found for ref in refs for found in self.above.get((edge.type, ref), ())],
        )
        if path is not None:
            met = (*(node for found in self.concepts.values() for node in found), *ends)
            names = {node.ref: str(node.properties["name"]) for node in met}
            raise RecordFault(str(cycle_refused(relation.relation, path, names)))

    def _keep(self, *ends: NodeRecord) -> None:
        for node in ends:
            known = self.concepts.setdefault(str(node.properties["key"]), [])
            if node.ref not in self.found and all(other.ref != node.ref for other in known):
                known.append(node)
                self.new_concepts[node.ref] = node

    def _note(self, edge: EdgeRecord) -> None:
        self.above.setdefault((edge.type, edge.source), []).append(edge)


def _possible(candidates: Sequence[NodeRecord], kind: str | None) -> list[NodeRecord]:
    return [node for node in candidates if kind is None or node.properties["kind"] == kind]


def ends_of(relations: Iterable[Relation], concepts: Mapping[str, Sequence[NodeRecord]]) -> set[NodeRef]:
    """All stored concepts that these relations may join."""
    found: set[NodeRef] = set()
    for relation in relations:
        for name in (relation.head, relation.tail):
            found.update(node.ref for node in concepts.get(key_of_name(name), ()))
    return found


def types_without_cycles(relations: Iterable[Relation]) -> list[str]:
    """Edge types of these relations along which there must be no cycle."""
    return sorted({item.relation.value.upper() for item in relations if item.relation in ACYCLIC_RELATIONS})


def merge(stored: EdgeRecord, given: EdgeRecord) -> EdgeRecord:
    """What two statements of the same relation say together; merging again changes nothing.

    The evidence of both, the higher confidence, the stronger source; further fields as first given.
    """
    old, new = stored.properties, given.properties
    evidence = _evidence(old)
    room = max(_MAX_EVIDENCE - len(evidence), 0)
    fresh = [text for text in _evidence(new) if text not in evidence][:room]
    properties: dict[str, Value] = {**new, **old}
    for name in ("confidence", "weight"):
        properties[name] = max(_number(old, name), _number(new, name))
    properties["source"] = max(str(old["source"]), str(new["source"]), key=_SOURCES.index)
    if fresh:
        properties["evidence"] = [*evidence, *fresh]
        count = old.get("evidence_count", 0)
        properties["evidence_count"] = (count if isinstance(count, int) else 0) + len(fresh)
    return EdgeRecord(stored.type, stored.source, stored.target, properties)


def _evidence(properties: Mapping[str, Value]) -> list[str]:
    value = properties.get("evidence", [])
    return list(value) if isinstance(value, list | tuple) else []


def _number(properties: Mapping[str, Value], name: str) -> float:
    value = properties.get(name, 0.0)
    return float(value) if isinstance(value, int | float) else 0.0
