from __future__ import annotations

import csv
import io
import json
import sys

import pytest

from graphmem.cli.output import (
    write_csv,
    write_json,
    write_json_line,
    write_lines,
    write_pairs,
    write_table,
    write_text,
    write_tree,
)


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm-256color")
    return screen


def test_a_table_in_a_pipe_is_aligned_and_never_cut(capsys: pytest.CaptureFixture[str]) -> None:
    write_table(["goal", "outcome"], [["환불 요청", "success"], ["Refund order 17", None], ["x" * 90, "failure"]])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"goal{' ' * 88}outcome"
    assert lines[1] == f"환불 요청{' ' * 83}success"
    assert lines[2] == "Refund order 17"
    assert lines[3] == f"{'x' * 90}  failure"


def test_long_cells_are_shortened_unless_asked_for_whole(capsys: pytest.CaptureFixture[str]) -> None:
    write_table(["text"], [["x" * 500]])
    write_table(["text"], [["x" * 500]], whole=True)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == f"{'x' * 99}…"
    assert lines[3] == "x" * 500


def test_a_table_on_a_terminal_reads_no_markup_and_obeys_no_escape(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = on_a_terminal(monkeypatch)
    write_table(["te[b]xt"], [["[bold red]alarm[/] \x1b]0;title\x07"]])
    assert "[bold red]alarm[/]" in screen.getvalue()
    assert "te[b]xt" in screen.getvalue()
    assert "\x1b]0;" not in screen.getvalue()


def test_no_color_leaves_no_colour_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = on_a_terminal(monkeypatch)
    monkeypatch.setenv("NO_COLOR", "1")
    write_table(["text"], [["plain"]])
    assert "\x1b[3" not in screen.getvalue()


def test_json_at_a_terminal_is_indented_and_in_a_pipe_on_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_json({"text": "환불\n"})
    assert capsys.readouterr().out == '{"text": "환불\\n"}\n'
    screen = on_a_terminal(monkeypatch)
    write_json({"text": "환불\n"})
    assert screen.getvalue() == '{\n  "text": "환불\\n"\n}\n'


def test_json_lines_are_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    write_json_line({"text": "one\u2028two"})
    write_json_line([])
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [{"text": "one\u2028two"}, []]


def test_csv_reads_back_with_its_formulas_neutralised(capsys: pytest.CaptureFixture[str]) -> None:
    write_csv(["name", "count", "ids"], [["=cmd()", -2, ["a", "b"]], ['quote " and, comma\nline', None, []]])
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert rows == [
        ["name", "count", "ids"],
        ["'=cmd()", "-2", '["a", "b"]'],
        ['quote " and, comma\nline', "", "[]"],
    ]


def test_pairs_leave_out_what_is_not_known(capsys: pytest.CaptureFixture[str]) -> None:
    write_pairs([("kind", "sqlite"), ("edition", None), ("schema version", 1), ("share", 0.25), ("ok", True)])
    assert capsys.readouterr().out == (
        "kind            sqlite\nschema version  1\nshare           0.250\nok              yes\n"
    )


def test_lines_and_texts_show_their_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    write_lines(["a\x1b[0m", "b\nc"])
    write_text("one\ntwo\x1b\n")
    assert capsys.readouterr().out == "a\\x1b[0m\nb\\nc\none\ntwo\\x1b\n"


TREE = (("1. 환불 [bold]접수[/] \x1b[2J", (("evidence: a", ()), ("b\nc", ()))), ("second", ()))


def test_a_tree_in_a_pipe_is_indented(capsys: pytest.CaptureFixture[str]) -> None:
    write_tree("Went with success", TREE)
    assert capsys.readouterr().out.splitlines() == [
        "Went with success",
        "  1. 환불 [bold]접수[/] \\x1b[2J",
        "    evidence: a",
        "    b\\nc",
        "  second",
    ]


def test_a_tree_on_a_terminal_is_drawn_and_reads_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = on_a_terminal(monkeypatch)
    write_tree("Went with success", TREE)
    drawn = screen.getvalue()
    assert "├── 1. 환불 [bold]접수[/] \\x1b[2J" in drawn
    assert "│   └── b\\nc" in drawn
    assert "\x1b[2J" not in drawn


def test_fixed_columns_of_a_table_on_a_terminal_are_not_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = on_a_terminal(monkeypatch)
    write_table(["success", "pattern"], [["95% (76% to 99%)", "결제 재시도 → " * 9]], whole=True, fixed=1)
    assert "95% (76% to 99%)" in screen.getvalue()
