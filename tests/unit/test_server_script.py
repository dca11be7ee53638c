"""The scripts that set a machine up say what is missing, and trust no jar that they did not check."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UNAVAILABLE = 3


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    return folder


def test_without_maven_and_jars_it_says_that_both_are_missing(tmp_path: Path, commands: Path) -> None:
    done = _fetch(tmp_path / "cache", path=str(commands))
    assert done.returncode == UNAVAILABLE
    assert "Maven (mvn) is not on the PATH" in done.stderr
    assert "no complete Neo4j 5.26.31" in done.stderr


def test_a_failing_maven_is_quoted(tmp_path: Path, commands: Path) -> None:
    _command(commands / "mvn", "echo 'Could not resolve artifact'; exit 1")
    done = _fetch(tmp_path / "cache", path=f"{commands}:{os.defpath}")
    assert done.returncode == UNAVAILABLE
    assert "Could not resolve artifact" in done.stderr


def test_fetched_jars_that_are_not_the_listed_ones_are_refused(tmp_path: Path, commands: Path) -> None:
    wanted = 'for a in "$@"; do case $a in -DoutputDirectory=*) out=${a#*=};; esac; done; mkdir -p "$out"'
    _command(commands / "mvn", f'{wanted}; echo other > "$out/neo4j-kernel-5.26.31.jar"')
    done = _fetch(tmp_path / "cache", path=f"{commands}:{os.defpath}")
    assert done.returncode == UNAVAILABLE
    assert "do not fit 5.26.31.sha256" in done.stderr


def test_a_python_that_is_too_old_is_refused_with_what_is_needed(commands: Path) -> None:
    _command(commands / "python3.11", "exit 1")
    done = _find_python(commands, PYTHON="python3.11")
    assert done.returncode == 1
    assert "3.11 to 3.13" in done.stderr


def test_a_python_that_pyenv_has_but_does_not_enable_is_found(tmp_path: Path, commands: Path) -> None:
    _command(commands / "python3.12", "exit 127")
    installed = tmp_path / "pyenv" / "versions" / "3.12.1" / "bin"
    installed.mkdir(parents=True)
    (installed / "python").symlink_to(sys.executable)
    done = _find_python(commands, PYTHON="python3.12", PYENV_ROOT=str(tmp_path / "pyenv"))
    assert done.stdout.strip() == str(installed / "python")


def _fetch(cache: Path, path: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tests" / "neo4j" / "server.py"), "fetch", "--line", "5"]
    places = {"PATH": path, "GRAPHMEM_NEO4J_CACHE": str(cache)}
    return subprocess.run(command, env=places, capture_output=True, text=True, check=False)


def _find_python(commands: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    places = {"PATH": str(commands), "HOME": str(commands), **variables}
    command = ["/bin/sh", str(ROOT / ".ci" / "find-python")]
    return subprocess.run(command, env=places, capture_output=True, text=True, check=False)


def _command(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
