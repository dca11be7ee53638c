"""Counts episodes by how they ended: what several reports share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from graphmem.graph.records import NodeRecord
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import CLOSED, every_episode


@dataclass(slots=True)
class Tally:
    """Episodes counted once each, by outcome."""

    outcomes: Counter[str] = field(default_factory=Counter)

    def add(self, root: NodeRecord) -> None:
        """Count an episode."""
        self.outcomes[str(root.properties.get("outcome", "unknown"))] += 1

    @property
    def episodes(self) -> int:
        """All of them."""
        return self.outcomes.total()

    @property
    def success(self) -> int:
        """Those that reached their goal."""
        return self.outcomes["success"]

    @property
    def failure(self) -> int:
        """Those that did not."""
        return self.outcomes["failure"]


def closed_episodes(graph: TenantGraph) -> Iterator[tuple[NodeRecord, list[NodeRecord]]]:
    """Every closed episode of the tenant with its steps."""
    return every_episode(graph, CLOSED)
