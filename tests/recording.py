"""What tests of recordings share: a memory on any store, and all that a store holds of an episode."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import graphmem
from graphmem.graph.records import NodeRef
from graphmem.testing.clock import FakeClock
from neo4j_servers import shared_server

STORES = ["sqlite", pytest.param("2026", marks=pytest.mark.neo4j), pytest.param("5", marks=pytest.mark.neo4j)]
"""The embedded file and both lines of Neo4j."""

Open = Callable[..., graphmem.GraphMemory]

TIMES = frozenset({"created_at", "started_at", "ended_at", "at", "duration_ms", "time_unknown", "content_hash"})
"""Properties that say when something was recorded, or are made of it."""


@contextmanager
def memories(line: str, config: pytest.Config, folder: Path, tenant: str) -> Iterator[Open]:
    """Opens memories of a tenant that is empty before and after; all have one clock that stands still."""
    if line == "sqlite":
        given: dict[str, Any] = {"target": str(folder / "memory.db")}
    else:
        server = shared_server(line, config)
        given = {"target": server.uri, "auth": server.auth}
    given |= {"tenant": tenant, "embedder": "hashing", "clock": FakeClock()}
    opened: list[graphmem.GraphMemory] = []

    def open_one(**more: Any) -> graphmem.GraphMemory:
        opened.append(graphmem.open(**{**given, **more}))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()
    with graphmem.open(**given) as last:
        last.store.tenant(tenant).erase()


def picture(
    memory: graphmem.GraphMemory, episode: str, without: frozenset[str] = frozenset({"created_at"})
) -> tuple[Mapping[tuple[str, str], Mapping[str, Any]], Mapping[tuple[Any, ...], Mapping[str, Any]]]:
    """Every node and edge that is reached from an episode, its own id and some properties aside."""

    def named(ref: NodeRef) -> tuple[str, str]:
        return ref.label, ref.id.replace(episode, "*", 1) if ref.id.startswith(episode) else ref.id

    def kept(properties: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: "*" if value == episode else value for name, value in properties.items() if name not in without
        }

    graph = memory.workspace.graph
    found = graph.expand([NodeRef("Episode", episode)], direction="out", depth=4, limit=10_000)
    assert not found.truncated
    nodes = {named(node.ref): kept(node.properties) for node in found.nodes}
    edges = {(one.type, named(one.source), named(one.target)): kept(one.properties) for one in found.edges}
    return nodes, edges


def root_vector(memory: graphmem.GraphMemory, episode: str) -> list[float]:
    """The vector of a stored episode; [] for none."""
    ref = NodeRef("Episode", episode)
    vector = memory.workspace.graph.get([ref], vectors=True)[ref].vector
    return [] if vector is None else [float(number) for number in vector]
