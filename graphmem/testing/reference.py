"""A tenant's graph in two dictionaries: the plainest reading of the store port, to compare stores with.

No IO, no transactions of its own: `copy` before, put back after a failure. It is the oracle of the
contract's random operations, so nothing here is shared with a store but the checks and the ranking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from graphmem.errors import ConflictError
from graphmem.graph.bm25 import CorpusCounts, rank
from graphmem.graph.records import (
    PLACEHOLDER,
    And,
    Cursor,
    Direction,
    EdgeRecord,
    Equals,
    Filter,
    Hit,
    In,
    Missing,
    NodeRecord,
    NodeRef,
    Page,
    Range,
    Saved,
    Subgraph,
    Tree,
    Value,
    Vector,
)
from graphmem.graph.schema import EDGE_TYPES, NODE_TYPES, TREE_EDGES
from graphmem.graph.validation import check_order

EdgeKey = tuple[str, NodeRef, NodeRef]


@dataclass(slots=True)
class ReferenceGraph:
    """One tenant's nodes and edges."""

    nodes: dict[NodeRef, NodeRecord] = field(default_factory=dict)
    links: dict[EdgeKey, Mapping[str, Value]] = field(default_factory=dict)

    def copy(self) -> ReferenceGraph:
        """A copy that changes on its own."""
        return ReferenceGraph(dict(self.nodes), dict(self.links))

    # writes

    def save_nodes(
        self,
        records: Sequence[NodeRecord],
        *,
        expected: Mapping[NodeRef, str] | None = None,
        replace: bool = True,
    ) -> Saved:
        """As the port says."""
        for ref, content_hash in (expected or {}).items():
            if ref not in self.nodes or self.nodes[ref].content_hash != content_hash:
                raise ConflictError(f"{ref} is not as expected")
        return self._save(records, replace=replace, write=_nothing)

    def save_trees(self, trees: Sequence[Tree], *, replace: bool = False) -> Saved:
        """As the port says."""
        by_root = {tree.root.ref: tree for tree in trees}
        chosen: list[Tree] = []
        roots = [tree.root for tree in trees]
        saved = self._save(roots, replace=replace, write=lambda record: chosen.append(by_root[record.ref]))
        changed = set(saved.changed)
        for tree in chosen:
            if tree.root.ref in changed:
                self._clear(tree.root.ref)
        for tree in chosen:
            self.nodes.update((node.ref, node) for node in tree.nodes)
        self.save_edges([edge for tree in chosen for edge in tree.edges])
        return saved

    def _save(self, records: Sequence[NodeRecord], *, replace: bool, write: Callable[[NodeRecord], None]) -> Saved:
        added, changed, unchanged = [], [], []
        for record in records:
            stored = self.nodes.get(record.ref)
            if stored is None or (stored.content_hash == PLACEHOLDER != record.content_hash):
                added.append(record.ref)
                self._put(record, stored, keep_created_at=False)
                write(record)
            elif record.content_hash in {stored.content_hash, PLACEHOLDER}:
                unchanged.append(record.ref)
            else:
                changed.append(record.ref)
                if replace:
                    self._put(record, stored, keep_created_at=True)
                    write(record)
        return Saved(tuple(added), tuple(changed), tuple(unchanged))

    def _put(self, record: NodeRecord, stored: NodeRecord | None, *, keep_created_at: bool) -> None:
        properties = dict(record.properties)
        vector = record.vector
        if stored is not None:
            vector = stored.vector if vector is None else vector
            if keep_created_at and "created_at" in stored.properties:
                properties["created_at"] = stored.properties["created_at"]
        self.nodes[record.ref] = replace(record, properties=properties, vector=vector)

    def _clear(self, root: NodeRef) -> None:
        for ref in self._owned(root):
            self._drop(ref)
        for key in [key for key in self.links if key[1] == root and key[0] in TREE_EDGES]:
            del self.links[key]

    def _owned(self, root: NodeRef) -> list[NodeRef]:
        return [
            target
            for type_, source, target in self.links
            if source == root and type_ in TREE_EDGES and NODE_TYPES[target.label].owner == root.label
        ]

    def _drop(self, ref: NodeRef) -> None:
        self.nodes.pop(ref, None)
        for key in [key for key in self.links if ref in key[1:]]:
            del self.links[key]

    def save_edges(self, records: Sequence[EdgeRecord]) -> int:
        """As the port says."""
        written = {}
        for record in records:
            for end in (record.source, record.target):
                if end not in self.nodes:
                    raise ConflictError(f"{end} does not exist")
            written[record.type, record.source, record.target] = record.properties
        count = sum(key not in self.links or self.links[key] != value for key, value in written.items())
        self.links.update(written)
        return count

    def set_properties(self, label: str, rows: Sequence[tuple[str, Mapping[str, Any]]]) -> int:
        """As the port says."""
        found = set()
        for node_id, changes in rows:
            ref = NodeRef(label, node_id)
            if ref in self.nodes:
                found.add(ref)
                merged = {**self.nodes[ref].properties, **changes}
                properties = {name: value for name, value in merged.items() if value is not None}
                self.nodes[ref] = replace(self.nodes[ref], properties=properties)
        return len(found)

    def remove_nodes(self, refs: Iterable[NodeRef]) -> int:
        """As the port says."""
        named = [ref for ref in dict.fromkeys(refs) if ref in self.nodes]
        for ref in named:
            for owned in self._owned(ref):
                self._drop(owned)
            self._drop(ref)
        return len(named)

    def remove_edges(self, records: Iterable[EdgeRecord]) -> int:
        """As the port says."""
        keys = {(record.type, record.source, record.target) for record in records}
        return sum(self.links.pop(key, None) is not None for key in keys)

    def erase(self, user_id: str | None = None) -> dict[str, int]:
        """As the port says."""
        named = [ref for ref, node in self.nodes.items() if user_id in {None, node.properties.get("user_id")}]
        gone = dict.fromkeys([*named, *(owned for ref in named for owned in self._owned(ref))])
        for ref in gone:
            self._drop(ref)
        counts: dict[str, int] = {}
        for ref in gone:
            counts[ref.label] = counts.get(ref.label, 0) + 1
        return counts

    # reads

    def get(self, refs: Iterable[NodeRef], *, vectors: bool = False) -> dict[NodeRef, NodeRecord]:
        """As the port says."""
        found = {ref: self.nodes[ref] for ref in refs if ref in self.nodes}
        return found if vectors else {ref: replace(node, vector=None) for ref, node in found.items()}

    def count(self, label: str, where: Filter | None = None) -> int:
        """As the port says."""
        return len(self._matching(label, where))

    def _matching(self, label: str, where: Filter | None) -> list[NodeRecord]:
        return [node for ref, node in self.nodes.items() if ref.label == label and matches(node, where)]

    def scan(
        self,
        label: str,
        where: Filter | None = None,
        *,
        order: str = "id",
        after: Cursor | None = None,
        limit: int = 100,
        vectors: bool = False,
    ) -> Page:
        """As the port says."""
        name, falling = check_order(label, order)
        nodes = sorted(self._matching(label, where), key=lambda node: node.id)
        if name == "id":
            nodes = nodes[::-1] if falling else nodes
        else:
            valued = [node for node in nodes if name in node.properties]
            # stable: ties stay by rising id in both directions
            valued.sort(key=lambda node: node.properties[name], reverse=falling)
            nodes = valued + [node for node in nodes if name not in node.properties]
        begin = 0 if after is None else [node.id for node in nodes].index(after[1]) + 1
        page = nodes[begin : begin + limit]
        following = None
        if begin + limit < len(nodes):
            last = page[-1]
            following = (last.id if name == "id" else last.properties.get(name), last.id)
        return Page(tuple(page if vectors else [replace(node, vector=None) for node in page]), following)  # type: ignore[arg-type]  # filterable ones are scalars

    def edges(
        self, refs: Iterable[NodeRef], types: Iterable[str] | None = None, direction: Direction = "out"
    ) -> list[EdgeRecord]:
        """As the port says."""
        named, chosen = set(refs), set(EDGE_TYPES if types is None else types)
        return [
            EdgeRecord(type_, source, target, properties)
            for (type_, source, target), properties in sorted(self.links.items(), key=lambda item: item[0])
            if type_ in chosen
            and ((direction != "in" and source in named) or (direction != "out" and target in named))
        ]

    def expand(
        self,
        refs: Iterable[NodeRef],
        types: Iterable[str] | None = None,
        direction: Direction = "both",
        *,
        depth: int = 1,
        limit: int = 1000,
    ) -> Subgraph:
        """As the port says; when the limit is met, walking ends."""
        chosen = None if types is None else list(types)
        start = sorted({ref for ref in refs if ref in self.nodes})
        reached, truncated, frontier = start[:limit], len(start) > limit, start[:limit]
        walked: dict[EdgeKey, EdgeRecord] = {}
        for _ in range(depth):
            if truncated:
                break
            found = self.edges(frontier, chosen, direction)
            walked.update(((edge.type, edge.source, edge.target), edge) for edge in found)
            new = sorted({end for edge in found for end in (edge.source, edge.target)} - set(reached))
            truncated = len(reached) + len(new) > limit
            frontier = new[: limit - len(reached)]
            reached += frontier
        kept = set(reached)
        edges = [edge for _, edge in sorted(walked.items()) if edge.source in kept and edge.target in kept]
        return Subgraph(tuple(self.get(reached).values()), tuple(edges), truncated)

    def nearest(self, label: str, vector: Vector, where: Filter | None = None, *, limit: int = 10) -> list[Hit]:
        """As the port says."""
        found = [
            Hit(replace(node, vector=None), _cosine(node.vector, vector))
            for node in self._matching(label, where)
            if node.vector is not None
        ]
        return sorted(found, key=lambda hit: (-round(hit.score, 5), hit.record.id))[:limit]

    def search(
        self,
        labels: Iterable[str],
        tokens: Sequence[str],
        where: Mapping[str, Filter] | None = None,
        *,
        limit: int = 10,
    ) -> list[Hit]:
        """As the port says, while at most 64 tokens are given."""
        chosen = set(labels)
        texts = {
            ref: str(node.properties["search_text"])
            for ref, node in self.nodes.items()
            if ref.label in chosen and node.properties.get("search_text")
        }
        lengths = [len(text.split()) for text in texts.values()]
        counts = CorpusCounts(
            len(texts),
            sum(lengths) / len(texts) if texts else 0.0,
            {token: sum(token in text.split() for text in texts.values()) for token in tokens},
        )
        allowed = {
            ref: text for ref, text in texts.items() if matches(self.nodes[ref], (where or {}).get(ref.label))
        }
        best = rank(tokens, allowed.items(), counts, limit)
        return [Hit(replace(self.nodes[ref], vector=None), score) for ref, score in best]


def _nothing(_: NodeRecord) -> None:
    """A single node brings nothing with it."""


def matches(node: NodeRecord, where: Filter | None) -> bool:
    """Whether a node passes a filter."""
    match where:
        case None:
            return True
        case And(parts):
            return all(matches(node, part) for part in parts)
        case Missing(name):
            return name not in node.properties
    value = node.id if where.property == "id" else node.properties.get(where.property)
    match where:
        case Equals(_, wanted):
            return value is not None and value == wanted
        case In(_, values):
            return value is not None and value in values
        case Range(_, low, high):
            return value is not None and _between(value, low, high)


def _between(value: Any, low: Any, high: Any) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)


def _cosine(one: Vector, other: Vector) -> float:
    lengths = float(np.linalg.norm(one)) * float(np.linalg.norm(other))
    return float(np.dot(one, other)) / lengths if lengths else 0.0
