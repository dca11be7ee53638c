from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.errors import SettingsError
from graphmem.targets import as_text, parse_target


@pytest.mark.parametrize(
    ("text", "kind", "address"),
    [
        ("memory.db", "sqlite", "memory.db"),
        ("./neo4j", "sqlite", "neo4j"),
        ("기억/메모리.db", "sqlite", "기억/메모리.db"),
        ("sqlite:///memory.db", "sqlite", "memory.db"),
        ("sqlite:////data/memory.db", "sqlite", "/data/memory.db"),
        ("neo4j://host:7687", "neo4j", "neo4j://host:7687"),
        ("neo4j+s://id.databases.neo4j.io", "neo4j", "neo4j+s://id.databases.neo4j.io"),
        ("neo4j+ssc://host", "neo4j", "neo4j+ssc://host"),
        ("bolt://[::1]:7687", "neo4j", "bolt://[::1]:7687"),
        ("bolt+s://host", "neo4j", "bolt+s://host"),
        ("bolt+ssc://host", "neo4j", "bolt+ssc://host"),
    ],
)
def test_a_target_is_a_file_or_a_server(text: str, kind: str, address: str) -> None:
    target = parse_target(text, None)
    assert (target.kind, target.address) == (kind, address)


def test_neo4j_alone_means_the_address_in_the_environment() -> None:
    assert parse_target("neo4j", "bolt://h:7687").address == "bolt://h:7687"
    with pytest.raises(SettingsError, match="NEO4J_URI, which is not set"):
        parse_target("neo4j", None)
    with pytest.raises(SettingsError, match="NEO4J_URI: not a Neo4j address"):
        parse_target("neo4j", "http://h")


def test_a_path_object_is_a_file_whatever_it_is_called() -> None:
    assert parse_target(as_text(Path("neo4j")), None).kind == "sqlite"
    assert parse_target(as_text(Path("/data/memory.db")), None).address == "/data/memory.db"
    assert as_text("neo4j") == "neo4j"


def test_a_home_folder_is_found() -> None:
    assert parse_target("~/memory.db", None).address == str(Path("~/memory.db").expanduser())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sqlite://memory.db",
        "sqlite:///",
        ":memory:",
        "sqlite:///:memory:",
        "http://host",
        "neo4j://",
        "neo4j://[",
        "a\0b",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(SettingsError):
        parse_target(text, None)


@pytest.mark.parametrize("uri", ["neo4j://ada:horse@host", "bolt+s://horse@host:7687", "neo4j://:horse@host"])
def test_an_address_with_a_password_in_it_is_refused_without_repeating_it(uri: str) -> None:
    for text, variable in ((uri, None), ("neo4j", uri)):
        with pytest.raises(SettingsError, match="NEO4J_PASSWORD") as caught:
            parse_target(text, variable)
        assert "horse" not in str(caught.value)
