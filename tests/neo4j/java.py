"""Finds a Java that a line of Neo4j runs on, and the options that the server needs of it.

`GRAPHMEM_NEO4J_JAVA_2026` and `GRAPHMEM_NEO4J_JAVA_5` name a Java home for a line; else `JAVA_HOME`, the PATH
and the usual folders are looked through.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lines import Line, UnavailableError

_FOLDERS = (
    "/usr/lib/jvm",
    "/opt/java",
    "~/.sdkman/candidates/java",
    "~/.jdks",
    "/Library/Java/JavaVirtualMachines",
)

_OPENED = ("java.base/java.nio", "java.base/java.io", "java.base/sun.nio.ch", "java.base/java.util.concurrent")


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that was found: its command and its feature version, such as 21."""

    command: Path
    version: int


def find_java(line: Line) -> Java:
    """Choose the Java that the line prefers among those on this machine.

    Raises:
        UnavailableError: none of them runs this line.
    """
    found = [Java(command, version) for command in _commands(line) if (version := _version(command))]
    fitting = [java for java in found if java.version in line.java]
    if not fitting:
        seen = ", ".join(str(version) for version in sorted({java.version for java in found})) or "none"
        wanted = " or ".join(str(version) for version in line.java[:2])
        message = f"Neo4j {line.version} needs Java {wanted}; found: {seen}"
        raise UnavailableError(f"{message}. Install one or set GRAPHMEM_NEO4J_JAVA_{line.name}.")
    return min(fitting, key=lambda java: line.java.index(java.version))


def options(java: Java, line: Line, heap: str) -> list[str]:
    """Give the options of the server's own start script, less those that only matter in production."""
    given = [f"-Xms{heap}", f"-Xmx{heap}", "-XX:+UseG1GC", "-XX:-OmitStackTraceInFastThrow"]
    given += ["-XX:+DisableExplicitGC", "-Djava.awt.headless=true", "-Dfile.encoding=UTF-8"]
    given += ["-Dio.netty.tryReflectionSetAccessible=true", "-Dlog4j2.disable.jmx=true"]
    given += ["-Dio.netty.leakDetection.level=DISABLED", "-Djdk.nio.maxCachedBufferSize=1024", *line.java_options]
    given += [f"--add-opens={module}=ALL-UNNAMED" for module in _OPENED]
    given += ["--enable-native-access=ALL-UNNAMED", "--add-modules=jdk.incubator.vector"]
    if java.version >= 24:
        given.append("--sun-misc-unsafe-memory-access=allow")
    return given


def _commands(line: Line) -> Iterator[Path]:
    chosen = os.environ.get(f"GRAPHMEM_NEO4J_JAVA_{line.name}")
    if chosen:
        yield Path(chosen) / "bin" / "java"
        return
    if home := os.environ.get("JAVA_HOME"):
        yield Path(home) / "bin" / "java"
    if on_path := shutil.which("java"):
        yield Path(on_path)
    for folder in _FOLDERS:
        yield from sorted(Path(folder).expanduser().glob("*/bin/java"))
        yield from sorted(Path(folder).expanduser().glob("*/Contents/Home/bin/java"))


def _version(command: Path) -> int | None:
    if not command.is_file():
        return None
    asked = [str(command), "-XshowSettings:properties", "-version"]
    said = subprocess.run(asked, capture_output=True, text=True, check=False).stderr
    match = re.search(r"java\.specification\.version = (\d+)", said)
    return int(match[1]) if match else None
