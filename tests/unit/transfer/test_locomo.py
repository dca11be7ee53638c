from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from conversing import parts
from graphmem.graph.mapping.message import to_message
from graphmem.models.message import Message
from graphmem.ports.workspace import Workspace
from graphmem.transfer.faults import RecordFault
from graphmem.transfer.locomo import session_time
from transferring import import_data, reasons, sqlite_workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return sqlite_workspace(tmp_path / "memory.db")


def conversation(**changes: Any) -> dict[str, Any]:
    """Two people over two sessions, in the form of the data set."""
    return {
        "sample_id": "talk-1",
        "qa": [{"question": "Who?", "answer": "Mina", "evidence": ["D1:1"]}],
        "conversation": {
            "speaker_a": "Mina",
            "speaker_b": "준호",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Mina", "dia_id": "D1:1", "text": "I planted a lemon tree."},
                {
                    "speaker": "준호",
                    "dia_id": "D1:2",
                    "text": "저도 봤어요",
                    "blip_caption": "a tree in a pot",
                    "img_url": ["https://example.org/1.jpg"],
                    "query": "tree",
                },
            ],
            "session_2_date_time": "12:10 am on 29 February, 2024",
            "session_2": [{"speaker": "준호", "dia_id": "D2:1", "text": "나무는 잘 자라요?"}],
            "session_3_date_time": "9:00 am on 1 March, 2024",
        },
        **changes,
    }


def imported(workspace: Workspace, *records: dict[str, Any], listed: bool = True) -> Any:
    data = json.dumps(list(records)) if listed else "\n".join(map(json.dumps, records))
    return import_data(workspace, data.encode(), format="locomo")


def messages(workspace: Workspace) -> dict[str, Message]:
    return {node.id: to_message(node) for node in workspace.graph.scan("Message").records}


@pytest.mark.parametrize("listed", [True, False])
def test_turns_become_messages(workspace: Workspace, listed: bool) -> None:
    report = imported(workspace, conversation(), listed=listed)
    assert (report.read, report.added, report.refused) == (3, 3, [])
    assert report.extra == {"img_url": 1, "query": 1}
    found = messages(workspace)
    assert list(found) == ["talk-1:D1:1", "talk-1:D1:2", "talk-1:D2:1"]
    second = found["talk-1:D1:2"]
    assert (second.text, second.speaker, second.role) == ("저도 봤어요 [image: a tree in a pot]", "준호", "user")
    assert second.session == "talk-1:session_1"
    assert second.at == datetime(2023, 5, 8, 13, 56, 20, tzinfo=UTC)
    assert second.extra == {"img_url": ["https://example.org/1.jpg"], "query": "tree"}
    assert found["talk-1:D2:1"].at == datetime(2024, 2, 29, 0, 10, tzinfo=UTC)
    assert parts(workspace.graph) == [["talk-1:D1:1", "talk-1:D1:2"], ["talk-1:D2:1"]]
    assert imported(workspace, conversation()).unchanged == 3


def test_sessions_are_read_by_their_numbers(workspace: Workspace) -> None:
    turns = {f"session_{number}": [{"speaker": "a", "dia_id": f"D{number}:1", "text": "x"}] for number in (10, 2)}
    times = {f"session_{number}_date_time": "1:00 am on 1 May, 2023" for number in (2, 10)}
    record = conversation(conversation={**turns, **times})
    assert imported(workspace, record).added == 2
    assert {one.session for one in messages(workspace).values()} == {"talk-1:session_2", "talk-1:session_10"}


def test_what_is_wrong_is_refused_turn_by_turn(workspace: Workspace) -> None:
    bad = conversation()
    bad["conversation"]["session_1"] += [
        {"speaker": "Mina", "dia_id": "D1:3"},
        "no turn",
        {"speaker": " ", "dia_id": "D1:4", "text": "x"},
        {"speaker": "Mina", "dia_id": "D1/5", "text": "x"},
    ]
    bad["conversation"]["session_2_date_time"] = "yesterday"
    bad["conversation"]["session_3"] = {"speaker": "Mina"}
    report = imported(workspace, bad, conversation(sample_id=None), conversation(sample_id="t2", conversation=[]))
    assert report.added == 2
    found = [reason for _, reason in reasons(report)]
    assert [reason.partition(":")[0] for reason in found[:5]] == [
        *("session_1.2", "session_1.3", "session_1.4", "session_1.5"),
        "session_2.0",
    ]
    assert found[0] == "session_1.2: text is missing"
    assert 'session_2_date_time is no time like "1:56 pm on 8 May, 2023"' in found[4]
    assert found[5:] == [
        "session_3 is not a list of turns",
        "sample_id is missing",
        "conversation is not an object",
    ]
    assert "tenant" in reasons(imported(workspace, conversation(tenant="other")))[0][1]


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("1:56 pm on 8 May, 2023", datetime(2023, 5, 8, 13, 56, tzinfo=UTC)),
        ("12:00 am on 1 January, 2024", datetime(2024, 1, 1, tzinfo=UTC)),
        ("12:00 PM on 31 December 2024", datetime(2024, 12, 31, 12, tzinfo=UTC)),
        ("9:05 am on 29 February, 2024", datetime(2024, 2, 29, 9, 5, tzinfo=UTC)),
    ],
)
def test_times_of_sessions(text: str, when: datetime) -> None:
    assert session_time(text) == when


@pytest.mark.parametrize(
    "text", [None, 5, "", "13:00 pm on 1 May, 2023", "1:00 pm on 29 February, 2023", "1:00 pm on 1 Maj, 2023"]
)
def test_what_is_no_time(text: object) -> None:
    with pytest.raises(RecordFault):
        session_time(text)


def test_a_session_at_the_end_of_time_is_refused_where_time_ends(workspace: Workspace) -> None:
    turns = [{"speaker": "a", "dia_id": f"D1:{number}", "text": "x"} for number in range(5)]
    times = {"session_1_date_time": "11:59 pm on 31 December, 9999", "session_1": turns}
    report = imported(workspace, conversation(conversation=times))
    assert (report.added, len(report.refused)) == (3, 2)
    assert reasons(report)[0][1] == "session_1.3: the time lies beyond the year 9999"


def test_plain_messages(workspace: Workspace) -> None:
    lines = [
        {"id": "m1", "text": "환불해 주세요", "at": "2026-03-01T18:00:00+09:00", "session": "s1"},
        {"type": "message", "id": "m2", "text": "네", "at": 1772356260000, "session": "s1", "episode": None},
        {"type": "fact", "id": "m3", "text": "x", "at": 0},
        {"id": "m4", "text": "no time"},
    ]
    data = "\n".join(json.dumps(line) for line in lines).encode()
    report = import_data(workspace, data, format="message")
    assert report.added == 2
    assert [line for line, _ in reasons(report)] == [3, 4]
    assert messages(workspace)["m2"].at - messages(workspace)["m1"].at == timedelta(minutes=11)
    assert parts(workspace.graph) == [["m1", "m2"]]
    listed = json.dumps(lines[:2]).encode()
    assert import_data(workspace, listed, format="message").unchanged == 2


def test_a_message_that_is_said_to_have_no_episode_gets_none(workspace: Workspace) -> None:
    line = {"type": "message", "id": "m1", "text": "x", "at": 0, "episode": None}
    assert import_data(workspace, json.dumps(line).encode()).added == 1
    assert messages(workspace)["m1"].episode is None
    assert workspace.graph.count("Episode") == 0
