"""The servers that the other tests rely on: the right line, closed to strangers, and gone with their run."""

from __future__ import annotations

import fcntl
import subprocess
import sys
import time
from pathlib import Path

import neo4j
import pytest
from neo4j.exceptions import AuthError, ServiceUnavailable

from neo4j_servers import Neo4jServer

SCRIPT = Path(__file__).parents[1] / "neo4j" / "server.py"


def test_each_line_answers_with_its_own_version(neo4j_server: Neo4jServer, neo4j_line: str) -> None:
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=neo4j_server.auth) as driver:
        components = driver.execute_query("CALL dbms.components() YIELD name, versions, edition").records
    kernel = next(record for record in components if record["name"] == "Neo4j Kernel")
    assert kernel["versions"][0].startswith(f"{neo4j_line}.")
    assert kernel["edition"] == "community"


def test_a_wrong_password_is_refused(neo4j_server: Neo4jServer) -> None:
    with (
        neo4j.GraphDatabase.driver(neo4j_server.uri, auth=("neo4j", "not-the-password")) as driver,
        pytest.raises(AuthError),
    ):
        driver.verify_connectivity()


@pytest.mark.neo4j
def test_a_server_ends_when_the_run_that_owns_it_does(tmp_path: Path) -> None:
    owner = tmp_path / "owner"
    with owner.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        uri = _started(tmp_path / "5", owner)
        _ask(uri)
    _wait_until_gone(tmp_path / "5" / "home")
    with pytest.raises(ServiceUnavailable):
        _ask(uri)


@pytest.mark.serial
def test_a_serial_test_meets_neither_data_nor_indexes(empty_neo4j_server: Neo4jServer) -> None:
    with neo4j.GraphDatabase.driver(empty_neo4j_server.uri, auth=empty_neo4j_server.auth) as driver:
        count = driver.execute_query("MATCH (n) RETURN count(n) AS count").records[0]["count"]
        indexes = driver.execute_query("SHOW INDEXES YIELD type WHERE type <> 'LOOKUP'").records
        driver.execute_query("CREATE CONSTRAINT left_over FOR (n:LeftOver) REQUIRE n.id IS UNIQUE")
        driver.execute_query("CREATE (:LeftOver {id: 1})")
    assert (count, indexes) == (0, [])


def _started(folder: Path, owner: Path) -> str:
    command = [sys.executable, str(SCRIPT), "start", "--line", "5", "--folder", str(folder), "--owner", str(owner)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no server here: {done.stderr.strip()}")
    return done.stdout.strip().removeprefix("NEO4J_URI=")


def _ask(uri: str) -> None:
    with neo4j.GraphDatabase.driver(uri, auth=("neo4j", "graphmem-test"), connection_timeout=5) as driver:
        driver.verify_connectivity()


def _wait_until_gone(path: Path) -> None:
    deadline = time.monotonic() + 30
    while path.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not path.exists()
