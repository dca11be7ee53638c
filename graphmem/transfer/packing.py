"""What is to be written for episodes as plain tuples, and back: made to cross to another process cheaply. Pure.

Refs and edges are named tuples of a class each, of which an episode has some eighty; as columns of small numbers
they cross in a third of the time. Shared nodes cross once for all episodes that are packed together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from graphmem.graph.records import EdgeRecord, NodeRecord, Tree, Value
from graphmem.transfer.planning import Plan

PackedNode = tuple[str, str, Mapping[str, Value]]
"""Label, id and properties of a node without a vector."""

PackedEdges = tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Types, sources, targets and properties of edges, in columns. Ends are places in the episode's own nodes; from
`-1` downwards they are places in the shared nodes."""

PackedPlan = tuple[tuple[PackedNode, ...], tuple[int, ...], PackedEdges, tuple[Mapping[str, Value], ...]]
"""The nodes of an episode, its root first; places of its shared nodes; its edges; what edges carry."""

_edge: Callable[[Iterable[Any]], EdgeRecord] = partial(tuple.__new__, EdgeRecord)
"""An edge of its fields, made in C: an import has dozens an episode."""


class SharedNodes:
    """The shared nodes of some episodes, each object once."""

    def __init__(self) -> None:
        self._nodes: dict[int, tuple[int, NodeRecord]] = {}

    @property
    def packed(self) -> tuple[PackedNode, ...]:
        """The nodes in the order of their places."""
        return tuple((node.label, node.id, node.properties) for _, node in self._nodes.values())

    def place(self, node: NodeRecord) -> int:
        """The place of a node among them; it is added when it is new."""
        return self._nodes.setdefault(id(node), (len(self._nodes), node))[0]


def pack(plan: Plan, shared: SharedNodes) -> PackedPlan:
    """The plan of an episode, without vectors, as plain tuples.

    Args:
        plan: What is to be written; every edge ends at a node of it.
        shared: Takes the shared nodes.
    """
    assert plan.tree is not None  # noqa: S101 (episodes have trees)
    own = (plan.root, *plan.tree.nodes)
    named = tuple(map(shared.place, plan.shared))
    ends = {node.ref: place for place, node in enumerate(own)}
    ends.update((node.ref, -1 - place) for node, place in zip(plan.shared, named, strict=True))
    types, sources, targets, carried = zip(*plan.tree.edges, strict=True) if plan.tree.edges else ((), (), (), ())
    maps = {id(one): one for one in carried}
    places = {key: place for place, key in enumerate(maps)}
    columns = (
        types,
        tuple(map(ends.__getitem__, sources)),
        tuple(map(ends.__getitem__, targets)),
        tuple(map(places.__getitem__, map(id, carried))),
    )
    return tuple((node.label, node.id, node.properties) for node in own), named, columns, tuple(maps.values())


class UnpackedShared:
    """The shared nodes of some episodes, out of what was packed."""

    def __init__(self, packed: Sequence[PackedNode]) -> None:
        self.nodes = [NodeRecord(*node) for node in packed]
        self.ends = [node.ref for node in reversed(self.nodes)]
        """Their refs, so that `ends[-1 - place]` is that of a place."""


def unpack(packed: PackedPlan, shared: UnpackedShared) -> Plan:
    """What `pack` was given.

    Args:
        packed: What it made.
        shared: The shared nodes of all episodes that were packed together.
    """
    nodes, named, (types, sources, targets, about), carried = packed
    own = [NodeRecord(*node) for node in nodes]
    ends = [*(node.ref for node in own), *shared.ends]
    columns = (
        types,
        map(ends.__getitem__, sources),
        map(ends.__getitem__, targets),
        map(carried.__getitem__, about),
    )
    edges = tuple(map(_edge, zip(*columns, strict=True)))
    return Plan(own[0], Tree(own[0], tuple(own[1:]), edges), [shared.nodes[place] for place in named])
