"""Memories that several contract tests open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from recording import STORES, Open, memories


@pytest.fixture(params=STORES)
def open_one(request: pytest.FixtureRequest, tmp_path: Path, tenant: str) -> Iterator[Open]:
    """Opens memories of the test's own tenant on each store."""
    with memories(request.param, request.config, tmp_path, tenant) as opening:
        yield opening


@pytest.fixture
def open_file(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Opens memories of one file."""
    with memories("sqlite", request.config, tmp_path, "facts") as opening:
        yield opening
