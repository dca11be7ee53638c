"""What holds for every test: no settings of the developer's own, and real Neo4j servers for those that ask."""

from __future__ import annotations

import os

pytest_plugins = ["neo4j_servers"]

_SETTINGS = ("GRAPHMEM_", "NEO4J_", "OPENAI_")
_OF_THE_TESTS = ("GRAPHMEM_DATA", "GRAPHMEM_NEO4J_", "NEO4J_TEST_")


def pytest_configure() -> None:
    """Forget every setting in the environment that graphmem would read."""
    for name in list(os.environ):
        if name.startswith(_SETTINGS) and not name.startswith(_OF_THE_TESTS):
            del os.environ[name]
