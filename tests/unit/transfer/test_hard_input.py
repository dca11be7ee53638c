"""Every kind of bad record is refused with its place and a reason; the rest is imported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphmem.ports.workspace import Workspace
from graphmem.transfer.policy import ImportPolicy
from transferring import exported_records, import_data, import_lines, line, lines, reasons, sqlite_workspace

GOOD = {"type": "episode", "id": "good", "goal": "Refund order 17", "steps": []}
STEPS = [{"action": "look up"}, {"action": "refund"}]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return sqlite_workspace(tmp_path / "memory.db")


def episode(**fields: Any) -> dict[str, Any]:
    return {"type": "episode", "id": "e1", "goal": "g", "steps": [], **fields}


def message(**fields: Any) -> dict[str, Any]:
    return {"type": "message", "id": "m1", "text": "hello", "at": "2026-03-01T09:00:00Z", **fields}


def after(*indices: Any) -> dict[str, Any]:
    return episode(steps=[STEPS[0], {**STEPS[1], "after": list(indices)}])


BAD: dict[str, tuple[Any, str]] = {
    "not JSON": (b'{"type": "episode", "id": ', "not JSON"),
    "a list": (b"[1, 2]", "not a list"),
    "a number": (b"17", "not a number"),
    "text": (b'"episode"', "not text"),
    "null": (b"null", "not null"),
    "invalid UTF-8": (b'{"type": "message", "text": "\xff"}', "not UTF-8"),
    "a surrogate in UTF-8": (b'{"type": "message", "text": "\xed\xa0\x80"}', "not UTF-8"),
    "NaN": (b'{"type": "memory", "kind": "fact", "text": "x", "confidence": NaN}', "NaN"),
    "infinity": (b'{"type": "memory", "kind": "fact", "text": "x", "confidence": -Infinity}', "-Infinity"),
    "an exponent out of range": (b'{"type": "message", "id": "m", "text": "x", "at": 1e999}', "out of range"),
    "an integer that is too long": (
        b'{"type": "message", "id": "m", "text": "x", "at": ' + b"9" * 5000 + b"}",
        "out of range",
    ),
    "a time out of range": (message(at=10**40), "1-9999"),
    "nested too deeply": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply"),
    "nested too deeply to store": (episode(extra=json.loads("[" * 400 + "]" * 400) or {}), "extra"),
    "deep arguments": (
        b'{"type":"episode","id":"d","goal":"g","steps":[{"action":"a","arguments":'
        + b'{"a":' * 500
        + b"1"
        + b"}" * 500
        + b"}]}",
        "nested too deeply",
    ),
    "a field given twice": (b'{"type": "message", "id": "a", "id": "b"}', "given twice"),
    "a raw NUL": (
        b'{"type": "message", "id": "m", "text": "a\x00b"}',
        "not JSON: Invalid control character at character",
    ),
    "an escaped NUL": (message(text="a\0b"), "text: text holds a NUL"),
    "a NUL in a field no rule knows": (message(colour="a\0b"), "NUL"),
    "a lone surrogate": (b'{"type":"message","id":"m","text":"\\ud800","at":1}', "lone surrogate"),
    "a lone surrogate in a name": (b'{"type":"concept","name":"a\\udfff"}', "lone surrogate"),
    "a lone surrogate under extra": (
        b'{"type":"message","id":"m","text":"x","at":1,"y":"\\udc00"}',
        "lone surrogate",
    ),
    "no type": ({"id": "x"}, "no type"),
    "an unknown type": ({"type": "dream", "id": "x"}, "unknown type 'dream'"),
    "a type that is no text": ({"type": ["episode"]}, "unknown type"),
    "a tenant": (episode(tenant="other"), "cannot name a tenant"),
    "a missing goal": ({"type": "episode", "id": "e", "steps": []}, "goal is missing"),
    "missing steps": ({"type": "episode", "id": "e", "goal": "g"}, "steps is missing"),
    "steps that are no list": (episode(steps="lookup"), "steps: Input should be a list"),
    "a step without an action": (episode(steps=[{"result": "x"}]), "steps.0.action is missing"),
    "a blank action": (episode(steps=[{"action": " \u200b"}]), "steps.0.action: a name is blank"),
    "a number as text": (episode(goal=17), "goal"),
    "an unknown outcome": (episode(outcome="great"), "outcome"),
    "an open episode with an outcome": (episode(state="open", outcome="success"), "open episode"),
    "effective as a number": (episode(steps=[{"action": "a", "effective": 1}]), "steps.0.effective"),
    "after itself": (after(1), "itself"),
    "after a later step": (after(2), "later step"),
    "after one step twice": (after(0, 0), "twice"),
    "after a negative index": (after(-1), "steps.1.after"),
    "after a fraction": (after(0.5), "steps.1.after"),
    "after a truth value": (after(False), "steps.1.after"),
    "causes in a circle": (
        episode(causes=[{"effect": "a", "cause": "b"}, {"effect": "b", "cause": "a"}]),
        "causes form a cycle",
    ),
    "a naive time": (message(at="2026-03-01T09:00:00"), "no offset"),
    "a leap second": (message(at="2016-12-31T23:59:60Z"), "at: a time is not ISO 8601: second must be in 0..59"),
    "a word for a time": (message(at="yesterday"), "at: a time is not ISO 8601, as 2026-"),
    "year 1 east of Greenwich": (message(at="0001-01-01T00:00:00+09:00"), "1-9999"),
    "year 9999 west of Greenwich": (message(at="9999-12-31T23:59:59-09:00"), "1-9999"),
    "an end before the begin": (episode(started_at=2_000, ended_at=1_000), "ended_at"),
    "an id with a slash": (episode(id="a/b"), "'/'"),
    "an id with a blank": (episode(id="a b"), "blank"),
    "an id that is too long": (episode(id="x" * 129), "129 characters"),
    "an id that runs right to left": (episode(id="a\u202eb"), "format"),
    "an id that is not NFC": (episode(id="\u1112\u1161\u11ab"), "NFC"),
    "an id that is a number": (episode(id=17), "id"),
    "an unknown relation": ({"type": "relation", "head": "a", "relation": "eats", "tail": "b"}, "relation"),
    "a level out of range": ({"type": "concept", "name": "a", "abstraction_level": 6}, "abstraction_level"),
    "an unknown memory kind": ({"type": "memory", "kind": "dream", "text": "x"}, "kind"),
    "a memory without text": ({"type": "memory", "kind": "fact", "text": ""}, "text"),
    "a count that is too big": (
        {"type": "procedure", "id": "p", "name": "n", "steps": ["a"], "successes": 2**63},
        "successes",
    ),
    "another version": ({"type": "header", "version": 2}, "version"),
    "a bad embedder": (
        {"type": "header", "version": 1, "embedder": {"name": "x"}},
        "embedder.dimension is missing",
    ),
    "an outcome of nobody": ({"type": "outcome", "episode": "none", "outcome": "success"}, "neither in the files"),
    "a message of no episode": (message(episode="none"), "neither in the files"),
    "a name that no key can hold": (episode(steps=[{"action": "a", "tools": ["\u3164"]}]), ""),
    "extra that is no object": (episode(extra="x", colour="red"), "extra"),
    "a field in the record and in extra": (episode(extra={"colour": "red"}, colour="blue"), "colour"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_record_is_refused_with_its_line_and_the_rest_is_imported(workspace: Workspace, name: str) -> None:
    record, words = BAD[name]
    report = import_lines(workspace, {**GOOD, "id": "first"}, record, GOOD)
    ((number, reason),) = reasons(report)
    assert number == 2
    assert words in reason
    assert "\n" not in reason
    assert "Value error" not in reason
    assert (report.read, report.added) == (3, 2)


def test_a_reason_does_not_repeat_the_text_that_was_refused(workspace: Workspace) -> None:
    report = import_lines(workspace, message(text="my secret\0"), episode(goal=["my secret"]))
    assert len(report.refused) == 2
    assert not any("secret" in refused.reason for refused in report.refused)


def test_a_line_of_50_megabytes_is_refused_without_being_kept(workspace: Workspace, tmp_path: Path) -> None:
    big = tmp_path / "big.jsonl"
    with big.open("wb") as file:
        file.write(line({**GOOD, "id": "before"}) + b"\n" + b'{"type":"message","text":"')
        for _ in range(50):
            file.write(b"x" * (1 << 20))
        file.write(b'"}\n' + line(GOOD) + b"\n")
    report = import_data(workspace, big.read_bytes())
    assert reasons(report) == [(2, "the record is longer than 16777216 bytes")]
    assert report.added == 2


@pytest.mark.parametrize(("size", "fits"), [(1023, True), (1024, True), (1025, False)])
@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_the_limit_counts_a_record_without_its_line_end(
    workspace: Workspace, size: int, fits: bool, end: bytes
) -> None:
    record = line(GOOD)
    padded = record[:-1] + b" " * (size - len(record)) + b"}"
    report = import_data(workspace, padded + end, policy=ImportPolicy(max_record_bytes=1024))
    assert report.added == fits
    assert len(report.refused) == (not fits)


def test_byte_order_marks_crlf_and_blank_lines_are_read_over(workspace: Workspace) -> None:
    mark = b"\xef\xbb\xbf"
    one, two = line(GOOD), line({**GOOD, "id": "two"})
    report = import_data(workspace, mark + one + b"\r\n\r\n  \n" + mark + two + b"\r\nx\r\n")
    assert report.added == 2
    assert [number for number, _ in reasons(report)] == [5]


def test_a_utf_16_file_is_refused_as_a_whole(workspace: Workspace) -> None:
    report = import_data(workspace, lines(GOOD).decode().encode("utf-16"))
    assert reasons(report) == [(1, "the file is UTF-16: save it as UTF-8")]


def test_a_file_without_a_last_line_end_or_without_anything_is_read(workspace: Workspace) -> None:
    assert import_data(workspace, line(GOOD)).added == 1
    assert import_data(workspace, b"").read == 0
    assert import_data(workspace, b"\xef\xbb\xbf\n").read == 0


def test_line_separators_within_text_do_not_end_a_record(workspace: Workspace) -> None:
    report = import_lines(workspace, message(text="one\u2028two\u2029three\u0085four"))
    assert report.added == 1
    assert exported_records(workspace.graph, "message")[0]["text"] == "one\u2028two\u2029three\u0085four"


def test_the_same_id_twice_with_other_content_is_refused_the_second_time(workspace: Workspace) -> None:
    report = import_lines(workspace, GOOD, {**GOOD, "goal": "Something else"}, GOOD)
    assert (report.added, report.unchanged) == (1, 1)
    assert reasons(report) == [(2, "the id of this episode came before with other content")]
    assert exported_records(workspace.graph, "episode")[0]["goal"] == GOOD["goal"]


def test_a_record_that_comes_twice_in_another_key_order_is_the_same(workspace: Workspace) -> None:
    report = import_lines(workspace, GOOD, dict(reversed(GOOD.items())))
    assert (report.added, report.unchanged, report.refused) == (1, 1, [])


def test_one_id_may_name_one_thing_of_every_type(workspace: Workspace) -> None:
    report = import_lines(
        workspace,
        episode(id="x"),
        message(id="x"),
        {"type": "session", "id": "x"},
        {"type": "memory", "id": "x", "kind": "fact", "text": "t"},
        {"type": "procedure", "id": "x", "name": "n", "steps": ["a"]},
        {"type": "concept", "name": "x"},
    )
    assert (report.added, report.refused) == (6, [])


@pytest.mark.parametrize(
    "at",
    ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59+09:00", "0001-01-01T00:00:00-09:00"],
)
def test_the_first_and_last_years_are_kept(workspace: Workspace, at: str) -> None:
    assert import_lines(workspace, message(at=at)).added == 1
    assert import_lines(workspace, *exported_records(workspace.graph, "message")).unchanged == 1


def test_epoch_milliseconds_and_iso_text_name_the_same_moment(workspace: Workspace) -> None:
    assert import_lines(workspace, message(at=0)).added == 1
    assert import_lines(workspace, message(at="1970-01-01T09:00:00+09:00")).unchanged == 1


def test_unknown_fields_are_kept_under_extra_and_counted_by_name(workspace: Workspace) -> None:
    record = episode(
        colour="red", extra={"size": 3}, steps=[{"action": "a", "cost": 1}, {"action": "b", "cost": 2}]
    )
    report = import_lines(workspace, record, message(colour="blue"))
    assert report.to_dict()["extra"] == {"colour": 2, "steps.cost": 2}
    (stored,) = (one for one in exported_records(workspace.graph, "episode") if one["id"] == record["id"])
    assert stored["extra"] == {"colour": "red", "size": 3}
    assert [step["extra"] for step in stored["steps"]] == [{"cost": 1}, {"cost": 2}]


def test_statement_fields_of_a_kind_that_has_none_are_kept_under_extra(workspace: Workspace) -> None:
    report = import_lines(workspace, {"type": "memory", "kind": "lesson", "text": "t", "subject": "Ada"})
    assert report.to_dict()["extra"] == {"subject": 1}
    assert exported_records(workspace.graph, "memory")[0]["extra"] == {"subject": "Ada"}
