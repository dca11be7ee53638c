"""episodes pending, finalize and label: what waits, finishing it, and what people say of it afterwards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import graphmem
from command_shell import Shell
from graphmem import adapters, bootstrap
from graphmem.errors import ModelUnavailableError
from graphmem.ports.language_model import LanguageModel
from graphmem.testing import ScriptedModel

REPLY = {
    "summary": "주문을 환불했다.",
    "lessons": ["사진을 먼저 받는다"],
    "outcome": {"value": "unknown", "reason": "알 수 없다", "quote": ""},
    "facts": [],
}
ANSWER = json.dumps(REPLY, ensure_ascii=False)


def recorded(shell: Shell, *names: str) -> None:
    """Episodes that have ended while no model answered."""
    away = ScriptedModel(always=ModelUnavailableError("away", retry_after=60))
    path = shell.folder / "graphmem.db"
    with graphmem.open(path, embedder="hashing", language_model=away) as memory:
        for name in names:
            run = memory.episodes.record(goal="파손된 주문 환불", id=name, domain="support")
            run.step("issue_refund", result="환불함", tools=["payments"])
            with pytest.raises(ModelUnavailableError):
                run.succeed("환불함")


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> list[LanguageModel]:
    """What the commands get for a language model."""
    given: list[LanguageModel] = [ScriptedModel(always=ANSWER)]
    monkeypatch.setattr(bootstrap, "make_language_model", lambda settings: adapters.bounded(given[0], settings))
    return given


def test_pending_tells_what_each_episode_waits_for(shell: Shell) -> None:
    recorded(shell, "ended-1")
    with graphmem.open(shell.folder / "graphmem.db", embedder="hashing") as memory:
        memory.episodes.record(goal="다른 요청", id="running-1")
    found = shell.json("episodes", "pending")
    assert [list(item) for item in found] == [["id", "goal", "domain", "started_at", "steps", "ended", "why"]] * 2
    assert [(item["id"], item["ended"], item["steps"]) for item in found] == [
        ("ended-1", True, 1),
        ("running-1", False, 0),
    ]
    assert "was not finalised" in found[0]["why"]
    table = shell.ok("episodes", "pending").stdout
    assert "ended-1" in table
    assert "파손된 주문 환불" in table


def test_nothing_pending_says_where_was_looked(shell: Shell) -> None:
    shell.ok("remember", "so that there is a store")
    nothing = shell.ok("episodes", "pending")
    assert (nothing.stdout, "tenant 'default'" in nothing.stderr) == ("", True)
    assert shell.json("episodes", "pending") == []


@pytest.mark.usefixtures("model")
def test_finalize_finishes_all_that_have_ended(shell: Shell) -> None:
    recorded(shell, "a", "b")
    report = shell.json("episodes", "finalize")
    # the same question was asked twice, and the second time remembered
    assert report == {"finalized": ["a", "b"], "unchanged": [], "refused": [], "model_calls": 1}
    assert shell.json("episodes", "pending") == []
    assert shell.json("episodes", "show", "a")["summary"] == REPLY["summary"]
    again = shell.ok("episodes", "finalize").stdout
    assert again.split() == ["finalized", "0", "model", "calls", "0"]


def test_finalize_by_id_and_without_a_model(shell: Shell) -> None:
    recorded(shell, "a", "b")
    shown = shell.ok("episodes", "finalize", "b")
    assert shown.stdout.splitlines()[0] == "finalized b"
    assert [item["id"] for item in shell.json("episodes", "pending")] == ["a"]
    report = shell.run("--json", "episodes", "finalize", "b", "c", "a")
    assert report.exit_code == 1
    told = json.loads(report.stdout)
    assert (told["finalized"], told["unchanged"], told["model_calls"]) == (["a"], ["b"], 0)
    assert [one["id"] for one in told["refused"]] == ["c"]
    assert "no episode with id 'c'" in report.stderr


def test_an_episode_that_still_runs_is_refused(shell: Shell) -> None:
    with graphmem.open(shell.folder / "graphmem.db", embedder="hashing") as memory:
        memory.episodes.record(goal="다른 요청", id="running-1")
    result = shell.run("episodes", "finalize", "running-1")
    assert result.exit_code == 1
    assert "has not ended" in result.stderr


def test_a_model_that_fails_ends_the_command_with_4_and_keeps_what_was_done(
    shell: Shell, model: list[LanguageModel]
) -> None:
    recorded(shell, "a", "b", "c")
    model[0] = ScriptedModel([ANSWER, ModelUnavailableError("away", retry_after=60)])
    for name in ("a", "b", "c"):
        _another_goal(shell.folder, name)
    result = shell.run("--json", "episodes", "finalize")
    assert result.exit_code == 4
    told = json.loads(result.stdout)
    assert (told["finalized"], told["model_calls"]) == (["a"], 2)
    assert "away" in told["error"]
    assert [item["id"] for item in shell.json("episodes", "pending")] == ["b", "c"]


def _another_goal(folder: Path, name: str) -> None:
    """The memory of replies must not answer for the model: each episode is asked about in its own words."""
    with (
        graphmem.open(folder / "graphmem.db", embedder="hashing") as memory,
        memory.store.tenant("default").transaction() as transaction,
    ):
        transaction.set_properties("Episode", [(name, {"goal": f"주문 {name} 환불"})])


def test_a_useless_reply_leaves_its_own_episode_waiting_and_no_other(
    shell: Shell, model: list[LanguageModel]
) -> None:
    recorded(shell, "a", "b")
    for name in ("a", "b"):
        _another_goal(shell.folder, name)
    model[0] = ScriptedModel(["sorry", "sorry", ANSWER])
    result = shell.run("--json", "episodes", "finalize")
    assert (result.exit_code, json.loads(result.stdout)["finalized"]) == (4, ["b"])
    assert [item["id"] for item in shell.json("episodes", "pending")] == ["a"]


@pytest.mark.usefixtures("model")
def test_finalize_keeps_within_the_calls_it_was_given(shell: Shell) -> None:
    recorded(shell, "a", "b")
    for name in ("a", "b"):
        _another_goal(shell.folder, name)
    result = shell.run("--json", "episodes", "finalize", "--max-model-calls", "1")
    told = json.loads(result.stdout)
    assert (result.exit_code, told["finalized"], told["model_calls"]) == (4, ["a"], 1)
    assert "max_model_calls" in told["error"]


def test_label_reads_a_file_or_standard_input(shell: Shell) -> None:
    records = [{"type": "episode", "id": f"환불-{n}", "goal": "환불", "steps": []} for n in (1, 2)]
    shell.ok("import", shell.write("runs.jsonl", *records))
    rows = "episode,outcome,source\n환불-1,success,심사자\n환불-2,좋음,심사자\n"
    (shell.folder / "labels.csv").write_text(rows, encoding="utf-8-sig")
    result = shell.run("--json", "episodes", "label", "labels.csv")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert list(told) == ["read", "changed", "unchanged", "refused"]
    assert (told["read"], told["changed"], told["unchanged"]) == (2, 1, 0)
    (refused,) = told["refused"]
    assert (refused["path"], refused["line"]) == ("labels.csv", 3)
    shown = shell.run("episodes", "label", "-", "--max-refused", "1", stdin=rows.encode())
    assert shown.exit_code == 0
    assert shown.stdout.split() == ["read", "2", "changed", "0", "unchanged", "1", "refused", "1"]
    assert "-:3: outcome" in shown.stderr
    assert shell.json("episodes", "show", "환불-1")["outcome_history"][0]["source"] == "심사자"


def test_label_tries_without_writing_and_names_what_it_does_not_read(shell: Shell) -> None:
    shell.ok("import", shell.write("runs.jsonl", {"type": "episode", "id": "a", "goal": "g", "steps": []}))
    tried = shell.ok("episodes", "label", "-", "--dry-run", stdin="id,outcome,note\na,success,x\n")
    assert "Columns that are not read: note." in tried.stderr
    assert shell.json("episodes", "show", "a")["outcome"] == "unknown"


def test_a_file_that_is_no_csv_of_labels_is_an_error(shell: Shell) -> None:
    shell.ok("remember", "so that there is a store")
    result = shell.run("episodes", "label", "-", stdin="a,success\n")
    assert result.exit_code == 1
    assert "-:1: the first row names the columns" in result.stderr
    assert shell.run("episodes", "label", "absent.csv").exit_code == 2


def test_times_are_shown_as_they_were_given_and_in_utc_in_json(shell: Shell) -> None:
    at = "2026-03-01T08:00:00+09:00"
    record = {"type": "episode", "id": "a", "goal": "환불", "steps": [], "started_at": at}
    shell.ok("import", shell.write("a.jsonl", record))
    for line in (["list"], ["show", "a"], ["similar", "환불", "--min-similarity", "0"]):
        assert at in shell.ok("episodes", *line).stdout
    assert [item["started_at"] for item in shell.json("episodes", "list")] == ["2026-02-28T23:00:00Z"]
    assert at in shell.ok("recall", "환불").stdout
    assert shell.json("recall", "환불")[0]["at"] == "2026-02-28T23:00:00Z"
    assert "(2026-03-01)" in shell.ok("context", "환불").stdout
    assert f'"started_at":"{at}"' in shell.ok("export").stdout
    naive = shell.run("episodes", "list", "--since", "2026-03-01T08:00:00")
    assert (naive.exit_code, "a time has no offset" in naive.stderr) == (2, True)
