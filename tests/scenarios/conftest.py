"""A memory on each store: what the scenarios run on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import graphmem
from graphmem.demo.samples import sample_lines
from graphmem.transfer.importing import import_records
from graphmem.transfer.sources import file_source
from neo4j_servers import shared_server

OpenMemory = Callable[..., graphmem.GraphMemory]

STORES = ["sqlite", pytest.param("2026", marks=pytest.mark.neo4j), pytest.param("5", marks=pytest.mark.neo4j)]
"""The embedded file and both lines of Neo4j."""


@pytest.fixture(params=STORES)
def store_target(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, Any]:
    """Arguments of `graphmem.open` for a store; the embedder is the one of the shared servers."""
    if request.param == "sqlite":
        return {"target": str(tmp_path / "memory.db"), "embedder": "hashing"}
    server = shared_server(request.param, request.config)
    return {"target": server.uri, "auth": server.auth, "embedder": "hashing"}


@pytest.fixture
def open_memory(store_target: dict[str, Any], tenant: str) -> Iterator[OpenMemory]:
    """Opens memories of the test's own tenant, or of another one by name, and closes them."""
    with ExitStack() as opened:
        yield lambda **more: opened.enter_context(graphmem.open(**{"tenant": tenant, **store_target, **more}))


@pytest.fixture
def memory(open_memory: OpenMemory) -> graphmem.GraphMemory:
    """A memory of the test's own tenant."""
    return open_memory()


@pytest.fixture
def sampled(memory: graphmem.GraphMemory, tmp_path: Path) -> graphmem.GraphMemory:
    """A memory that holds the demo's sample episodes."""
    samples = tmp_path / "samples.jsonl"
    samples.write_text("".join(f"{line}\n" for line in sample_lines()), encoding="utf-8")
    report = import_records(memory.workspace, [file_source(samples)])
    assert not report.refused
    return memory
