from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest

from graphmem.cli.diagnostics import Exit
from graphmem.cli.lines import Reading, answer_lines, read_line, whole_number
from graphmem.errors import InvalidInputError, NotFoundError, StoreUnavailableError

NONE: dict[str, Reading] = {}
LIMIT: dict[str, Reading] = {"limit": whole_number}


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b"refund order 17\n", "refund order 17"),
        ("환불 요청\r\n".encode(), "환불 요청"),
        ('{"text": "환불"}\n'.encode(), "환불"),
        (b'"{braces}"', "{braces}"),
        (b"\xef\xbb\xbfafter a byte order mark", "after a byte order mark"),
        (b"[a list is just text]", "[a list is just text]"),
    ],
)
def test_a_line_is_a_text_or_json(line: bytes, text: str) -> None:
    assert read_line(line, NONE) == (text, {})


def test_an_object_may_hold_the_fields_that_the_command_knows() -> None:
    assert read_line(b'{"text":"a","limit":3}', LIMIT) == ("a", {"limit": 3})


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"\xff\xfe", "UTF-8"),
        (b'{"text": ', "JSON"),
        (b'"open', "JSON"),
        (b"{}", "needs `text`"),
        (b'{"text": 3}', "needs `text`"),
        (b'{"text": "a", "limt": 3}', "unknown field 'limt'; it can have text, limit"),
        (b'{"text": "a", "limit": "3"}', "limit: give a whole number"),
        (b'{"text":' + b"[" * 100_000, "JSON"),
    ],
)
def test_a_line_that_is_neither_is_refused_with_the_reason(line: bytes, reason: str) -> None:
    with pytest.raises(InvalidInputError, match=reason):
        read_line(line, LIMIT)


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_each_line_is_answered_in_order_and_a_refused_one_stops_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed(monkeypatch, "첫째\n\n{bad\nthird\n".encode())

    def answer(text: str, _: Any) -> str:
        if text == "third":
            raise NotFoundError("episode", "third")
        return text

    assert answer_lines(answer, fields=NONE) is Exit.FAILED
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert answers[0] == "첫째"
    assert "JSON" in answers[1]["error"]
    assert "third" in answers[2]["error"]


def test_a_store_that_went_away_ends_the_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, b"one\ntwo\n")

    def answer(_: str, __: Any) -> None:
        raise StoreUnavailableError("gone")

    with pytest.raises(StoreUnavailableError):
        answer_lines(answer, fields=NONE)
