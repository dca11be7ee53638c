"""Where a memory is kept, read from what was typed: pure, and without a secret in it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from graphmem.errors import SettingsError

NEO4J_SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
"""URI schemes of the Neo4j driver."""

FROM_ENVIRONMENT = "neo4j"
"""The target that says: the database that NEO4J_URI names."""

_SQLITE = "sqlite:///"


@dataclass(frozen=True, slots=True)
class Target:
    """A store's kind and address."""

    kind: Literal["sqlite", "neo4j"]
    address: str
    """A path or a URI, without user and password."""


def as_text(target: str | os.PathLike[str]) -> str:
    """A target as one text; a path object is always a file, whatever it is called."""
    return target if isinstance(target, str) else f"{_SQLITE}{os.fspath(target)}"


def parse_target(text: str, neo4j_uri: str | None) -> Target:
    """Read a target.

    Args:
        text: A path, `sqlite:///path` (a fourth slash begins an absolute path), a Neo4j URI, or
            `neo4j` alone.
        neo4j_uri: What `neo4j` alone means; it is used for nothing else.

    Raises:
        SettingsError: It is none of these; the message repeats no password.
    """
    if text == FROM_ENVIRONMENT:
        if not neo4j_uri:
            raise SettingsError("the store 'neo4j' reads NEO4J_URI, which is not set: set it, or give the address")
        return Target("neo4j", _neo4j_address(neo4j_uri, "NEO4J_URI"))
    if "://" not in text:
        return Target("sqlite", _path(text))
    scheme = text.partition("://")[0].lower()
    if scheme == "sqlite":
        if not text.startswith(_SQLITE):
            raise SettingsError("a SQLite store is written as sqlite:///path, or as the path alone")
        return Target("sqlite", _path(text[len(_SQLITE) :]))
    if scheme in NEO4J_SCHEMES:
        return Target("neo4j", _neo4j_address(text, "store"))
    known = ", ".join(f"{name}://" for name in NEO4J_SCHEMES)
    raise SettingsError(f"store: unknown scheme {scheme}://; give a path, sqlite:///path, or one of {known}")


def has_password(text: str) -> bool:
    """Whether a user or a password stands in an address."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return "://" in text and (parts.username is not None or parts.password is not None)


def _path(text: str) -> str:
    if not text or text.startswith(":memory:") or "\0" in text:
        raise SettingsError("store: give the path of a file; graphmem keeps no memory without one")
    return str(Path(text).expanduser())


def _neo4j_address(uri: str, source: str) -> str:
    try:
        parts = urlsplit(uri)
        host = parts.hostname
    except ValueError:
        raise SettingsError(f"{source}: not an address; write neo4j://host:7687") from None
    if has_password(uri):
        raise SettingsError(
            f"{source}: a user or password stands in the address; put them into NEO4J_USERNAME and NEO4J_PASSWORD"
        )
    if parts.scheme.lower() not in NEO4J_SCHEMES or not host:
        raise SettingsError(f"{source}: not a Neo4j address; write neo4j://host:7687")
    return uri
