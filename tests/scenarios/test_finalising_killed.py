"""Killed between any two calls to the store, finalising leaves the old state or the new one; on every store."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import graphmem
from graphmem.graph.records import NodeRef
from graphmem.models.episode import EpisodeState, Outcome
from killed_finalising import opened, record
from neo4j_servers import Neo4jServer
from recording import picture

TESTS = Path(__file__).parents[1]
WITHOUT = frozenset({"created_at", "content_hash"})


def facts(memory: graphmem.GraphMemory, episode: str) -> set[str]:
    """Types of the edges of facts to an episode and its first message."""
    graph = memory.workspace.graph
    found = graph.edges([NodeRef("Episode", episode), NodeRef("Message", f"{episode}-m1")], None, "in")
    return {f"{edge.type} {edge.target.label}" for edge in found if edge.source.label == "Memory"}


def check(target: str, tenant: str, model: str) -> None:
    command = [sys.executable, str(TESTS / "killed_finalising.py"), target, tenant, model]
    paths = os.pathsep.join([str(TESTS), str(TESTS.parent)])
    said = subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": paths}, stdout=subprocess.PIPE)
    last = int(said.stdout)
    assert last > 8
    names = [f"e-{number:03}" for number in range(last + 1)]
    with opened(target, tenant, with_model=model == "model") as memory:
        record(memory, "undisturbed")
        wanted, wanted_facts = picture(memory, "undisturbed", WITHOUT), facts(memory, "undisturbed")
        assert wanted_facts == {"ASSERTED_IN Episode", "ASSERTED_IN Message", "DERIVED_FROM Episode"}
        states = [memory.episodes.get(name).state for name in names]
        assert states[0] is EpisodeState.OPEN
        assert states[-1] is EpisodeState.CLOSED
        assert states == sorted(states, reverse=True)
        for name, state in zip(names, states, strict=True):
            if state is EpisodeState.CLOSED:
                assert picture(memory, name, WITHOUT) == wanted
                assert facts(memory, name) == wanted_facts
            else:
                _finish(memory, name)
                assert picture(memory, name, WITHOUT) == wanted
                assert facts(memory, name) == wanted_facts
        assert memory.episodes.pending() == ()


def _finish(memory: graphmem.GraphMemory, name: str) -> None:
    """Finalise an episode that was left in its old state: as it ended, or, where that was not kept, once more."""
    before = memory.episodes.get(name)
    assert (before.summary, before.outcome, before.lessons, len(before.steps)) == (None, None, (), 2)
    assert facts(memory, name) == set()
    (waiting,) = [one for one in memory.episodes.pending() if one.id == name]
    if waiting.is_ended:
        assert memory.episodes.finalize(name) == (name,)
    else:
        run = memory.episodes.resume(name)
        assert run.episode.started_at is not None
        ended = run.episode.started_at.replace(minute=4)
        run.succeed("환불했다", lessons=["given"], at=ended, error="Late")
    assert memory.episodes.get(name).outcome is Outcome.SUCCESS


@pytest.mark.slow
@pytest.mark.parametrize("model", ["rules", "model"])
def test_no_kill_leaves_half_an_episode_in_a_file(tmp_path: Path, tenant: str, model: str) -> None:
    check(str(tmp_path / "memory.db"), tenant, model)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["rules", "model"])
def test_no_kill_leaves_half_an_episode_on_neo4j(
    neo4j_server: Neo4jServer, tenant: str, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, password = neo4j_server.auth
    monkeypatch.setenv("NEO4J_USERNAME", user)
    monkeypatch.setenv("NEO4J_PASSWORD", password)
    check(neo4j_server.uri, tenant, model)
