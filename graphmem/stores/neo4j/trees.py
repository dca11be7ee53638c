"""Trees to the rows of graph/save_trees: what repeats is sent once and named by place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphmem.graph.records import EdgeRecord, NodeRecord, Tree, Value
from graphmem.stores.neo4j.values import Moments, VectorCodec, properties_of

SHARED_LABELS = frozenset({"Tool", "Concept", "Session", "Message"})
"""Labels at which an edge of a tree may end that save_trees looks up; an edge that ends elsewhere (at a root,
which may be written by the same call) is written after the trees."""
MAX_ROWS = 500
"""Trees a statement: more gains nothing and keeps the server's memory."""
MAX_BYTES = 4_000_000
"""Rough size of a statement's text, for trees that are large."""


@dataclass(slots=True)
class TreeBatch:
    """The parameters of one statement."""

    tenant: str
    slot: str
    codec: VectorCodec
    rows: list[dict[str, Any]] = field(default_factory=list)
    later: list[EdgeRecord] = field(default_factory=list)
    """Edges that are written once all roots are there."""
    size: int = 0
    _moments: Moments = field(default_factory=Moments)
    _targets: dict[tuple[str, str], int] = field(default_factory=dict)

    @property
    def full(self) -> bool:
        """Whether the next tree belongs into another statement."""
        return len(self.rows) >= MAX_ROWS or self.size >= MAX_BYTES

    @property
    def parameters(self) -> dict[str, Any]:
        """What graph/save_trees declares."""
        targets: dict[str, list[tuple[int, str]]] = {}
        for (label, node_id), place in sorted(self._targets.items()):
            targets.setdefault(label, []).append((place, node_id))
        return {
            "tenant": self.tenant,
            "slot": self.slot,
            "targets": targets,
            "shared": len(self._targets),
            "times": self._moments.rows,
            "rows": self.rows,
        }

    @property
    def shared(self) -> tuple[tuple[str, str], ...]:
        """Label and id of the nodes that must be there."""
        return tuple(self._targets)

    def add(self, tree: Tree, created_at: Any) -> None:
        """Add a checked tree.

        Args:
            tree: The tree.
            created_at: The root's, where a stored one stays; None takes the given one.
        """
        root = tree.root
        places: dict[tuple[str, str], int] = {(root.label, root.id): 0}
        nodes = []
        for place, node in enumerate(tree.nodes, start=1):
            places[node.label, node.id] = place
            nodes.append((node.label, self._properties(node)))
        properties = self._properties(root)
        if created_at is not None:
            properties["created_at"] = self._moments.place(created_at)
        inner, outer, shapes = self._edges(tree.edges, places)
        self.rows.append(
            {
                "id": root.id,
                "properties": properties,
                "vector": None if root.vector is None else self.codec.encode(root.vector),
                "nodes": nodes,
                "inner": inner,
                "outer": outer,
                "shapes": shapes,
            }
        )

    def _properties(self, node: NodeRecord) -> dict[str, Any]:
        sent = properties_of(node.properties, self._moments)
        sent["tenant"] = self.tenant
        sent["id"] = node.id
        self.size += 200 + sum([len(value) for value in sent.values() if type(value) is str])
        return sent

    def _edges(
        self, edges: Sequence[EdgeRecord], places: Mapping[tuple[str, str], int]
    ) -> tuple[list[Any], list[Any], list[dict[str, Any]]]:
        inner: list[Any] = []
        outer: list[Any] = []
        shape_of = Shapes(self.tenant, self._moments)
        for edge in edges:
            source, target = edge.source, edge.target
            end = (target.label, target.id)
            place = places.get(end)
            begin = places[source.label, source.id]
            if place is not None:
                inner.append((edge.type, begin, place, shape_of(edge.properties)))
            elif target.label in SHARED_LABELS:
                place = self._targets.setdefault(end, len(self._targets))
                outer.append((edge.type, begin, place, shape_of(edge.properties)))
            else:
                self.later.append(edge)
        return inner, outer, shape_of.rows


class Shapes:
    """The distinct property maps of edges; those that are one object are sent once."""

    def __init__(self, tenant: str, moments: Moments) -> None:
        self._tenant = tenant
        self._moments = moments
        self._places: dict[int, int] = {}
        self._alive: list[Mapping[str, Value]] = []
        self.rows: list[dict[str, Any]] = []

    def __call__(self, properties: Mapping[str, Value]) -> int:
        """Where the map is in `rows`."""
        found = self._places.get(id(properties))
        if found is None:
            # an object's id is its own only while it lives
            self._alive.append(properties)
            found = self._places[id(properties)] = len(self.rows)
            self.rows.append(properties_of(properties, self._moments) | {"tenant": self._tenant})
        return found


def batches(
    trees: Sequence[Tree], begin: Callable[[], TreeBatch], created_at: Mapping[str, Any]
) -> list[TreeBatch]:
    """Trees in batches by id, so that writers take locks in one order.

    Args:
        trees: Checked trees.
        begin: Makes an empty batch.
        created_at: Root id -> the time that stays.
    """
    found: list[TreeBatch] = []
    for tree in sorted(trees, key=lambda tree: tree.root.id):
        if not found or found[-1].full:
            found.append(begin())
        found[-1].add(tree, created_at.get(tree.root.id))
    return found
