"""A command line in its own folder, with the deterministic embedder and nobody's settings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from command_shell import Shell


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    for name in list(os.environ):
        if name.startswith(("GRAPHMEM_", "NEO4J_", "OPENAI_")) and name != "GRAPHMEM_DATA":
            monkeypatch.delenv(name)
    monkeypatch.setenv("GRAPHMEM_EMBEDDER", "hashing")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path)
