"""What holds for every test: no settings of the developer's own, and real Neo4j servers for those that ask."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from graphmem.stores.sqlite.store import SqliteStore

pytest_plugins = ["neo4j_servers"]

_SETTINGS = ("GRAPHMEM_", "NEO4J_", "OPENAI_")
_OF_THE_TESTS = ("GRAPHMEM_DATA", "GRAPHMEM_NEO4J_", "NEO4J_TEST_")


def pytest_configure() -> None:
    """Forget every setting in the environment that graphmem would read."""
    for name in list(os.environ):
        if name.startswith(_SETTINGS) and not name.startswith(_OF_THE_TESTS):
            del os.environ[name]


@pytest.fixture(autouse=True)
def _stores_of_the_test_are_closed() -> Iterator[None]:
    """Close every file that a test opened: since Python 3.13 a forgotten connection warns in some other test."""
    made: list[SqliteStore] = []
    original = SqliteStore.__init__

    def remembered(store: SqliteStore, *arguments: Any, **options: Any) -> None:
        original(store, *arguments, **options)
        made.append(store)

    SqliteStore.__init__ = remembered  # type: ignore[method-assign, assignment]  # put back below
    yield
    SqliteStore.__init__ = original  # type: ignore[method-assign]  # as it was
    for store in made:
        store.close()
