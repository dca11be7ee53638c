"""Killed before any call to the store and run again, a consolidation ends as if it ran once; on every store."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from graphmem.graph.mapping.message import message_record
from graphmem.graph.schema import NODE_TYPES
from graphmem.models.message import Message
from graphmem.ports.graph_store import TenantGraph
from graphmem.testing.clock import FakeClock
from killed_consolidation import run
from killed_import import opened
from neo4j_servers import Neo4jServer

TESTS = Path(__file__).parents[1]

SAID = (
    *("Smoking causes cancer.", "비타민 부족은 괴혈병을 유발한다.", "서울(Seoul)은 크다.", "I fear cancer."),
    *("Smoking often causes cancer.", "비타민 부족이 괴혈병을 유발했다.", "서울(Seoul)에는 강이 있다."),
    *("A router is a kind of device.", "A device is a kind of router.", "So a router is a kind of device."),
    *("So a device is a kind of router.", "서울은 한국의 일부이다.", "서울이 한국의 일부이다."),
)


def fill(graph: TenantGraph) -> None:
    """Keep what was said, each in a session of its own."""
    now = FakeClock()()
    messages = [
        Message(id=f"m{place:02}", text=text, at=now, session=f"s{place}") for place, text in enumerate(SAID)
    ]
    with graph.transaction() as tx:
        tx.save_nodes([message_record(message, now) for message in messages])


def picture(graph: TenantGraph) -> tuple[list[Any], list[Any]]:
    """All nodes but the records of runs, and all edges."""
    labels = sorted(NODE_TYPES.keys() - {"ConsolidationRun", "Merge"})
    nodes = [node for label in labels for node in graph.scan(label, limit=1000).records]
    edges = graph.edges([node.ref for node in nodes])
    return [(node.ref, dict(node.properties)) for node in nodes], [
        (*edge[:3], dict(edge.properties)) for edge in edges
    ]


def check(target: str, tenant: str) -> None:
    store = opened(target)
    disturbed, undisturbed = (store.tenant(name) for name in (tenant, f"{tenant}-once"))
    fill(disturbed)
    fill(undisturbed)
    run(target, f"{tenant}-once")
    command = [sys.executable, str(TESTS / "killed_consolidation.py"), target, tenant]
    paths = os.pathsep.join([str(TESTS), str(TESTS.parent)])
    said = subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": paths}, stdout=subprocess.PIPE)
    assert int(said.stdout) > 20
    assert undisturbed.count("Concept") >= 6
    assert picture(disturbed) == picture(undisturbed)
    # the record comes last: a run that died before it did its work, and nothing says so
    assert disturbed.count("ConsolidationRun") <= 1
    store.close()


def test_no_kill_changes_what_is_learned_in_a_file(tmp_path: Path, tenant: str) -> None:
    check(str(tmp_path / "memory.db"), tenant)


@pytest.mark.slow
def test_no_kill_changes_what_is_learned_on_neo4j(
    neo4j_server: Neo4jServer, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, password = neo4j_server.auth
    monkeypatch.setenv("NEO4J_USERNAME", user)
    monkeypatch.setenv("NEO4J_PASSWORD", password)
    check(neo4j_server.uri, tenant)
