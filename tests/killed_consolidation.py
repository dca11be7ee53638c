"""Consolidates in processes of their own, each killed before another call to the store than the one before.

`python killed_consolidation.py STORE TENANT`: STORE is a path, or the address of a Neo4j whose user and password
are in NEO4J_USERNAME and NEO4J_PASSWORD. Each process goes on where the last one died; printed is how many died.
"""

from __future__ import annotations

import os
import signal
import sys

from graphmem.consolidation.consolidate import consolidate
from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.language.relations.extractor import Extractor
from graphmem.ports.aliased_graph import AliasedGraph
from graphmem.testing.clock import FakeClock
from graphmem.text.plain import PlainAnalyzer
from killed_finalising import Countdown, Counted
from killed_import import opened

MOST = 400
"""Calls that consolidating the test's texts surely does not make."""


def run(target: str, tenant: str, calls: int | None = None) -> None:
    """Consolidate in small batches; None: undisturbed."""
    store = opened(target)
    graph = AliasedGraph(store.tenant(tenant))
    consolidate(
        graph if calls is None else Counted(graph, Countdown(calls)),
        embedder=None,
        clock=FakeClock(),
        entropy=bytes(10),
        policy=ConsolidationPolicy(batch_texts=2),
        reader=Extractor(PlainAnalyzer()),
    )
    store.close()


def main(target: str, tenant: str) -> None:
    """Kill a process at ever later calls, until one comes through."""
    for calls in range(MOST):
        child = os.fork()
        if child == 0:
            run(target, tenant, calls)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.waitstatus_to_exitcode(status) == 0:
            print(calls)  # noqa: T201 (tells the test how many died)
            return
        if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
            sys.exit("a process ended in another way than it was meant to")
    sys.exit("none came through")


if __name__ == "__main__":
    main(*sys.argv[1:])
