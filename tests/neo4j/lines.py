"""The two lines of Neo4j that graphmem supports, and what each needs to run.

Leaves out how the server is fetched (jars) and started (process).
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


class UnavailableError(Exception):
    """This machine cannot run the server: Java, Maven or the jars are missing. The message says which."""


@dataclass(frozen=True, slots=True)
class Line:
    """One supported line of Neo4j Community."""

    name: str
    version: str
    netty: str
    """The Netty that the line is built on: newer patches may lack jars with native code."""
    java: tuple[int, ...]
    """Java versions that run it, the preferred first."""
    main_class: str
    settings: tuple[str, ...] = ()
    """Lines of neo4j.conf that the other line would refuse."""
    java_options: tuple[str, ...] = ()

    @property
    def manifest(self) -> Path:
        """The SHA-256 of every jar that the server consists of, in the format of sha256sum."""
        return Path(__file__).with_name(f"{self.version}.sha256")


LINES = {
    line.name: line
    for line in (
        Line(
            name="2026",
            version="2026.09.0",
            netty="4.2.18.Final",
            java=(25, 21, 22, 23, 24),
            main_class="org.neo4j.server.Neo4jCommunity",
            # No default query language is set: users' servers have the one they came with.
            settings=("dbms.fleet_manager.enabled=false",),
            # Lucene's vector instructions are switched on for known Java versions only.
            java_options=("-Dorg.neo4j.shaded.lucene9.vectorization.upperJavaFeatureVersion=25",),
        ),
        Line(
            name="5",
            version="5.26.31",
            netty="4.1.137.Final",
            java=(17, 21),
            main_class="org.neo4j.server.CommunityEntryPoint",
        ),
    )
}


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock between processes; the kernel frees it when this process ends."""
    with path.open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
