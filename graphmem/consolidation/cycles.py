"""Keeps what is learned free of cycles: pure over a function that gives the stored edges at some nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from graphmem.graph.paths import EdgesOut, path_over
from graphmem.graph.records import NodeRef


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
        path = path_over(target, source, self._steps_out)
        if path is None:
            self._read([source])
            self._targets[source][target] = None
        return path

    def _steps_out(self, nodes: Sequence[NodeRef]) -> Iterator[tuple[NodeRef, NodeRef]]:
        self._read(nodes)
        return ((node, target) for node in nodes for target in self._targets[node])

    def _read(self, nodes: Sequence[NodeRef]) -> None:
        unknown = [node for node in nodes if node not in self._targets]
        self._targets.update((node, {}) for node in unknown)
        for edge in self._stored(unknown) if unknown else ():
            if (edge.source, edge.target) not in self._removed:
                self._targets[edge.source][edge.target] = None
