"""patterns report: every form, files, hidden labels, texts, and stored text that cannot break out of any."""

from __future__ import annotations

import io
import json
import re
import sys
import unicodedata
from html.parser import HTMLParser
from typing import Any

import pytest

from command_shell import Shell
from graphmem.cli.pattern_report import write_report
from reported import claimed, coverage, report

FORMS = ("text", "md", "html", "json")
HOSTILE = "\x1b[2J[red]x[/red]|<script>alert(1)</script>\n# x\u202e"


def run(name: str, *actions: str, **fields: Any) -> dict[str, Any]:
    steps = [{"action": action, "tools": ["Http"], "result": f"결과 {action}"} for action in actions]
    return {"type": "episode", "id": name, "goal": f"목표 {name}", "task": name, "steps": steps, **fields}


def fill(shell: Shell, *more: dict[str, Any]) -> None:
    """Forty runs: 환불 after 조회 goes with success, 재시도 with failure; three failures hold nothing of it."""
    runs = [run(f"ok-{n}", "조회", "환불", domain="지원", outcome="success", user=f"u{n % 4}") for n in range(20)]
    runs += [run(f"no-{n}", "재시도", "포기", domain="지원", outcome="failure", user="u1") for n in range(17)]
    runs += [run(f"odd-{n}", f"혼자{n}", domain="지원", outcome="failure") for n in range(3)]
    shell.ok("import", shell.write("runs.jsonl", *runs, *more))
    shell.ok("patterns", "mine")


class Tags(HTMLParser):
    """The elements of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 (its signature)
        self.names.add(tag)


def test_a_reader_sees_what_went_with_success_and_failure_and_what_is_not_covered(shell: Shell) -> None:
    fill(shell)
    text = shell.ok("patterns", "report").stdout
    for part in (
        "WENT WITH SUCCESS",
        "WENT WITH FAILURE",
        "조회 → 환불",
        "재시도 → 포기",
        "compared within domain only",
    ):
        assert part in text
    assert "significant patterns cover 17 of 20 failures" in text
    assert re.search(r"no pattern covers.*odd-0.*odd-1.*odd-2", text, re.IGNORECASE | re.DOTALL)
    assert "1st look at these data" in text
    held = shell.json("patterns", "report")
    assert [failed["id"] for failed in held["coverage"]["uncovered"]] == ["odd-0", "odd-1", "odd-2"]
    assert (held["coverage"]["failures"], held["coverage"]["covered"]) == (20, 17)
    assert held["mining"]["stale"] is False


def test_a_report_says_when_episodes_came_after_the_patterns(shell: Shell) -> None:
    fill(shell)
    shell.ok("import", shell.write("more.jsonl", run("late", "조회", outcome="success")))
    assert shell.json("patterns", "report")["mining"]["stale"] is True
    assert "Stale: " in shell.ok("patterns", "report").stdout


@pytest.mark.parametrize("form", FORMS)
def test_every_form_goes_to_stdout_and_into_a_file(shell: Shell, form: str) -> None:
    fill(shell)
    said = shell.ok("patterns", "report", "--format", form).stdout
    assert "조회" in said
    answer = shell.json("patterns", "report", "--format", form, "--output", f"report.{form}")
    assert answer == {"file": f"report.{form}", "format": form}
    held = (shell.folder / f"report.{form}").read_text(encoding="utf-8")
    assert json.loads(held) == json.loads(said) if form == "json" else held == said
    assert shell.ok("patterns", "report", "--format", form, "--output", f"report.{form}").stdout == ""
    assert shell.run("patterns", "report", "--format", form, "--output", "absent/report").exit_code == 1


@pytest.mark.parametrize("form", FORMS)
def test_hostile_names_are_only_text_in_every_form(shell: Shell, form: str) -> None:
    bad = {"domain": HOSTILE, "outcome": "failure"}
    fill(shell, *(run(f"e{n}", HOSTILE, f"{HOSTILE}2", **bad) for n in range(12)))
    for more in ([], ["--with-text"]):
        said = shell.ok("patterns", "report", "--format", form, *more).stdout
        assert not {unicodedata.category(one) for one in said.replace("\n", "")} & {"Cc", "Cf", "Cs"}
        assert "alert" in said
        if form == "html":
            assert "script" not in Tags(said).names
            assert "default-src 'none'" in said.replace("&#x27;", "'")
        else:
            assert not any(line.lstrip().startswith("# x") for line in said.splitlines())
        if form == "md":
            assert "<script" not in said


@pytest.mark.parametrize("form", FORMS)
def test_texts_are_shown_only_with_text(shell: Shell, form: str) -> None:
    fill(shell)
    plain = shell.ok("patterns", "report", "--format", form).stdout
    assert "결과 조회" not in plain
    assert "목표" not in plain
    told = shell.ok("patterns", "report", "--format", form, "--with-text").stdout
    assert "결과 조회" in told
    assert "목표 ok" in told.replace("\\", "")


@pytest.mark.parametrize("form", FORMS)
def test_labels_of_few_users_are_hidden(shell: Shell, form: str) -> None:
    fill(shell)
    said = shell.ok("patterns", "report", "--format", form, "--min-users", "2").stdout.replace("\\", "")
    assert "재시도" not in said
    assert "hidden: fewer than 2 users" in said
    assert "조회" in said
    whole = shell.ok("patterns", "report", "--format", form, "--min-users", "5").stdout
    assert "조회" not in whole
    assert "지원" not in whole
    assert "Http" not in whole


def test_texts_and_hidden_labels_exclude_each_other(shell: Shell) -> None:
    fill(shell)
    result = shell.run("patterns", "report", "--with-text", "--min-users", "2")
    assert result.exit_code == 2
    assert "--min-users" in result.stderr
    for wrong in (["--min-users", "0"], ["--format", "pdf"], ["--most", "0"]):
        assert shell.run("patterns", "report", *wrong).exit_code == 2


def test_a_domain_limits_patterns_and_the_failures_that_are_counted(shell: Shell) -> None:
    fill(shell, *(run(f"b{n}", "배송", outcome="failure", domain="물류") for n in range(4)))
    held = shell.json("patterns", "report", "--domain", "물류")
    assert held["coverage"]["failures"] == 4
    assert held["episodes"] == 4
    assert {section["domain"] for section in held["sections"]} <= {"물류"}


def test_candidates_are_shown_when_asked_for_or_when_nothing_else_is_there(shell: Shell) -> None:
    fill(shell)
    assert {section["claim"] for section in shell.json("patterns", "report")["sections"]} == {"success", "failure"}
    assert shell.json("patterns", "report", "--tier", "candidate")["sections"] == []
    few = shell.write("few.jsonl", *(run(f"a{n}", "조회", "환불", outcome="success") for n in range(4)))
    shell.ok("--tenant", "small", "import", few)
    shell.ok("--tenant", "small", "patterns", "mine")
    for more in ([], ["--tier", "candidate"]):
        asked = shell.json("--tenant", "small", "patterns", "report", *more)
        assert {section["claim"] for section in asked["sections"]} == {"candidate"}
    assert "CANDIDATES" in shell.ok("--tenant", "small", "patterns", "report").stdout


@pytest.mark.parametrize("form", FORMS)
def test_nothing_mined_is_a_report_too(shell: Shell, form: str) -> None:
    shell.ok("import", shell.write("runs.jsonl", run("a", "조회", outcome="failure")))
    result = shell.ok("patterns", "report", "--format", form)
    assert "No pattern" in result.stderr
    if form != "json":
        assert "graphmem patterns mine" in result.stdout


class Terminal(io.StringIO):
    """What is written to a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("columns", ["80", "160"])
