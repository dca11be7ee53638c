"""Labels of episodes out of CSV: columns, encodings, quotes, bad rows, users, and the same file again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graphmem.episodes.service import EpisodesService
from graphmem.errors import StoreMissingError, TransferError
from graphmem.models.episode import Episode, Outcome
from graphmem.ports.workspace import Workspace
from graphmem.transfer.labels import LabelReport, label_episodes
from transferring import import_lines, source, sqlite_workspace

IDS = ("run-1", "run-2", "환불-3")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = sqlite_workspace(tmp_path / "memory.db")
    import_lines(made, *(episode(name) for name in IDS))
    return made


def episode(name: str, **fields: Any) -> dict[str, Any]:
    return {"type": "episode", "id": name, "goal": "환불 요청", "steps": [], **fields}


def label(workspace: Workspace, text: str | bytes, **asked: Any) -> LabelReport:
    data = text if isinstance(text, bytes) else text.encode()
    return label_episodes(workspace, source(data, "labels.csv"), **asked)


def counts(report: LabelReport) -> tuple[int, int, int, int]:
    return report.read, report.changed, report.unchanged, len(report.refused)


def refused(report: LabelReport) -> dict[int, str]:
    return {one.line: one.reason for one in report.refused}


def stored(workspace: Workspace, name: str) -> Episode:
    return EpisodesService(workspace).get(name)


def test_a_label_is_the_outcome_with_source_and_time(workspace: Workspace) -> None:
    report = label(
        workspace,
        "outcome,at,source,episode\n"
        "success,2026-03-04T18:00:00+09:00,심사자,환불-3\n"
        "failure,1772355600000,,run-1\n"
        "unknown,,,run-2\n",
    )
    assert counts(report) == (3, 3, 0, 0)
    (said,) = stored(workspace, "환불-3").outcome_history
    assert (said.outcome, said.previous, said.source) == (Outcome.SUCCESS, Outcome.UNKNOWN, "심사자")
    assert said.at is not None
    assert said.at.isoformat() == "2026-03-04T09:00:00+00:00"
    assert stored(workspace, "run-1").outcome is Outcome.FAILURE
    assert stored(workspace, "run-2").outcome_history[0].at is None


def test_the_same_file_twice_changes_nothing(workspace: Workspace) -> None:
    text = "episode,outcome\nrun-1,success\nrun-1,success\nrun-1,failure\nrun-1,success\nrun-2,partial\n"
    assert counts(label(workspace, text)) == (5, 4, 1, 0)
    before = stored(workspace, "run-1")
    assert [said.outcome.value for said in before.outcome_history] == ["success", "failure", "success"]
    assert counts(label(workspace, text)) == (5, 0, 5, 0)
    assert stored(workspace, "run-1") == before


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte order mark"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("quote", ["", '"'], ids=["bare", "quoted"])
def test_line_ends_marks_and_quotes_are_all_one(workspace: Workspace, mark: bytes, end: str, quote: str) -> None:
    rows = [["Episode", " outcome "], ["run-1", "success "], [], [" 환불-3", "failure"], ["", ""]]
    text = end.join(",".join(f"{quote}{cell}{quote}" for cell in row) for row in rows)
    assert counts(label(workspace, mark + text.encode())) == (2, 2, 0, 0)
    assert stored(workspace, "환불-3").outcome is Outcome.FAILURE


def test_a_quoted_text_holds_commas_quotes_and_line_breaks(workspace: Workspace) -> None:
    text = 'id,outcome,source\nrun-1,success,"검토, ""지은""\r\n2차"\nrun-2,bad,x\n'
    report = label(workspace, text)
    assert stored(workspace, "run-1").outcome_history[0].source == '검토, "지은"\r\n2차'
    assert list(refused(report)) == [4]


def test_each_bad_row_is_told_with_its_line_and_stops_nothing(workspace: Workspace) -> None:
    rows = [
        b"episode,outcome,source,at",
        b"run-1,won,,",
        "run-1,성공,,".encode(),
        b"run-1,,,",
        b",success,,",
        b"run-9,success,,",
        b"run-1,success,,2026-03-04T18:00:00",
        b"run-1,success,,yesterday",
        b"run 1,success,,",
        "run-1,success,심사자,".encode("cp949"),
        b"run-1,success,Kim, Ada,2026-03-04",
        b"run-1,SUCCESS",
        "환불-3,success".encode(),
    ]
    report = label(workspace, b"\n".join(rows))
    assert counts(report) == (12, 1, 0, 11)
    told = refused(report)
    expected = {
        2: "outcome: Input should be 'success', 'partial', 'failure' or 'unknown'",
        3: "outcome: Input should be",
        4: "outcome is missing",
        5: "episode is missing",
        6: "there is no episode 'run-9'",
        7: "at: a time has no offset: write 2026-03-01T09:00:00Z or +09:00",
        8: "at: a time is not ISO 8601",
        9: "episode: id 'run 1' has a blank",
        10: "not UTF-8",
        11: "5 fields and 4 columns",
        12: "outcome: Input should be",
    }
    assert list(told) == list(expected)
    assert [line for line, reason in told.items() if expected[line] not in reason] == []
    assert {one.path for one in report.refused} == {"labels.csv"}


def test_a_quote_that_nobody_closed_takes_only_its_own_row_along(workspace: Workspace) -> None:
    rows = [
        "episode,outcome,source",
        'run-1,success,"half',
        "run-2,failure,",
        "환불-3,partial,",
        '"run-1,success,',
    ]
    report = label(workspace, "\n".join(rows))
    assert sorted(refused(report)) == [2, 5]
    assert all("quoted field is not closed" in reason for reason in refused(report).values())
    assert stored(workspace, "run-2").outcome is Outcome.FAILURE
    assert stored(workspace, "환불-3").outcome is Outcome.PARTIAL


def test_many_open_quotes_and_a_line_without_end_are_read_through(workspace: Workspace) -> None:
    rows = ["episode,outcome,source", *['run-1,success,"half'] * 1001, "run-1,success," + "x" * 3_000_000]
    report = label(workspace, "\n".join([*rows, "run-2,success,"]))
    assert counts(report) == (1003, 1, 0, 1002)
    assert stored(workspace, "run-2").outcome is Outcome.SUCCESS


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("run-1,success\n", "names the columns"),
        ("episode;outcome\nrun-1;success\n", "separated by commas"),
        ("episode,source\n", "names the columns"),
        ("episode,outcome,Outcome\n", "twice"),
        ('"episode,outcome\n', "not closed"),
        ("episode,outcome\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_a_file_whose_first_row_names_no_columns_is_refused_whole(
    workspace: Workspace, text: str | bytes, reason: str
) -> None:
    with pytest.raises(TransferError, match=reason) as caught:
        label(workspace, text)
    assert (caught.value.path, caught.value.line) == ("labels.csv", 1)


def test_further_columns_are_named_and_not_read(workspace: Workspace) -> None:
    report = label(workspace, "메모,id,outcome,episode,\nx,row-1,success,run-1,\n")
    assert (report.ignored, report.changed) == (("메모", "id"), 1)


def test_a_dry_run_counts_and_writes_nothing(workspace: Workspace) -> None:
    text = "episode,outcome\nrun-1,success\nrun-9,success\n"
    assert counts(label(workspace, text, dry_run=True)) == (2, 1, 0, 1)
    assert stored(workspace, "run-1").outcome is Outcome.UNKNOWN


def test_more_rows_than_one_transaction_holds_are_all_written(tmp_path: Path) -> None:
    workspace = sqlite_workspace(tmp_path / "many.db")
    import_lines(workspace, *(episode(f"run-{number}") for number in range(1201)))
    text = "episode,outcome\n" + "".join(f"run-{number},success\n" for number in range(1201))
    assert counts(label(workspace, text)) == (1201, 1201, 0, 0)
    assert counts(label(workspace, text)) == (1201, 0, 1201, 0)


def test_an_open_episode_and_one_of_another_user_are_refused(tmp_path: Path) -> None:
    everybody = sqlite_workspace(tmp_path / "memory.db")
    import_lines(everybody, episode("open", state="open"), episode("a", user="ada"), episode("b", user="bo"))
    ada = sqlite_workspace(tmp_path / "memory.db", user="ada")
    report = label(ada, "episode,outcome\nb,success\na,success\nopen,success\n")
    assert counts(report) == (3, 1, 0, 2)
    assert "no episode 'b'" in refused(report)[2]
    told = label(everybody, "episode,outcome\nopen,success\n")
    assert "still open" in refused(told)[2]


def test_labels_for_a_store_that_is_not_there_make_none(tmp_path: Path) -> None:
    workspace = sqlite_workspace(tmp_path / "none.db")
    assert counts(label(workspace, "episode,outcome\nrun-1,success\n")) == (1, 0, 0, 1)
    with pytest.raises(StoreMissingError):
        EpisodesService(workspace).list()
