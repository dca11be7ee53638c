"""An import in a process of its own, which a test kills: `python killed_import.py STORE TENANT FILE [PROCESSES]`.

STORE is a path, or the address of a Neo4j whose user and password are in NEO4J_USERNAME and NEO4J_PASSWORD.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from graphmem.ports.graph_store import GraphStore
from graphmem.ports.workspace import Workspace
from graphmem.stores.neo4j.store import Neo4jStore
from graphmem.stores.sqlite.store import SqliteStore
from graphmem.testing.clock import FakeClock
from graphmem.transfer import second_process
from graphmem.transfer.importing import import_records
from graphmem.transfer.policy import ImportOptions, ImportPolicy
from graphmem.transfer.sources import file_source


def opened(target: str) -> GraphStore:
    """The store at a target."""
    if "://" not in target:
        return SqliteStore(Path(target))
    return Neo4jStore(target, auth=(os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"]))


def main(target: str, tenant: str, file: str, processes: str = "1") -> None:
    """Import a file in small batches and say when each is done."""
    second_process.SMALLEST = 0 if processes == "2" else sys.maxsize
    store = opened(target)
    workspace = Workspace(store.tenant(tenant), None, None, FakeClock(), os.urandom)
    options = ImportOptions(policy=ImportPolicy(batch_records=20))
    import_records(workspace, [file_source(file)], options, progress=lambda *_: print("batch", flush=True))  # noqa: T201 (tells the test how far it is)
    store.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
