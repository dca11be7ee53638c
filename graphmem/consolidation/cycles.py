"""Keeps what is learned free of cycles: pure over a function that gives the stored edges at some nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from graphmem.graph.records import EdgeRecord, NodeRef

EdgesOut = Callable[[Sequence[NodeRef]], Iterable[EdgeRecord]]
"""The stored edges of one type that start at these nodes."""


class AcyclicRelation:
    """The edges of one relation that may not form cycles, as stored and as they are added one after another.

    Args:
        stored: Gives the stored edges.
        removed: Ends of stored edges that go.
    """

    def __init__(self, stored: EdgesOut, removed: Iterable[tuple[NodeRef, NodeRef]] = ()) -> None:
        self._stored = stored
        self._removed = frozenset(removed)
        self._targets: dict[NodeRef, dict[NodeRef, None]] = {}

    def add(self, source: NodeRef, target: NodeRef) -> list[NodeRef] | None:
        """Add an edge unless it would close a cycle.

        Returns:
            None when it was added, else the path from its target back to its source.
        """
        path = self._path(target, source)
        if path is None:
            self._read([source])
            self._targets[source][target] = None
        return path

    def _path(self, start: NodeRef, goal: NodeRef) -> list[NodeRef] | None:
        before: dict[NodeRef, NodeRef | None] = {start: None}
        frontier = [start]
        while frontier and goal not in before:
            self._read(frontier)
            reached = []
            for node in frontier:
                for target in self._targets[node]:
                    if target not in before:
                        before[target] = node
                        reached.append(target)
            frontier = reached
        return _walked_back(goal, before) if goal in before else None

    def _read(self, nodes: Sequence[NodeRef]) -> None:
        unknown = [node for node in nodes if node not in self._targets]
        self._targets.update((node, {}) for node in unknown)
        for edge in self._stored(unknown) if unknown else ():
            if (edge.source, edge.target) not in self._removed:
                self._targets[edge.source][edge.target] = None


def _walked_back(goal: NodeRef, before: dict[NodeRef, NodeRef | None]) -> list[NodeRef]:
    path, at = [goal], before[goal]
    while at is not None:
        path.append(at)
        at = before[at]
    return path[::-1]
