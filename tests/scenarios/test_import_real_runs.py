"""The real agent runs of the evaluation data, where it is present."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphmem.transfer.importing import import_records
from graphmem.transfer.policy import ImportOptions
from graphmem.transfer.report import ImportReport
from graphmem.transfer.sources import file_source
from transferring import DATA, exported, exported_records, import_data, sqlite_workspace

AIRLINE = DATA / "tau-bench" / "gpt-4o-airline.json"
TRAJECTORIES = sorted((DATA / "swe-agent").glob("*.traj"))
FIELDS = {"messages": "traj", "outcome": "reward", "task": "task_id"}


def import_airline(path: Path) -> tuple[Any, ImportReport]:
    if not AIRLINE.exists():
        pytest.skip(f"no airline runs at {AIRLINE}: set GRAPHMEM_DATA")
    workspace = sqlite_workspace(path, tenant="air")
    options = ImportOptions(format="chat", fields=FIELDS)
    return workspace, import_records(workspace, [file_source(AIRLINE)], options)


def test_200_airline_runs_are_200_episodes_and_a_second_import_adds_nothing(tmp_path: Path) -> None:
    workspace, report = import_airline(tmp_path / "memory.db")
    assert (report.read, report.added, report.refused) == (200, 200, [])
    assert report.to_dict()["extra"] == {"info": 200, "trial": 200}
    _, again = import_airline(tmp_path / "memory.db")
    assert (again.added, again.unchanged) == (0, 200)
    assert workspace.graph.count("ImportRun") == 1


def test_every_airline_call_is_a_step_with_the_result_that_follows_it(tmp_path: Path) -> None:
    workspace, _ = import_airline(tmp_path / "memory.db")
    episodes = exported_records(workspace.graph, "episode")
    runs = json.loads(AIRLINE.read_text())
    expected = sorted(_calls(run) for run in runs)
    found = sorted([(step["action"], step.get("result", "")) for step in episode["steps"]] for episode in episodes)
    assert found == expected
    assert sum(not calls for calls in expected) == 18
    assert sum(_reuses_ids(run) for run in runs) == 49
    assert {episode["task"] for episode in episodes} == {str(number) for number in range(50)}
    outcomes = [episode.get("outcome") for episode in episodes]
    assert (outcomes.count("success"), outcomes.count("failure")) == (84, 116)


def test_errors_of_the_airline_recur_under_few_labels(tmp_path: Path) -> None:
    workspace, _ = import_airline(tmp_path / "memory.db")
    episodes = exported_records(workspace.graph, "episode")
    labels = {name for episode in episodes for step in episode["steps"] for name in step.get("errors", ())}
    assert "payment amount does not add up" in labels
    assert "flight # not available on date #" in labels
    assert len(labels) < 12
    failed = [step for episode in episodes for step in episode["steps"] if not step.get("effective", True)]
    assert len(failed) == 73
    assert all(step["result"].startswith("Error:") for step in failed)


def test_an_export_of_the_airline_runs_comes_back_as_the_same_bytes(tmp_path: Path) -> None:
    workspace, _ = import_airline(tmp_path / "memory.db")
    first = exported(workspace.graph)
    other = sqlite_workspace(tmp_path / "other.db")
    assert import_data(other, first).added == 200
    assert exported(other.graph) == first


@pytest.mark.skipif(not TRAJECTORIES, reason="no SWE-agent trajectories: set GRAPHMEM_DATA")
def test_every_trajectory_is_an_episode_of_unknown_outcome(tmp_path: Path) -> None:
    workspace = sqlite_workspace(tmp_path / "memory.db")
    sources = [file_source(path) for path in TRAJECTORIES]
    options = ImportOptions(format="swe-agent")
    report = import_records(workspace, sources, options)
    assert (report.added, report.refused) == (len(TRAJECTORIES), [])
    episodes = exported_records(workspace.graph, "episode")
    documents = [json.loads(path.read_text()) for path in TRAJECTORIES]
    assert sorted(len(episode["steps"]) for episode in episodes) == sorted(
        len(document["trajectory"]) for document in documents
    )
    assert all("outcome" not in episode for episode in episodes)
    assert not any(
        episode["goal"].startswith("We're currently solving") and "ISSUE:" in episode["goal"]
        for episode in episodes
    )
    assert import_records(workspace, sources, options).unchanged == len(TRAJECTORIES)


def _calls(run: dict[str, Any]) -> list[tuple[str, str]]:
    """Each call with the text of the next tool message: every airline call stands alone and has a result."""
    calls = [call["function"]["name"] for message in run["traj"] for call in message.get("tool_calls") or ()]
    results = [message["content"] for message in run["traj"] if message["role"] == "tool"]
    return list(zip(calls, results, strict=True))


def _reuses_ids(run: dict[str, Any]) -> bool:
    ids = [call["id"] for message in run["traj"] for call in message.get("tool_calls") or ()]
    return len(set(ids)) < len(ids)
