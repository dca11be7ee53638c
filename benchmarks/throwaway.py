"""A Neo4j server for a benchmark, started by the tests' scripts in a folder of its own and ended with it.

Leaves out what is measured: see peers and recall.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import neo4j

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "tests" / "neo4j" / "server.py"
PASSWORD = "graphmem-test"


@contextmanager
def server(uri: str | None, *, heap: str = "2g", pagecache: str = "512m") -> Iterator[tuple[str, str]]:
    """URI and password of an empty server of the newer line.

    Args:
        uri: A server that is there already, password in NEO4J_PASSWORD: it is not stopped, but a
            benchmark empties it.
        heap: Memory of Java.
        pagecache: Memory of the store's files.
    """
    if uri is not None:
        yield uri, os.environ.get("NEO4J_PASSWORD", PASSWORD)
        return
    with tempfile.TemporaryDirectory(prefix="graphmem-benchmark-") as folder:
        place = ["--line", "2026", "--folder", f"{folder}/server"]
        size = ["--heap", heap, "--pagecache", pagecache]
        try:
            yield _run("start", *place, *size).removeprefix("NEO4J_URI="), PASSWORD
        finally:
            _run("stop", *place)


def _run(*arguments: str) -> str:
    command = [sys.executable, str(SCRIPT), *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    return done.stdout.strip()


def emptied(uri: str, password: str) -> str:
    """Remove all data, indexes and constraints of a server; its name and version."""
    with neo4j.GraphDatabase.driver(uri, auth=("neo4j", password)) as driver:
        for kind, listing in (("CONSTRAINT", "SHOW CONSTRAINTS YIELD name"), ("INDEX", _INDEXES)):
            for record in driver.execute_query(listing).records:
                driver.execute_query(f"DROP {kind} `{record['name']}` IF EXISTS")
        with driver.session() as session:
            session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 2000 ROWS").consume()
        driver.execute_query("CALL db.clearQueryCaches()")
        return str(driver.get_server_info().agent)


_INDEXES = "SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name"
