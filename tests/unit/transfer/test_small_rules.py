"""Corners of reading and writing that no larger test passes through."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from graphmem.episodes.chat import content_text
from graphmem.episodes.tool_errors import error_label
from graphmem.errors import InvalidInputError, TransferError
from graphmem.transfer.faults import reason_of
from graphmem.transfer.files import replaced_file
from graphmem.transfer.policy import ImportOptions, ImportPolicy
from graphmem.transfer.reading import parser_for, read_source
from graphmem.transfer.sources import file_source, file_sources, stream_source
from transferring import import_lines, lines, reasons, source, sqlite_workspace


def test_content_that_is_no_text_is_kept_as_json() -> None:
    assert content_text({"b": 1, "a": "가"}) == '{"a":"가","b":1}'
    assert content_text([{"x": 1}, 3]) == '{"x":1}\n3'
    assert content_text(None) == ""


def test_many_faults_of_a_record_are_told_in_short(tmp_path: Path) -> None:
    record = {"type": "message", "id": 1, "text": 2, "at": "x", "role": "nobody", "session": 3}
    ((_, reason),) = reasons(import_lines(sqlite_workspace(tmp_path / "a.db"), record))
    assert reason.count(";") == 3
    assert reason.endswith("and 2 more")


def test_a_fault_without_words_still_has_a_reason() -> None:
    assert reason_of(ValueError()) == "ValueError"
    assert reason_of(RecursionError("x")) == "nested too deeply"


def test_a_memory_without_an_id_and_with_a_lone_surrogate_is_refused(tmp_path: Path) -> None:
    bad = b'{"type":"memory","kind":"fact","text":"\\ud800"}'
    ((_, reason),) = reasons(import_lines(sqlite_workspace(tmp_path / "a.db"), bad))
    assert "surrogate" in reason


def test_unknown_fields_of_a_type_without_extra_are_counted(tmp_path: Path) -> None:
    report = import_lines(sqlite_workspace(tmp_path / "a.db"), {"type": "header", "version": 1, "colour": "red"})
    assert report.to_dict()["extra"] == {"colour": 1}
    assert report.read == 0


def test_a_relation_whose_name_no_key_can_hold_is_refused(tmp_path: Path) -> None:
    bad = {"type": "relation", "head": "\u3164", "relation": "is_a", "tail": "x"}
    report = import_lines(sqlite_workspace(tmp_path / "a.db"), bad, {"type": "concept", "name": "\u3164"})
    assert [number for number, _ in reasons(report)] == [1, 2]


def test_options_of_other_formats_are_refused_for_records() -> None:
    with pytest.raises(InvalidInputError, match="chat"):
        parser_for(ImportOptions(fields={"id": "x"}))
    with pytest.raises(InvalidInputError, match="--field"):
        parser_for(ImportOptions(format="chat", fields={"colour": "x"}))


def test_a_file_that_is_not_there_is_an_error_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(TransferError, match=r"missing\.jsonl"):
        file_source(tmp_path / "missing.jsonl")
    with pytest.raises(TransferError):
        file_sources([tmp_path])


def test_a_file_that_breaks_off_while_it_is_read_is_an_error_with_its_name() -> None:
    class Broken(io.RawIOBase):
        def read(self, size: int = -1, /) -> bytes:
            raise OSError(5, f"cannot read {size}")

    broken = stream_source("broken.jsonl", Broken())  # type: ignore[arg-type]  # only read() is used
    with pytest.raises(TransferError, match=r"broken\.jsonl"):
        list(read_source(broken, ImportOptions(), parser_for(ImportOptions()), None))


def test_a_dash_is_standard_input(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"1\n")
    found = file_sources(["-", tmp_path / "a.jsonl"], io.BytesIO(b"2\n"))
    assert [item.name for item in found] == ["-", str(tmp_path / "a.jsonl")]
    with found[0].open() as stream:
        assert stream.read() == b"2\n"


def test_chat_lines_and_a_chat_list_give_the_same_runs() -> None:
    run = '{"messages": [{"role": "user", "content": "안녕"}]}'
    options = ImportOptions(format="chat")
    as_lines, as_list = (
        [read.parsed.item for read in read_source(source(data), options, parser_for(options), None) if read.parsed]
        for data in (lines(run, run), f" [{run},\n {run}]".encode())
    )
    assert as_lines == as_list
    assert len(as_list) == 2


def test_a_chat_list_that_breaks_off_keeps_its_whole_runs() -> None:
    options = ImportOptions(format="chat")
    data = b'[{"messages": [{"role": "user", "content": "a"}]}, {"mess'
    found = list(read_source(source(data), options, parser_for(options), None))
    assert [(read.line, bool(read.parsed)) for read in found] == [(1, True), (1, False)]
    assert "closing bracket" in found[1].reason


def test_a_trajectory_that_is_too_long_is_refused() -> None:
    options = ImportOptions(format="swe-agent", policy=ImportPolicy(max_record_bytes=1024))
    (read,) = read_source(source(b" " * 2000), options, parser_for(options), None)
    assert "longer than 1024" in read.reason


def test_a_folder_that_cannot_be_written_to_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TransferError, match="cannot be written"), replaced_file(tmp_path / "no" / "out"):
        pass
    with pytest.raises(TransferError, match="cannot be written"), replaced_file(tmp_path / "out"):
        raise OSError(28, "No space left on device")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("value", "label"),
    [
        ({"error": {"error": {}}}, "error"),
        ({"error": [[[[[["deep"]]]]]]}, "error"),
        ({"errors": ["first", "second"]}, "first"),
        ({"error": 17}, "error"),
        ("Traceback (most recent call last):\n  x\nsomething happened", "something happened"),
    ],
)
def test_errors_without_words_have_a_label_too(value: Any, label: str) -> None:
    assert error_label(value) == label
