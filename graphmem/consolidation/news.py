"""What is new since the last run, and what that run knew: phases read this alone where they are given it.

Everything is read where nothing is known: in the first run, after one that was stopped, after an erasure or any
other change that no mark tells of, and under another policy or other rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from graphmem.graph.records import And, Missing, NodeRef
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import CLOSED, every_node

IS_A = "IS_A"
PROCEDURE = "Procedure"
REMOVED = "removed "
"""Begins what went: `removed CAUSES`."""

_NEW = And((CLOSED, Missing("consolidated_hash")))


@dataclass(frozen=True, slots=True)
class News:
    """What there is to read, and what needs no second look."""

    episodes: tuple[str, ...] = ()
    """Closed episodes that no run has read."""
    rates: bool = False
    """Whether outcomes or learned procedures changed."""
    known: Mapping[str, Any] = field(default_factory=dict)
    """What the phases of the last run left, by name."""
    written: frozenset[str] = frozenset()
    """What the phases before this one wrote: types of edges, labels of nodes, `REMOVED` and either."""
    moved: frozenset[NodeRef] = frozenset()
    """Concepts at which they wrote or removed IS_A."""


@runtime_checkable
class Knowing(Protocol):
    """A plan that leaves something for the next run."""

    def known(self) -> Mapping[str, Any] | None:
        """By name, as JSON; None: the next run has to read everything."""
        ...


def new_episodes(graph: TenantGraph) -> tuple[str, ...]:
    """Closed episodes that no run has read, by id."""
    return tuple(node.id for node in every_node(graph, "Episode", _NEW))
