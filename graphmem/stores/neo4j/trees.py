"""Trees to the rows of graph/save_trees: what repeats is sent once and named by place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphmem.graph.records import EdgeRecord, NodeRecord, Tree, Value
from graphmem.graph.schema import NODE_TYPES
from graphmem.stores.neo4j.values import Moments, VectorCodec, properties_of, value_of

SHARED_LABELS = frozenset({"Tool", "Concept", "Session", "Message"})
"""Labels at which an edge of a tree may end that save_trees looks up; an edge that ends elsewhere (at a root,
which may be written by the same call) is written after the trees."""
OWNED = {"Step": "steps", "Finding": "findings"}
"""Label of an owned node -> the list of a row that holds its values, in the order of their places."""
_PLACES = {
    label: {name: place for place, name in enumerate(NODE_TYPES[label].properties, start=1)} for label in OWNED
}
"""Label -> property -> place in the values of a node; the id comes first."""
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
    names: Sequence[str] = ()
    """Properties that a placeholder may have and loses when it is described."""
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
            "names": self.names,
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
        properties = properties_of(root.properties, self._moments)
        if created_at is not None:
            properties["created_at"] = self._moments.place(created_at)
        owned, places = self._owned(tree)
        inner, outer, shapes = self._edges(tree.edges, places)
        self.size += 1000 + sum([len(value) for value in properties.values() if type(value) is str])
        self.rows.append(
            {
                "id": root.id,
                "hash": root.content_hash,
                "properties": properties,
                "vector": None if root.vector is None else self.codec.encode(root.vector),
                "inner": inner,
                "outer": outer,
                "shapes": shapes,
                **owned,
            }
        )

    def _owned(self, tree: Tree) -> tuple[dict[str, list[list[Any]]], dict[tuple[str, str], int]]:
        """The values of owned nodes by list, and where each node of the tree is among the ends of edges."""
        owned: dict[str, list[list[Any]]] = {name: [] for name in OWNED.values()}
        for node in tree.nodes:
            owned[OWNED[node.label]].append(self._values(node))
        places = {(tree.root.label, tree.root.id): 0}
        for label, name in OWNED.items():
            for values in owned[name]:
                places[label, values[0]] = len(places)
        return owned, places

    def _values(self, node: NodeRecord) -> list[Any]:
        places, moments = _PLACES[node.label], self._moments
        values: list[Any] = [None] * (len(places) + 1)
        values[0] = node.id
        size = 0
        for name, value in node.properties.items():
            # the loop runs eighty times an episode: texts, which most values are, take its shortest way
            if type(value) is str:
                size += len(value)
                values[places[name]] = value
            else:
                values[places[name]] = value_of(name, value, moments)
        self.size += size
        return values

    def _edges(
        self, edges: Sequence[EdgeRecord], places: Mapping[tuple[str, str], int]
    ) -> tuple[list[Any], list[Any], list[dict[str, Any]]]:
        inner: dict[tuple[str, int], list[int]] = {}
        outer: dict[tuple[str, int], list[int]] = {}
        shape_of = Shapes(self._moments)
        shape, properties = 0, None
        for edge in edges:
            source, target = edge.source, edge.target
            if edge.properties is not properties:
                properties = edge.properties
                shape = shape_of(properties)
            begin = places[source.label, source.id]
            name = (target.label, target.id)
            end = places.get(name)
            if end is not None:
                inner.setdefault((edge.type, shape), []).extend((begin, end))
            elif target.label in SHARED_LABELS:
                end = self._targets.setdefault(name, len(self._targets))
                outer.setdefault((edge.type, shape), []).extend((begin, end))
            else:
                self.later.append(edge)
        return _kin(inner), _kin(outer), shape_of.rows


def _kin(groups: Mapping[tuple[str, int], list[int]]) -> list[Any]:
    """Edges by type and place of their properties, as places of source and target in turn."""
    return [(*kind, places) for kind, places in groups.items()]


class Shapes:
    """The distinct property maps of edges; those that are one object are sent once."""

    def __init__(self, moments: Moments) -> None:
        self._moments = moments
        self._places: dict[int, int] = {}
        self._alive: list[Mapping[str, Value]] = []
        self.rows: list[dict[str, Any]] = []

    @property
    def times(self) -> list[tuple[int, int]]:
        """The times that the maps name by place."""
        return self._moments.rows

    def __call__(self, properties: Mapping[str, Value]) -> int:
        """Where the map is in `rows`."""
        found = self._places.get(id(properties))
        if found is None:
            # an object's id is its own only while it lives
            self._alive.append(properties)
            found = self._places[id(properties)] = len(self.rows)
            self.rows.append(properties_of(properties, self._moments))
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
