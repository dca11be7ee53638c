"""`import --format locomo` and `--format message`."""

from __future__ import annotations

import json

import pytest

from command_shell import Shell

TURNS = [
    {"speaker": "지민", "dia_id": "D1:1", "text": "주말에 뭐 했어요?"},
    {"speaker": "Ada", "dia_id": "D1:2", "text": "I went hiking.", "blip_caption": "a mountain"},
]
TALK = {
    "sample_id": "talk-1",
    "conversation": {
        "speaker_a": "지민",
        "speaker_b": "Ada",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": TURNS,
        "session_2_date_time": "7:00 am on 12 May, 2023",
        "session_2": [{"speaker": "Ada", "dia_id": "D2:1", "text": "Hello again."}],
    },
}


def test_a_locomo_file_becomes_messages_in_episodes(shell: Shell) -> None:
    (shell.folder / "talk.json").write_text(json.dumps([TALK]), encoding="utf-8")
    report = shell.json("import", "talk.json", "--format", "locomo")
    assert (report["read"], report["added"], report["refused"]) == (3, 3, [])
    goals = {episode["goal"] for episode in shell.json("episodes", "list")}
    assert goals == {"주말에 뭐 했어요?", "Hello again."}
    assert shell.json("episodes", "pending") == []
    found = shell.json("recall", "mountain", "--kind", "message")
    assert found[0]["id"] == "talk-1:D1:2"
    assert shell.json("import", "talk.json", "--format", "locomo")["unchanged"] == 3


def test_messages_alone_are_cut_unless_the_boundaries_are_off(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.write("chat.jsonl", {"id": "m1", "text": "환불", "at": "2026-03-01T09:00:00Z", "session": "s1"})
    with monkeypatch.context() as patch:
        patch.setenv("GRAPHMEM_BOUNDARY_ENABLED", "false")
        shell.ok("import", "chat.jsonl", "--format", "message")
    assert shell.json("episodes", "list") == []
    shell.ok("--tenant", "cut", "import", "chat.jsonl", "--format", "message")
    assert [one["goal"] for one in shell.json("--tenant", "cut", "episodes", "list")] == ["환불"]
