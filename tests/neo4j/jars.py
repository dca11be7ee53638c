"""Fetches the jars of a Neo4j server with Maven, once, and checks them against the manifest beside this file.

The folder is `$GRAPHMEM_NEO4J_CACHE/<version>/lib` (default `~/.cache/graphmem-neo4j`). A folder that fits the
manifest is used as it is, without Maven; any other is fetched anew.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from lines import Line, UnavailableError, locked

_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
_POM = Path(__file__).with_name("pom.xml")


def fetch(line: Line) -> Path:
    """Give the folder with the server's jars, fetching them where they are missing or differ.

    Raises:
        UnavailableError: Maven is missing, cannot resolve the jars, or they differ from the manifest.
    """
    folder = _cache() / line.version
    folder.mkdir(parents=True, exist_ok=True)
    # Maven's own repository does not stand two writers either: one lock for both lines.
    with locked(_cache() / "fetch.lock"):
        lib = folder / "lib"
        if differences(lib, line):
            _replace(lib, _copied(folder / "lib.new", line))
            if differing := differences(lib, line):
                raise UnavailableError(_explain(lib, line, differing))
        return lib


def differences(lib: Path, line: Line) -> list[str]:
    """Name the jars that are missing from a folder, are not the server's, or have other contents."""
    expected = dict(_entries(line.manifest))
    present = {path.name for path in lib.glob("*.jar")}
    changed = {name for name in present & expected.keys() if _sha256(lib / name) != expected[name]}
    return sorted(changed | (present ^ expected.keys()))


def _copied(target: Path, line: Line) -> Path:
    if shutil.which("mvn") is None:
        message = f"Maven (mvn) is not on the PATH, and {target.parent} holds no complete Neo4j {line.version}"
        raise UnavailableError(message)
    shutil.rmtree(target, ignore_errors=True)
    command = ["mvn", "-B", "-q", "-f", str(_POM), f"-Dneo4j.version={line.version}"]
    command += [f"-Dnetty.version={line.netty}", "-DincludeScope=runtime", f"-DoutputDirectory={target}", _COPY]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise UnavailableError(
            f"Maven could not fetch Neo4j {line.version}:\n{done.stdout[-2000:]}{done.stderr[-500:]}"
        )
    return target


def _replace(lib: Path, fetched: Path) -> None:
    shutil.rmtree(lib, ignore_errors=True)
    fetched.rename(lib)


def _explain(lib: Path, line: Line, differing: list[str]) -> str:
    named = ", ".join(differing[:5])
    return f"{len(differing)} jars in {lib} do not fit {line.manifest.name}, fetched anew: {named}"


def _entries(manifest: Path) -> Iterator[tuple[str, str]]:
    for entry in manifest.read_text(encoding="utf-8").splitlines():
        digest, name = entry.split()
        yield name, digest


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _cache() -> Path:
    chosen = os.environ.get("GRAPHMEM_NEO4J_CACHE")
    return Path(chosen) if chosen else Path.home() / ".cache" / "graphmem-neo4j"
