"""A large file is read by a second process: what is stored and reported is what one process stores and reports."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest

from graphmem.embedders.hashing import HashingEmbedder
from graphmem.graph.records import NodeRef
from graphmem.transfer import second_process
from graphmem.transfer.crossing import send
from graphmem.transfer.exporting import export_full
from graphmem.transfer.importing import import_records
from graphmem.transfer.policy import ImportOptions, ImportPolicy
from graphmem.transfer.preparing import Circumstances
from graphmem.transfer.report import ImportReport
from graphmem.transfer.sources import file_source, stream_source
from transferring import exported, import_data, lines, sqlite_workspace

SMALL_BATCHES = ImportPolicy(batch_records=40)


@pytest.fixture(autouse=True)
def _any_file_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_process, "SMALLEST", 0)
    monkeypatch.setattr(second_process, "_CHUNK_RECORDS", 15)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The second processes that were started, each ready before it is asked anything."""
    found: list[subprocess.Popen[bytes]] = []
    usual = second_process.SecondProcess._start

    def noted(self: Any) -> None:
        usual(self)
        found.append(self._child)
        self._starting.join()

    monkeypatch.setattr(second_process.SecondProcess, "_start", noted)
    return found


def episode(number: int, **more: Any) -> dict[str, Any]:
    """An episode with steps, findings and names in two languages."""
    name = "환불 처리" if number % 2 else unicodedata.normalize("NFD", "환불 처리")
    steps = [
        {"action": name, "tools": ["http", "주문 API"], "concepts": ["주문", "order"], "errors": ["시간 초과"]},
        {"action": "retry", "concepts": ["orders"], "effective": number % 3 > 0, "fixes": ["연결 끊김"]},
        {"action": "확인을", "arguments": {"번호": number, "b": [1, {"c": None}]}, "after": [0]},
    ]
    record = {"type": "episode", "id": f"run-{number}", "goal": f"주문 {number}번 환불을 끝낸다", "steps": steps}
    causes = [{"effect": "시간 초과", "cause": "연결 끊김"}]
    return {**record, "causes": causes, "session": f"s{number % 4}", "colour": "파랑", **more}


def file_of(path: Path, *records: dict[str, Any] | bytes) -> Path:
    path.write_bytes(lines(*records))
    return path


def mixed(episodes: int) -> list[dict[str, Any] | bytes]:
    """Records of every kind, faults among them, and links before what they name."""
    found: list[dict[str, Any] | bytes] = [{"type": "header", "version": 1}]
    for number in range(episodes):
        found += [
            {
                "type": "message",
                "id": f"m{number}",
                "text": "안녕하세요",
                "at": number,
                "episode": f"run-{number}",
            },
            episode(number),
            {"type": "memory", "id": f"k{number}", "kind": "lesson", "text": "확인", "sources": [f"run-{number}"]},
            {"type": "outcome", "episode": f"run-{number}", "outcome": "success", "source": "검수"},
        ]
    bad: list[dict[str, Any] | bytes] = [
        b'{"type": "episode", "id"',
        b"\xff",
        b"{}",
        episode(1, goal=None),
        episode(2, id="a/b"),
    ]
    twice: list[dict[str, Any] | bytes] = [episode(3), episode(4, goal="다른 목표")]
    return [*found[:50], *bad, *found[50:], *twice, {"type": "concept", "name": "주문", "definition": "산 것"}]


def imported(store: Path, file: Path, *, in_one: bool = False, **options: Any) -> tuple[bytes, ImportReport]:
    """What the store holds after an import, and its report."""
    workspace = sqlite_workspace(store)
    source = file_source(file)
    source = replace(source, size=None) if in_one else source
    report = import_records(workspace, [source], ImportOptions(policy=SMALL_BATCHES, **options))
    return exported(workspace.graph), replace(report, seconds=0.0)


def test_two_processes_store_and_report_what_one_does(tmp_path: Path, started: list[Any]) -> None:
    file = file_of(tmp_path / "기록.jsonl", *mixed(80))
    alone = imported(tmp_path / "alone.db", file, in_one=True)
    assert not started
    together = imported(tmp_path / "together.db", file)
    assert len(started) == 1
    assert together == alone
    assert len(together[1].refused) == 6
    assert together[1].added > 240


def test_a_second_import_adds_nothing(tmp_path: Path, started: list[Any]) -> None:
    file = file_of(tmp_path / "records.jsonl", *(episode(number) for number in range(100)))
    first = imported(tmp_path / "memory.db", file)
    second = imported(tmp_path / "memory.db", file)
    assert (first[1].added, second[1].added, second[1].unchanged) == (100, 0, 100)
    assert second[0] == first[0]
    assert len(started) == 2


