"""Pytest plugin: a real Neo4j of each supported line for the tests that ask for one.

Tests use these fixtures (all mark their tests `neo4j` and run them once a line):

* `neo4j_server`: a server shared by the whole run, told apart by tenant: never change its schema beyond what
  every test needs, never empty it. `NEO4J_TEST_URI_2026` and `NEO4J_TEST_URI_5` name servers that are already
  there (password `graphmem-test`); else the run starts its own.
* `empty_neo4j_server`: the run's own server without data, indexes and constraints, for `serial` tests; a
  server named in the environment is never emptied.
* `tenant`: a name that no other test uses.

A line's server starts when the first test needs it, whichever xdist worker that is, and ends with the run. The run
holds a lock that the server's guard watches, so that a run that is killed leaves no server behind.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple
from uuid import uuid4

import neo4j
import pytest

PASSWORD = "graphmem-test"

_SCRIPT = Path(__file__).parent / "neo4j" / "server.py"
_UNAVAILABLE = 3
_LINES = [pytest.param(name, marks=pytest.mark.neo4j) for name in ("2026", "5")]
_RUN = pytest.StashKey["_Run"]()


class Neo4jServer(NamedTuple):
    """A server to connect to, as the user neo4j."""

    uri: str
    password: str

    @property
    def auth(self) -> tuple[str, str]:
        """User and password, as the driver takes them."""
        return "neo4j", self.password


class _Run:
    """The folder of the servers of one test run, shared by its xdist workers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def server(self, line: str) -> Neo4jServer:
        """Give the run's server of a line, starting it where no other worker has."""
        command = [sys.executable, str(_SCRIPT), "start", "--line", line, "--folder", str(self.folder / line)]
        command += ["--password", PASSWORD, "--owner", str(self.folder / "owner")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == _UNAVAILABLE and "CI" not in os.environ:
            pytest.skip(f"no Neo4j {line}: {done.stderr.strip()}")
        if done.returncode:
            pytest.fail(f"no Neo4j {line}: {done.stderr.strip()}", pytrace=False)
        return Neo4jServer(done.stdout.strip().removeprefix("NEO4J_URI="), PASSWORD)


class _OwnedRun(_Run):
    """The run as its own process sees it: the one that outlives the workers and ends the servers."""

    def __init__(self) -> None:
        super().__init__(Path(tempfile.mkdtemp(prefix="graphmem-tests-")))
        self._owner: IO[str] = (self.folder / "owner").open("w", encoding="utf-8")
        fcntl.flock(self._owner, fcntl.LOCK_EX)

    def end(self) -> None:
        """Stop every server of the run and remove its folder."""
        for folder in self.folder.iterdir():
            if folder.is_dir():
                command = [sys.executable, str(_SCRIPT), "stop", "--line", folder.name, "--folder", str(folder)]
                subprocess.run(command, check=False)
        self._owner.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def pytest_configure(config: pytest.Config) -> None:
    """Give the run its folder; a worker takes over the one of its controller."""
    given: dict[str, Any] | None = getattr(config, "workerinput", None)
    config.stash[_RUN] = _Run(Path(given["neo4j_run"])) if given else _OwnedRun()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the servers with the run that owns them."""
    run = config.stash.get(_RUN, None)
    if isinstance(run, _OwnedRun):
        run.end()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a new xdist worker where the run's servers are."""
    node.workerinput["neo4j_run"] = str(node.config.stash[_RUN].folder)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the serial tests last; beside other workers they cannot run at all."""
    items.sort(key=lambda item: item.get_closest_marker("serial") is not None)
    if hasattr(config, "workerinput"):
        beside_others = pytest.mark.skip(reason="serial: run it with -n 0 -m serial")
        for item in items:
            if item.get_closest_marker("serial"):
                item.add_marker(beside_others)


def shared_server(line: str, config: pytest.Config) -> Neo4jServer:
    """Give the server of a line ("2026" or "5") that all tests of the run share, started where need be.

    Every test on it uses the embedder `hashing` or none: a database holds the vectors of one embedder.
    """
    if uri := os.environ.get(f"NEO4J_TEST_URI_{line}"):
        return Neo4jServer(uri, PASSWORD)
    return config.stash[_RUN].server(line)


@pytest.fixture(scope="session", params=_LINES)
def neo4j_line(request: pytest.FixtureRequest) -> str:
    """Name the line of Neo4j that the test runs on: "2026" or "5"."""
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def neo4j_server(neo4j_line: str, pytestconfig: pytest.Config) -> Neo4jServer:
    """Give the server of the line that all tests of the run share."""
    return shared_server(neo4j_line, pytestconfig)


@pytest.fixture
def empty_neo4j_server(neo4j_line: str, request: pytest.FixtureRequest) -> Iterator[Neo4jServer]:
    """Give the run's own server of the line, emptied before and after the test."""
    if not request.node.get_closest_marker("serial"):
        pytest.fail("a test that uses empty_neo4j_server must be marked serial", pytrace=False)
    server = request.config.stash[_RUN].server(neo4j_line)
    with _emptied(server):
        yield server


@pytest.fixture
def tenant() -> str:
    """Give a tenant's name that no other test uses."""
    return f"test-{uuid4().hex}"


@contextmanager
def _emptied(server: Neo4jServer) -> Iterator[None]:
    with neo4j.GraphDatabase.driver(server.uri, auth=server.auth) as driver:
        _empty(driver)
        yield
        _empty(driver)


def _empty(driver: neo4j.Driver) -> None:
    for record in driver.execute_query("SHOW CONSTRAINTS YIELD name").records:
        _drop(driver, "CONSTRAINT", record["name"])
    for record in driver.execute_query("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP'").records:
        _drop(driver, "INDEX", record["name"])
    with driver.session() as session:
        session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS").consume()


def _drop(driver: neo4j.Driver, kind: str, name: str) -> None:
    with driver.session() as session:
        session.run(f"DROP {kind} `{name}` IF EXISTS").consume()
