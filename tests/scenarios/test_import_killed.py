"""Killed at any moment and run again, an import ends as if it had run once; on every store."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.workspace import Workspace
from graphmem.stores.neo4j.store import Neo4jStore
from graphmem.testing.clock import FakeClock
from graphmem.transfer.policy import ImportPolicy
from neo4j_servers import Neo4jServer
from transferring import exported, import_data, lines, sqlite_workspace

TESTS = Path(__file__).parents[1]


TALK = ["환불해 주세요", "해결됐습니다 감사합니다", "thanks", "by the way, why?", "저는 서울에 살아요", ""]


def records(episodes: int) -> list[dict[str, Any]]:
    """Episodes with all that links to them, in an order in which links come before what they name."""
    chance = random.Random(17)
    found: list[dict[str, Any]] = [{"type": "header", "version": 1}]
    for number in range(episodes):
        steps = [
            {"action": chance.choice(["look_up", "환불", "call_api"]), "tools": ["http"], "result": f"r{number}"}
            for _ in range(chance.randrange(6))
        ]
        name = f"run-{number}"
        episode = {"type": "episode", "id": name, "goal": f"주문 {number} 환불", "session": f"s{number % 7}"}
        message = {"type": "message", "id": f"m{number}", "text": "안녕", "at": number}
        told = {**message, "id": f"u{number}", "text": chance.choice(TALK), "at": number * 600_000}
        memory = {"type": "memory", "id": f"k{number}", "kind": "fact", "text": "t", "sources": [name]}
        found += [
            {**episode, "steps": steps},
            {**message, "episode": f"run-{number * 7 % episodes}"},
            {**told, "session": f"chat-{number % 3}"},
            {**memory, "supersedes": f"k{number + 1}"},
            {"type": "relation", "head": f"c{number}", "relation": "is_a", "tail": f"c{number // 2 + episodes}"},
            {"type": "outcome", "episode": name, "outcome": chance.choice(["success", "failure"])},
        ]
    chance.shuffle(found)
    return found


def holds_whole_episodes(graph: TenantGraph) -> bool:
    """Whether every stored episode has all the steps that it says it has."""
    roots = graph.scan("Episode", limit=10_000).records
    edges = graph.edges([root.ref for root in roots], ["HAS_STEP"])
    steps = graph.count("Step")
    return len(edges) == steps == sum(int(str(root.properties["step_count"])) for root in roots)


def puts_messages_into_one_episode(graph: TenantGraph) -> bool:
    """Whether every message that names no episode itself is in one, with its edge."""
    told = [node for node in graph.scan("Message", limit=10_000).records if node.id.startswith("u")]
    edges = graph.edges([node.ref for node in told], ["HAS_MESSAGE"], "in")
    wanted = {(str(node.properties.get("episode")), node.id) for node in told}
    return len(edges) == len(told) and {(edge.source.id, edge.target.id) for edge in edges} == wanted


def kill_ten_times(command: list[str], environment: Mapping[str, str], graph: TenantGraph) -> None:
    """Start the import and kill it, ten times, each time somewhat later; then let it end."""
    chance = random.Random(4711)
    for kill in range(10):
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as running:
            assert running.stdout is not None
            for _ in range(chance.randrange(1, 4 + 5 * kill)):
                if not running.stdout.readline():
                    break
            time.sleep(chance.random() * 0.02)
            running.kill()
        assert holds_whole_episodes(graph)
        assert puts_messages_into_one_episode(graph)
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)


def environment(**more: str) -> dict[str, str]:
    return {"PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)]), "PATH": os.environ["PATH"], **more}


def check(
    target: str,
    killed: Workspace,
    tmp_path: Path,
    episodes: int,
    *,
    processes: int = 1,
    names: Mapping[str, str] | None = None,
) -> None:
    data = lines(*records(episodes))
    file = tmp_path / "records.jsonl"
    file.write_bytes(data)
    undisturbed = sqlite_workspace(tmp_path / "undisturbed.db")
    # where a late message goes depends on what came before it, so the batches are the same
    assert import_data(undisturbed, data, policy=ImportPolicy(batch_records=20)).refused == []
    command = [sys.executable, str(TESTS / "killed_import.py"), target, killed.graph.tenant]
    command += [str(file), str(processes)]
    kill_ten_times(command, environment(**names or {}), killed.graph)
    assert exported(killed.graph) == exported(undisturbed.graph)
    again = import_data(killed, data)
    assert (again.added, again.changed, again.refused) == (0, 0, [])


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_ten_kills_change_nothing_of_an_import_into_a_file(tmp_path: Path, processes: int) -> None:
    store = tmp_path / "killed.db"
    check(str(store), sqlite_workspace(store), tmp_path, episodes=300, processes=processes)


@pytest.mark.slow
def test_ten_kills_change_nothing_of_an_import_into_neo4j(
    tmp_path: Path, neo4j_server: Neo4jServer, tenant: str
) -> None:
    user, password = neo4j_server.auth
    store = Neo4jStore(neo4j_server.uri, auth=neo4j_server.auth)
    with store.tenant(tenant).transaction():
        pass  # the schema is there before the first kill is looked at
    killed = Workspace(store.tenant(tenant), None, None, FakeClock(), os.urandom)
    names = {"NEO4J_USERNAME": user, "NEO4J_PASSWORD": password}
    check(neo4j_server.uri, killed, tmp_path, episodes=100, names=names)
    store.close()