@pytest.mark.parametrize("update", [False, True])
def test_changed_episodes_are_replaced_or_told_as_by_one_process(
    tmp_path: Path, started: list[Any], *, update: bool
) -> None:
    before = file_of(tmp_path / "before.jsonl", *(episode(number) for number in range(60)))
    changed = (episode(number, goal="새 목표") if number % 2 else episode(number) for number in range(90))
    after = file_of(tmp_path / "after.jsonl", *changed)
    found = []
    for name, in_one in (("alone.db", True), ("together.db", False)):
        imported(tmp_path / name, before, in_one=True)
        found.append(imported(tmp_path / name, after, in_one=in_one, update=update))
    assert found[0] == found[1]
    assert (found[1][1].added, found[1][1].changed) == (30, 30)
    assert len(started) == 1


def test_a_dry_run_with_two_processes_counts_and_writes_nothing(tmp_path: Path, started: list[Any]) -> None:
    file = file_of(tmp_path / "records.jsonl", *mixed(40))
    few = file_of(tmp_path / "few.jsonl", episode(1))
    store = tmp_path / "memory.db"
    before, _ = imported(store, few, in_one=True)
    alone = imported(store, file, in_one=True, dry_run=True)
    assert imported(store, file, dry_run=True) == alone
    assert alone[0] == before
    assert alone[1].added > 100
    assert len(started) == 1


def test_the_import_ends_well_when_the_second_process_is_killed(tmp_path: Path, started: list[Any]) -> None:
    file = file_of(tmp_path / "records.jsonl", *mixed(80))
    alone = imported(tmp_path / "alone.db", file, in_one=True)
    workspace = sqlite_workspace(tmp_path / "together.db")
    options = ImportOptions(policy=SMALL_BATCHES)
    report = import_records(workspace, [file_source(file)], options, progress=lambda *_: started[0].kill())
    assert (exported(workspace.graph), replace(report, seconds=0.0)) == alone


