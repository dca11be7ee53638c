"""A virtual environment for each library, so that none can disturb another; made once and kept.

All have the driver's packing in Rust (neo4j-rust-ext) where this interpreter has it: the libraries are
compared, not the drivers.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PINNED = {"agentmem": "neo4j-agent-memory==0.8.0", "engrama": "engrama[neo4j]==0.18.1"}
"""Environment -> what is compared with; raise a version here and measure anew."""

_ALIKE = ("neo4j", "neo4j-rust-ext", "numpy")


def cache_folder() -> Path:
    """Where environments are kept between runs."""
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "graphmem-benchmarks"


def python_of(name: str, folder: Path) -> Path:
    """The interpreter of an environment, which is made when it is not there.

    Args:
        name: A key of `PINNED`.
        folder: Holds the environments.
    """
    place = folder / name
    python = place / "bin" / "python"
    if not python.exists():
        print(f"making an environment for {PINNED[name]}", file=sys.stderr)
        try:
            _run(sys.executable, "-m", "venv", str(place))
            _run(str(python), "-m", "pip", "install", "--quiet", PINNED[name], *_same_versions())
        except BaseException:
            shutil.rmtree(place, ignore_errors=True)  # half of one would be taken for a whole one
            raise
    return python


def _same_versions() -> list[str]:
    found = []
    for name in _ALIKE:
        try:
            found.append(f"{name}=={version(name)}")
        except PackageNotFoundError:
            continue
    return found


def _run(*command: str) -> None:
    subprocess.run(command, check=True)
