"""Killed at any moment and run again, an import ends as if it had run once."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from graphmem.ports.graph_store import TenantGraph
from transferring import exported, import_data, lines, sqlite_workspace

TESTS = Path(__file__).parents[1]
EPISODES = 600


def records() -> list[dict[str, Any]]:
    """Episodes with all that links to them, in an order in which links come before what they name."""
    chance = random.Random(17)
    found: list[dict[str, Any]] = [{"type": "header", "version": 1}]
    for number in range(EPISODES):
        steps = [
            {"action": chance.choice(["look_up", "환불", "call_api"]), "tools": ["http"], "result": f"r{number}"}
            for _ in range(chance.randrange(6))
        ]
        name = f"run-{number}"
        episode = {"type": "episode", "id": name, "goal": f"주문 {number} 환불", "session": f"s{number % 7}"}
        message = {"type": "message", "id": f"m{number}", "text": "안녕", "at": number}
        memory = {"type": "memory", "id": f"k{number}", "kind": "fact", "text": "t", "sources": [name]}
        found += [
            {**episode, "steps": steps},
            {**message, "episode": f"run-{number * 7 % EPISODES}"},
            {**memory, "supersedes": f"k{number + 1}"},
            {"type": "relation", "head": f"c{number}", "relation": "is_a", "tail": f"c{number // 2 + EPISODES}"},
            {"type": "outcome", "episode": name, "outcome": chance.choice(["success", "failure"])},
        ]
    chance.shuffle(found)
    return found


def whole_trees(graph: TenantGraph) -> bool:
    """Whether every stored episode has all the steps that it says it has."""
    roots = graph.scan("Episode", limit=10_000).records
    edges = graph.edges([root.ref for root in roots], ["HAS_STEP"])
    steps = graph.count("Step")
    return len(edges) == steps == sum(int(str(root.properties["step_count"])) for root in roots)


@pytest.mark.slow
def test_ten_kills_change_nothing_of_the_result(tmp_path: Path) -> None:
    data = lines(*records())
    file = tmp_path / "records.jsonl"
    file.write_bytes(data)
    undisturbed = sqlite_workspace(tmp_path / "undisturbed.db")
    assert import_data(undisturbed, data).refused == []
    store = tmp_path / "killed.db"
    command = [sys.executable, str(TESTS / "killed_import.py"), str(store), str(file)]
    environment = {"PYTHONPATH": f"{TESTS}:{TESTS.parent}", "PATH": ""}
    chance = random.Random(4711)
    for kill in range(10):
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as running:
            assert running.stdout is not None
            for _ in range(chance.randrange(1, 4 + 12 * kill)):
                if not running.stdout.readline():
                    break
            time.sleep(chance.random() * 0.02)
            running.kill()
        killed = sqlite_workspace(store)
        assert whole_trees(killed.graph)
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    killed = sqlite_workspace(store)
    assert exported(killed.graph) == exported(undisturbed.graph)
    again = import_data(killed, data)
    assert (again.added, again.changed, again.refused) == (0, 0, [])
