"""`graphmem boundary -`: a conversation line by line, without a store."""

from __future__ import annotations

import json
from typing import Any

import pytest

from command_shell import Shell


def _lines(*messages: dict[str, Any] | str) -> str:
    texts = (message if isinstance(message, str) else json.dumps(message) for message in messages)
    return "".join(f"{text}\n" for text in texts)


def _said(text: str, minute: int, **rest: Any) -> dict[str, Any]:
    return {"text": text, "at": f"2024-03-01T09:{minute:02}:00Z", **rest}


def test_state_is_carried_from_line_to_line(shell: Shell) -> None:
    given = _lines(
        _said("환불해 주세요", 0),
        _said("네, 처리했습니다. 감사합니다", 1, role="assistant"),
        _said("덕분에 해결됐습니다", 2),
        _said(" ", 3),
        _said("천만에요", 4, role="assistant"),
        _said("감사합니다! 다른 질문이 있어요", 5),
        _said("그건 아니고요", 6),
        _said("그다음은요", 37),
    )
    answers = shell.lines("boundary", "-", stdin=given)
    assert [answer["decision"] for answer in answers] == [
        "start",
        "continue",
        "end",
        "continue",
        "start",
        "end+start",
        "continue",
        "start",
    ]
    assert [answer["cue"] for answer in answers[2:6]] == ["해결됐습니다", None, None, "감사합니다"]
    assert all(set(answer) == {"decision", "cue", "why"} and answer["why"] for answer in answers)
    assert not list(shell.folder.iterdir())


def test_times_with_offsets_and_epoch_milliseconds_are_instants(shell: Shell) -> None:
    given = _lines(
        {"text": "a", "at": "2024-03-01T09:00:00Z"},
        {"text": "b", "at": "2024-03-01T18:10:00+09:00"},
        {"text": "c", "at": 1709287800000},
    )
    answers = shell.lines("boundary", "-", stdin=given)
    assert [answer["decision"] for answer in answers] == ["start", "continue", "start"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("just text", "`at`"),
        ('{"text": "x"}', "`at`"),
        ('{"at": 0}', "`text`"),
        ('{"text": "x", "at": "2024-03-01T09:00:00"}', "offset"),
        ('{"text": "x", "at": 0, "role": "robot"}', "role"),
        ('{"text": "x", "at": 0, "speaker": "Kim"}', "speaker"),
        ('{"text": ', "JSON"),
    ],
)
def test_a_line_that_is_refused_is_answered_and_counts_as_not_said(shell: Shell, line: str, told: str) -> None:
    given = _lines(_said("환불", 0), _said("감사합니다", 1), line, _said("새 질문", 2))
    result = shell.run("boundary", "-", stdin=given)
    answers = [json.loads(answer) for answer in result.stdout.splitlines()]
    assert result.exit_code == 1
    assert told in answers[2]["error"]
    assert [answer.get("decision") for answer in answers] == ["start", "end", None, "start"]


def test_the_settings_and_a_file_of_cues_count(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    (shell.folder / "de.toml").write_text(
        '[[closing]]\nmeaning = "success"\nwords = ["gelöst"]\n', encoding="utf-8"
    )
    monkeypatch.setenv("GRAPHMEM_BOUNDARY_NEW_TOPIC_CUES", "딴 얘기, something else")
    monkeypatch.setenv("GRAPHMEM_BOUNDARY_GAP_MINUTES", "5")
    given = _lines(
        _said("hallo", 0),
        _said("딴 얘기, 밥은?", 1),
        _said("Something else: lunch", 2),
        _said("weiter", 8),
        _said("Gelöst!", 9),
    )
    answers = shell.lines("boundary", "-", "--cues", "de.toml", stdin=given)
    assert [answer["decision"] for answer in answers] == ["start", "start", "start", "start", "end"]


def test_a_file_of_cues_that_cannot_be_read_is_named(shell: Shell) -> None:
    result = shell.run("boundary", "-", "--cues", "xx.toml", stdin="")
    assert result.exit_code != 0
    assert "xx.toml" in result.stderr


def test_anything_but_a_dash_is_a_usage_error(shell: Shell) -> None:
    assert shell.run("boundary", "감사합니다").exit_code == 2
    assert shell.run("boundary").exit_code == 2
