"""The messages of a chat, recorded while it runs, give the episode that an import of the run gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

import graphmem
from graphmem.errors import InvalidInputError, RecordingError
from graphmem.models.episode import Outcome
from graphmem.transfer.importing import import_records
from graphmem.transfer.policy import ImportOptions
from graphmem.transfer.sources import file_source
from recording import TIMES, Open, picture

Messages = list[dict[str, Any]]


@pytest.fixture
def memory(open_one: Open) -> graphmem.GraphMemory:
    return open_one()


def said(role: str, text: Any, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": text, **more}


def called(*calls: tuple[str, str, str], text: str | None = None) -> dict[str, Any]:
    """An assistant's message with calls of (id, name, arguments)."""
    given = [
        {"id": name_of, "type": "function", "function": {"name": name, "arguments": arguments}}
        for name_of, name, arguments in calls
    ]
    return said("assistant", text, tool_calls=given)


def answer(call: str, text: Any) -> dict[str, Any]:
    return said("tool", text, tool_call_id=call)


CHATS: dict[str, Messages] = {
    "plain": [
        said("system", "Be kind."),
        said("user", "주문 17번을 환불해 주세요"),
        called(("c1", "find_order", '{"id": 17}'), text="먼저 찾아봅니다"),
        answer("c1", '{"status": "found"}'),
        called(("c2", "refund", '{"id": 17}')),
        answer("c2", "Error: payment 4711 declined"),
        called(("c3", "refund", '{"id": 17, "way": "balance"}')),
        answer("c3", "ok"),
        said("assistant", "환불했습니다."),
    ],
    "parallel, answered in another order": [
        said("user", "Compare"),
        called(("a", "price", '{"x": 1}'), ("b", "price", '{"x": 2}'), ("c", "stock", "{}")),
        answer("c", "3"),
        answer("a", "10"),
        answer("b", '{"error": "no such item"}'),
        called(("d", "order", "{}")),
        answer("d", "done"),
    ],
    "reused ids": [
        said("user", "g"),
        called(("c", "one", "{}")),
        answer("c", "first"),
        called(("c", "two", "{}")),
        answer("c", "second"),
    ],
    "missing results": [
        said("user", "g"),
        called(("a", "one", "{}"), ("b", "two", "{}")),
        answer("b", "only this"),
        called(("c", "three", "{}")),
    ],
    "results that no call came before": [
        said("user", "g"),
        answer("z", "stray"),
        called(("a", "one", "{}")),
        answer("a", "1"),
        answer("a", "again"),
    ],
    "legacy": [
        said("user", "g"),
        said("assistant", "hm", function_call={"name": "look", "arguments": '{"q": "냉장고"}'}),
        {"role": "function", "name": "look", "content": "실패: 시간 초과"},
        said("assistant", None, function_call={"name": "look", "arguments": "not json"}),
        {"role": "function", "name": "look", "content": "found"},
    ],
    "parts, and nothing said at first": [
        said("user", ""),
        said("user", [{"type": "text", "text": "이 그림은?"}, {"type": "image_url", "image_url": {"url": "u"}}]),
        called(("a", "see", ""), text="봅니다"),
        answer("a", [{"type": "text", "text": "가전"}]),
    ],
    "the same call over and over": [
        said("user", "g"),
        *[
            one
            for number in range(4)
            for one in (called((f"c{number}", "poll", "{}")), answer(f"c{number}", "wait"))
        ],
    ],
    "no calls": [said("user", "안녕"), said("assistant", "안녕하세요")],
}


def imported(memory: graphmem.GraphMemory, folder: Path, messages: Messages, **more: Any) -> str:
    """The id of the episode of a run that was imported."""
    file = folder / "run.jsonl"
    file.write_text(json.dumps({"id": "imported", "messages": messages, "outcome": 1, **more}), encoding="utf-8")
    options = ImportOptions(format="chat", fields={"id": "id"})
    report = import_records(memory.workspace, [file_source(file)], options)
    assert not report.refused
    return "imported"