def test_the_import_ends_well_when_no_second_process_can_work(
    tmp_path: Path, started: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = file_of(tmp_path / "records.jsonl", *mixed(20))
    alone = imported(tmp_path / "alone.db", file, in_one=True)
    monkeypatch.setattr(second_process, "_START", "raise SystemExit(3)")
    assert imported(tmp_path / "together.db", file) == alone
    assert len(started) == 1


def test_the_first_process_does_all_where_no_second_one_can_be_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise PermissionError("no room in pipes")

    file = file_of(tmp_path / "records.jsonl", *mixed(20))
    alone = imported(tmp_path / "alone.db", file, in_one=True)
    monkeypatch.setattr(subprocess, "Popen", refused)
    assert imported(tmp_path / "together.db", file) == alone


def test_while_the_second_process_starts_the_first_one_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = file_of(tmp_path / "records.jsonl", *mixed(40))
    alone = imported(tmp_path / "alone.db", file, in_one=True)
    monkeypatch.setattr(second_process, "_START", "import time; time.sleep(600)")
    assert imported(tmp_path / "together.db", file) == alone


def test_no_second_process_is_left_after_an_import_that_failed(tmp_path: Path, started: list[Any]) -> None:
    file = file_of(tmp_path / "records.jsonl", *mixed(80))

    def fail(*_: int) -> None:
        raise RuntimeError("stop")

    options = ImportOptions(policy=SMALL_BATCHES)
    with pytest.raises(RuntimeError, match="stop"):
        import_records(sqlite_workspace(tmp_path / "memory.db"), [file_source(file)], options, progress=fail)
    assert started[0].returncode is not None


def test_an_embedded_import_has_the_vectors_of_one_process(tmp_path: Path, started: list[Any]) -> None:
    file = file_of(tmp_path / "records.jsonl", *(episode(number) for number in range(50)))
    vectors = []
    for name in ("alone.db", "together.db"):
        workspace = sqlite_workspace(tmp_path / name, embedder=HashingEmbedder())
        size = None if name == "alone.db" else 1
        import_records(workspace, [replace(file_source(file), size=size)])
        found = workspace.graph.get([NodeRef("Episode", f"run-{number}") for number in range(50)], vectors=True)
        vectors.append({ref.id: node.vector.tolist() for ref, node in found.items() if node.vector is not None})
    assert vectors[0] == vectors[1]
    assert len(vectors[1]) == 50
    assert len(started) == 1


def test_a_full_export_is_restored_by_one_process(tmp_path: Path, started: list[Any]) -> None:
    given = sqlite_workspace(tmp_path / "given.db", embedder=HashingEmbedder())
    import_data(given, lines(*(episode(number) for number in range(20))))
    file = tmp_path / "full.jsonl"
    with file.open("wb") as stream:
        export_full(given.graph, stream, HashingEmbedder().spec)
    workspace = sqlite_workspace(tmp_path / "restored.db", embedder=HashingEmbedder())
    import_records(workspace, [file_source(file)])
    assert exported(workspace.graph) == exported(given.graph)
    assert not started


def test_nodes_edges_and_episodes_of_one_file_are_stored_in_both_ways_alike(
    tmp_path: Path, started: list[Any]
) -> None:
    given = sqlite_workspace(tmp_path / "given.db", embedder=HashingEmbedder())
    import_data(given, lines(*(episode(number) for number in range(3))))
    file = tmp_path / "full.jsonl"
    with file.open("wb") as stream:
        export_full(given.graph, stream, HashingEmbedder().spec)
        stream.write(lines(*mixed(60)[1:]))
    options = ImportOptions(policy=SMALL_BATCHES)
    found = []
    for name, size in (("alone.db", None), ("together.db", 1)):
        workspace = sqlite_workspace(tmp_path / name, embedder=HashingEmbedder())
        report = import_records(workspace, [replace(file_source(file), size=size)], options)
        found.append((exported(workspace.graph), replace(report, seconds=0.0)))
    assert found[0] == found[1]
    assert len(started) == 1


def test_a_second_process_that_meets_a_fault_of_its_own_is_done_without(
    tmp_path: Path, started: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = file_of(tmp_path / "records.jsonl", *mixed(20))
    alone = imported(tmp_path / "alone.db", file, in_one=True)
    broken = "import graphmem.transfer.worker as worker; worker.prepare = None; worker.main()"
    monkeypatch.setattr(second_process, "_START", f"import sys; sys.path[:] = sys.argv[1:]; {broken}")
    assert imported(tmp_path / "together.db", file) == alone
    assert len(started) == 1


def test_standard_input_is_read_by_one_process(tmp_path: Path, started: list[Any]) -> None:
    with file_of(tmp_path / "records.jsonl", episode(1)).open("rb") as stream:
        import_records(sqlite_workspace(tmp_path / "memory.db"), [stream_source("-", stream)])
    assert not started


def test_small_files_are_read_by_one_process(
    tmp_path: Path, started: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    file = file_of(tmp_path / "records.jsonl", episode(1))
    assert not second_process.is_worthwhile([file_source(file)], ImportOptions())
    assert not started


@pytest.mark.parametrize("executable", ["", "/usr/bin/uwsgi", "C:\\app\\shop.exe"])
def test_a_program_that_is_not_python_is_never_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, executable: str
) -> None:
    file = file_of(tmp_path / "records.jsonl", episode(1))
    assert second_process.is_worthwhile([file_source(file)], ImportOptions())
    monkeypatch.setattr(sys, "executable", executable)
    assert not second_process.is_worthwhile([file_source(file)], ImportOptions())


def test_one_core_reads_and_writes_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
    file = file_of(tmp_path / "records.jsonl", episode(1))
    assert not second_process.is_worthwhile([file_source(file)], ImportOptions())


def test_a_record_longer_than_a_pipe_crosses_whole(tmp_path: Path, started: list[Any]) -> None:
    long = episode(1, trigger="긴 이야기 " * 300_000)
    file = file_of(tmp_path / "records.jsonl", *(episode(number) for number in range(2, 40)), long)
    data = file.read_bytes()
    alone = sqlite_workspace(tmp_path / "alone.db")
    import_data(alone, data)
    assert imported(tmp_path / "together.db", file)[0] == exported(alone.graph)
    assert len(started) == 1


def test_the_second_process_ends_when_the_first_one_is_gone() -> None:
    path = os.pathsep.join(sys.path)
    command = [sys.executable, "-c", "from graphmem.transfer.worker import main; main()"]
    given = pickle.dumps(Circumstances("u", datetime(2026, 3, 1, tzinfo=UTC)))
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"PYTHONPATH": path}
    ) as child:
        assert child.stdin is not None
        send(cast("BinaryIO", child.stdin), given)
        child.stdin.close()
        assert child.wait() == 0