def test_a_terminal_shows_a_table_and_trees_and_reads_no_markup(
    monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("NO_COLOR", "1")
    hostile = "[bold red]환불[/] \x1b]0;title\x07"
    write_report(report(claimed(hostile), claimed("재시도", polarity="negative"), coverage=coverage(1, hostile)))
    assert "\x1b]0;" not in screen.getvalue()
    drawn = re.sub(r"\x1b\[\d*m", "", screen.getvalue())
    assert "├── More of the episodes" in drawn
    assert "[bold red]환불[/]" in drawn
    assert "\x1b" not in drawn
    assert "95% (78% to 99%)" in drawn
    assert ("difference   pattern" in drawn and "tier" in drawn) == (columns == "160")
    assert "significant patterns cover 1 of 2 failures" in drawn


def test_a_report_tells_nothing_mined_from_nothing_found(shell: Shell) -> None:
    shell.ok("import", shell.write("one.jsonl", {"type": "episode", "id": "하나", "goal": "g", "steps": []}))
    assert "mine them with" in shell.ok("patterns", "report").stdout
    shell.ok("patterns", "mine")
    for form in ("text", "md", "html"):
        said = shell.ok("patterns", "report", "--format", form).stdout
        assert "mining found none" in said
        assert "mine them with" not in said


def test_a_report_in_korean_says_the_same_in_korean_and_json_stays(shell: Shell) -> None:
    fill(shell)
    text = shell.ok("patterns", "report", "--language", "ko").stdout
    for part in (
        "성공과 함께 나타난 패턴",
        "실패와 함께 나타난 패턴",
        "재시도 → 포기",
        "실패 20건 중 17건에 유의한 패턴이 있음",
    ):
        assert part in text
    assert "WENT WITH" not in text
    assert '<html lang="ko">' in shell.ok("patterns", "report", "--language", "ko", "--format", "html").stdout
    assert "## 다음 단계" in shell.ok("patterns", "report", "--language", "ko", "--format", "md").stdout
    english = shell.ok("patterns", "report", "--format", "json").stdout
    assert shell.ok("patterns", "report", "--format", "json", "--language", "ko").stdout == english


def test_a_report_in_another_language_is_no_report(shell: Shell) -> None:
    refused = shell.run("patterns", "report", "--language", "fr")
    assert refused.exit_code == 2
    assert "'fr'" in refused.stderr