@pytest.mark.parametrize("messages", CHATS.values(), ids=CHATS.keys())
def test_recorded_as_it_grows_it_equals_its_import(
    memory: graphmem.GraphMemory, tmp_path: Path, messages: Messages
) -> None:
    with memory.episodes.record(id="live") as run:
        for count in range(1, len(messages) + 1):
            run.messages(messages[:count])
            run.messages(messages[:count])
        run.succeed()
    with memory.episodes.record(id="whole") as run:
        run.messages(messages)
        run.succeed()
    imported(memory, tmp_path, messages)
    wanted = picture(memory, "imported", TIMES)
    assert picture(memory, "live", TIMES) == wanted
    assert picture(memory, "whole", TIMES) == wanted
    assert memory.episodes.get("live").outcome is Outcome.SUCCESS


@pytest.mark.parametrize("messages", CHATS.values(), ids=CHATS.keys())
def test_given_again_after_a_resume_nothing_comes_twice(
    memory: graphmem.GraphMemory, open_one: Open, tmp_path: Path, messages: Messages
) -> None:
    imported(memory, tmp_path, messages)
    for count in range(len(messages) + 1):
        name = f"cut-{count}"
        with memory.episodes.record(id=name) as run:
            run.step("prepare")
            run.messages(messages[:count])
            with pytest.raises(KeyboardInterrupt), run:
                raise KeyboardInterrupt
        with open_one().episodes.resume(name) as run:
            run.messages(messages)
            run.succeed()
        steps = memory.episodes.get(name).steps
        assert [step.action for step in steps] == ["prepare"] + [
            step.action for step in memory.episodes.get("imported").steps
        ]
        assert [step.result for step in steps[1:]] == [
            step.result for step in memory.episodes.get("imported").steps
        ]


def test_a_chat_may_come_after_other_steps_and_follows_them(memory: graphmem.GraphMemory) -> None:
    with memory.episodes.record("own goal", id="e") as run:
        run.step("prepare")
        run.messages(CHATS["parallel, answered in another order"])
        run.succeed()
    stored = memory.episodes.get("e")
    assert (stored.goal, stored.trigger) == ("own goal", "Compare")
    assert [stored.predecessors(index) for index in range(5)] == [(), (0,), (0,), (0,), (1, 2, 3)]


@pytest.mark.parametrize(
    "messages",
    [
        CHATS["plain"][:3],
        CHATS["reused ids"],
        [said("user", "g"), called(("c1", "find_order", '{"id": 18}')), answer("c1", "x")],
        [],
    ],
)
def test_a_list_that_does_not_go_on_is_refused_and_changes_nothing(
    memory: graphmem.GraphMemory, messages: Messages
) -> None:
    run = memory.episodes.record(id="e")
    run.messages(CHATS["plain"][:6])
    before = picture(memory, "e")
    with pytest.raises(RecordingError, match="continued"):
        run.messages(messages)
    assert picture(memory, "e") == before
    run.messages(CHATS["plain"])
    run.step("after")
    with pytest.raises(RecordingError, match="steps were recorded after"):
        run.messages(CHATS["plain"])
    run.succeed()
    assert len(memory.episodes.get("e").steps) == 4


class Said(BaseModel):
    """A message as a client's library gives it."""

    role: str
    content: str | None = None
    tool_calls: list[dict[str, Any]] | None = None
    tool_call_id: str | None = None
    refusal: str | None = None


def test_the_objects_of_a_client_are_read_like_mappings(memory: graphmem.GraphMemory) -> None:
    plain = CHATS["plain"]
    with memory.episodes.record(id="mappings") as run:
        run.messages(plain)
        run.succeed()
    with memory.episodes.record(id="objects") as run:
        run.messages(tuple(Said(**message) if index % 2 else message for index, message in enumerate(plain)))
        run.messages([Said(**message) for message in plain])
        run.succeed()
    assert picture(memory, "objects", TIMES) == picture(memory, "mappings", TIMES)


@pytest.mark.parametrize(
    "messages",
    [
        None,
        "hi",
        {"role": "user"},
        7,
        [None],
        [7],
        [{"content": "x"}],
        [said("assistant", "", tool_calls=[{"function": {}}])],
    ],
)
def test_what_is_no_chat_is_refused_and_changes_nothing(memory: graphmem.GraphMemory, messages: Any) -> None:
    run = memory.episodes.record("g", id="e")
    before = picture(memory, "e")
    with pytest.raises(InvalidInputError):
        run.messages(messages)
    assert picture(memory, "e") == before
    run.messages(CHATS["plain"])
    run.succeed()
