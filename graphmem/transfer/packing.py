"""What is to be written for episodes as plain tuples, and back: made to cross to another process cheaply. Pure.

Refs and edges are named tuples of a class each, of which an episode has some eighty; as columns of small numbers
they cross in a third of the time. Shared nodes cross once for all episodes that are packed together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Tree, Value
from graphmem.transfer.planning import Plan

PackedNode = tuple[str, str, Mapping[str, Value]]
"""Label, id and properties of a node without a vector."""

PackedEdges = tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Types, sources, targets and properties of edges, in columns. Ends are places in the episode's own nodes; from
`-1` downwards they are places in the shared nodes."""

PackedPlan = tuple[tuple[PackedNode, ...], tuple[int, ...], PackedEdges, tuple[Mapping[str, Value], ...]]
"""The nodes of an episode, its root first; places of its shared nodes; its edges; what edges carry."""


@dataclass(slots=True)
class SharedNodes:
    """The shared nodes of some episodes, each once."""

    packed: list[PackedNode] = field(default_factory=list)
    places: dict[NodeRef, int] = field(default_factory=dict)

    def place(self, node: NodeRecord) -> int:
        """The place of a node among them; it is added when it is new."""
        ref = node.ref
        place = self.places.get(ref)
        if place is None:
            place = self.places[ref] = len(self.packed)
            self.packed.append((node.label, node.id, node.properties))
        return place


def pack(plan: Plan, shared: SharedNodes) -> PackedPlan:
    """The plan of an episode, without vectors, as plain tuples.

    Args:
        plan: What is to be written; every edge ends at a node of it.
        shared: Takes the shared nodes.
    """
    assert plan.tree is not None  # noqa: S101 (episodes have trees)
    nodes = tuple((node.label, node.id, node.properties) for node in (plan.root, *plan.tree.nodes))
    ends = {NodeRef(node[0], node[1]): place for place, node in enumerate(nodes)}
    named = tuple(shared.place(node) for node in plan.shared)
    ends.update((node.ref, -1 - place) for node, place in zip(plan.shared, named, strict=True))
    maps: dict[int, int] = {}
    carried: list[Mapping[str, Value]] = []
    types, sources, targets, about = [], [], [], []
    for kind, source, target, properties in plan.tree.edges:
        place = maps.get(id(properties))
        if place is None:
            place = maps[id(properties)] = len(carried)
            carried.append(properties)
        types.append(kind)
        sources.append(ends[source])
        targets.append(ends[target])
        about.append(place)
    return nodes, named, (tuple(types), tuple(sources), tuple(targets), tuple(about)), tuple(carried)


def unpack_shared(packed: Sequence[PackedNode]) -> list[NodeRecord]:
    """The shared nodes of some episodes."""
    return [NodeRecord(*node) for node in packed]


def unpack(packed: PackedPlan, shared: Sequence[NodeRecord], refs: Sequence[NodeRef]) -> Plan:
    """What `pack` was given.

    Args:
        packed: What it made.
        shared: The shared nodes of all episodes that were packed together.
        refs: Their refs.
    """
    nodes, named, (types, sources, targets, about), carried = packed
    own = [NodeRecord(*node) for node in nodes]
    ends = [NodeRef(node[0], node[1]) for node in nodes]
    edges = tuple(
        EdgeRecord(
            kind,
            ends[source] if source >= 0 else refs[-1 - source],
            ends[target] if target >= 0 else refs[-1 - target],
            carried[place],
        )
        for kind, source, target, place in zip(types, sources, targets, about, strict=True)
    )
    return Plan(own[0], Tree(own[0], tuple(own[1:]), edges), [shared[place] for place in named])
