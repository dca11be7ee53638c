"""`graphmem extract`: what a text states, without a store."""

from __future__ import annotations

import json

import pytest

from command_shell import Shell


@pytest.fixture(autouse=True)
def _without_grammar(monkeypatch: pytest.MonkeyPatch, shell: Shell) -> None:
    """After `shell`, which takes all settings away."""
    del shell
    monkeypatch.setenv("GRAPHMEM_ANALYZER", "plain")


def test_the_answer_has_the_form_that_is_promised(shell: Shell) -> None:
    found = shell.json("extract", "A memory leak causes timeouts. A deadlock is not a kind of timeout.")
    assert set(found) == {"concepts", "relations", "rejected"}
    assert {"name": "memory leak", "key": "memory leak", "kind": "concept"} in found["concepts"]
    [relation] = found["relations"]
    assert set(relation) == {"head", "relation", "tail", "confidence", "rule"}
    assert (relation["head"], relation["relation"], relation["tail"]) == ("memory leak", "causes", "timeouts")
    assert 0 < relation["confidence"] <= 1
    [rejected] = found["rejected"]
    assert set(rejected) == {"head", "relation", "tail", "confidence", "rule", "reason"}
    assert "denies" in rejected["reason"]
    assert not list(shell.folder.iterdir())


def test_head_and_tail_are_as_written_and_keys_are_not(shell: Shell) -> None:
    found = shell.json("extract", "Memory Leaks cause Timeouts.")
    [relation] = found["relations"]
    assert (relation["head"], relation["tail"]) == ("Memory Leaks", "Timeouts")
    assert all(concept["key"] == concept["key"].casefold() for concept in found["concepts"])


def test_a_reader_gets_lines(shell: Shell) -> None:
    shown = shell.ok("extract", "과부하로 인한 장애를 복구했다. 고래는 어류의 일종이 아니다.").stdout
    assert "과부하 --causes--> 장애" in shown
    assert "고래 --is_a--> 어류: the sentence denies it" in shown


def test_nothing_found_is_said_on_stderr(shell: Shell) -> None:
    result = shell.ok("extract", "...")
    assert result.stdout == ""
    assert "Nothing found" in result.stderr


def test_each_line_of_stdin_is_answered_with_one_line(shell: Shell) -> None:
    given = "\n".join(
        [
            "The outage was caused by a full disk.",
            json.dumps({"text": "고래는 포유류의 일종이다.", "chat": True}),
            "",
            json.dumps({"text": "x", "chat": "yes"}),
            json.dumps({"words": "x"}),
            "Nothing here.",
        ]
    )
    result = shell.run("extract", "-", stdin=given)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 1
    assert [len(answer["relations"]) if "relations" in answer else answer["error"] for answer in answers] == [
        1,
        1,
        "chat: give true or false",
        "the line needs `text`, a string",
        0,
    ]


@pytest.mark.parametrize(
    "line",
    [
        b"word " * 20_000,
        b"a" * 100_000,
        b"(" * 100_000,
        b"causes " * 15_000,
        b"a, and " * 15_000,
        "가는 나를 유발".encode() * 5_000,
        "가의 ".encode() * 30_000,
        json.dumps("x\x00 causes\x00 y.").encode(),
        b'"\\ud800 causes \\udc00."',
        "\x1b[31mred\x1b[0m causes \u202eevil\u202c.".encode(),
        "\u200b causes \u200b.".encode(),
    ],
    ids=[
        "words",
        "word",
        "brackets",
        "cues",
        "list",
        "korean",
        "genitives",
        "nul",
        "surrogates",
        "escapes",
        "void",
    ],
)
def test_hostile_lines_are_answered_and_harmless(shell: Shell, line: bytes) -> None:
    result = shell.ok("extract", "-", stdin=line + b"\nThe outage was caused by a full disk.\n")
    answers = result.stdout.splitlines()
    assert len(answers) == 2
    assert json.loads(answers[1])["relations"]
    assert "\x1b" not in result.stdout
    assert "\u202e" not in result.stdout
    for concept in json.loads(answers[0])["concepts"]:
        assert concept["key"].strip()


def test_bytes_that_are_no_text_are_refused_by_line(shell: Shell) -> None:
    result = shell.run("extract", "-", stdin=b"\xff\xfe\nPain causes stress.\n")
    assert result.exit_code == 1
    assert "UTF-8" in json.loads(result.stdout.splitlines()[0])["error"]
    assert json.loads(result.stdout.splitlines()[1])["relations"]


def test_a_text_with_control_characters_is_shown_escaped(shell: Shell) -> None:
    shown = shell.ok("extract", "\x1b[31mRed causes \x1b[0mblue\x07.").stdout
    assert "\x1b" not in shown
    assert "\x07" not in shown


def test_an_unknown_analyzer_is_a_wrong_setting(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMEM_ANALYZER", "nltk")
    result = shell.run("extract", "x")
    assert result.exit_code == 2
