"""A chat run becomes one episode: calls, results, parallel calls, outcomes, ids."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graphmem.models.episode import Episode
from graphmem.transfer.chat import RunIds, chat_parser
from graphmem.transfer.faults import RecordFault
from graphmem.transfer.outcomes import outcome_rule

USER = {"role": "user", "content": "Refund order 17, please"}


def call(name: str, arguments: Any = "{}", call_id: str | None = "c1") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def says(*calls: dict[str, Any], content: Any = None) -> dict[str, Any]:
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def result(content: Any, call_id: str | None = "c1", role: str = "tool") -> dict[str, Any]:
    return {"role": role, "tool_call_id": call_id, "content": content}


def read(*messages: Any, names: dict[str, str] | None = None, user: str | None = None, **fields: Any) -> Episode:
    parse = chat_parser(names or {}, outcome_rule(), RunIds())
    item = parse({"messages": list(messages), **fields}, user).item
    assert isinstance(item, Episode)
    return item


def test_goal_and_trigger_are_the_first_thing_the_user_says() -> None:
    episode = read({"role": "system", "content": "Be kind"}, USER, {"role": "user", "content": "now!"})
    assert episode.goal == episode.trigger == "Refund order 17, please"
    assert episode.steps == ()


def test_a_tool_call_is_a_step_with_the_text_beside_it_and_its_arguments() -> None:
    arguments = json.dumps({"order": "17", "urgent": True})
    episode = read(USER, says(call("look_up", arguments), content="I look it up"), result("found"))
    (step,) = episode.steps
    assert (step.action, step.reasoning, step.result) == ("look_up", "I look it up", "found")
    assert step.arguments == {"order": "17", "urgent": True}
    assert step.effective
    assert step.tools == ()


def test_parallel_calls_follow_the_same_steps_and_the_next_step_follows_all_of_them() -> None:
    episode = read(
        USER,
        says(call("a", call_id="1")),
        result("ra", "1"),
        says(call("b", call_id="2"), call("c", call_id="3")),
        result("rc", "3"),
        result("rb", "2"),
        says(call("d", call_id="4")),
    )
    assert [episode.predecessors(index) for index in range(4)] == [(), (0,), (0,), (1, 2)]
    assert [step.result for step in episode.steps] == ["ra", "rb", "rc", ""]


def test_parallel_calls_at_the_begin_are_branches() -> None:
    episode = read(USER, says(call("a", call_id="1"), call("b", call_id="2")), says(call("c", call_id="3")))
    assert [episode.predecessors(index) for index in range(3)] == [(), (), (0, 1)]


def test_a_result_belongs_to_the_call_before_it_though_ids_are_reused() -> None:
    episode = read(USER, says(call("a")), result("first"), says(call("b")), result("second"), says(call("c")))
    assert [step.result for step in episode.steps] == ["first", "second", ""]


def test_a_missing_result_leaves_its_call_without_one() -> None:
    episode = read(USER, says(call("a", call_id="1")), says(call("b", call_id="1")), result("of b", "1"))
    assert [step.result for step in episode.steps] == ["", "of b"]


def test_results_without_a_known_id_go_to_the_open_calls_in_order() -> None:
    episode = read(
        USER, says(call("a", call_id="1"), call("b", call_id="2")), result("ra", "x"), result("rb", None)
    )
    assert [step.result for step in episode.steps] == ["ra", "rb"]


def test_a_result_that_no_call_came_before_is_kept_aside() -> None:
    episode = read(USER, result("lost"), says(call("a")), result("mine"), result("one more"))
    assert [step.result for step in episode.steps] == ["mine"]
    assert episode.extra == {"unmatched_results": ["lost", "one more"]}


def test_a_call_of_a_custom_tool_is_a_step() -> None:
    call = {"id": "c", "type": "custom", "custom": {"name": "shell", "input": "ls 한글"}}
    answer = {"role": "tool", "tool_call_id": "c", "content": "a.txt"}
    (step,) = read(USER, {"role": "assistant", "tool_calls": [call]}, answer).steps
    assert (step.action, step.arguments, step.result) == ("shell", {"input": "ls 한글"}, "a.txt")


def test_a_legacy_function_call_is_a_step() -> None:
    legacy = {"role": "assistant", "content": None, "function_call": {"name": "look_up", "arguments": '{"a":1}'}}
    episode = read(USER, legacy, {"role": "function", "name": "look_up", "content": "found"})
    assert [(step.action, step.arguments, step.result) for step in episode.steps] == [
        ("look_up", {"a": 1}, "found")
    ]


@pytest.mark.parametrize("given", ["not json", "[1]", '"x"', "3", '{"a": NaN}', '{"a": 1e999}', '{"a":' * 5000])
def test_arguments_that_are_no_json_object_are_kept_as_they_are(given: str) -> None:
    (step,) = read(USER, says(call("a", given))).steps
    assert step.arguments == {}
    assert step.extra == {"arguments": given}


@pytest.mark.parametrize("given", [None, "", "{}", {}])
def test_no_arguments_are_none(given: Any) -> None:
    (step,) = read(USER, says(call("a", given))).steps
    assert (step.arguments, step.extra) == ({}, {})


def test_content_as_parts_is_joined_and_what_is_no_text_is_named() -> None:
    parts = [{"type": "text", "text": "Look"}, {"type": "image_url", "image_url": {"url": "x"}}, "here"]
    episode = read({"role": "user", "content": parts}, says(call("a"), content=parts), result(parts))
    assert episode.goal == episode.steps[0].reasoning == episode.steps[0].result == "Look\n[image_url]\nhere"


def test_an_error_is_a_finding_and_its_step_is_ineffective() -> None:
    episode = read(USER, says(call("refund")), result("Error: order 17 not found"), says(call("look_up")))
    assert episode.steps[0].errors == ("order # not found",)
    assert [step.effective for step in episode.steps] == [False, True]


def test_a_korean_run_reads_as_an_english_one() -> None:
    episode = read(
        {"role": "user", "content": "주문 17번을 환불해 주세요"},
        says(call("환불", '{"주문": "17"}'), content="환불을 진행합니다"),
        result("오류: 주문 17번을 찾을 수 없습니다"),
    )
    (step,) = episode.steps
    assert episode.goal == "주문 17번을 환불해 주세요"
    assert (step.action, step.arguments) == ("환불", {"주문": "17"})
    assert step.errors == ("주문 #번을 찾을 수 없습니다",)


@pytest.mark.parametrize(
    ("value", "outcome"),
    [
        (True, "success"),
        (1, "success"),
        (1.0, "success"),
        ("success", "success"),
        (False, "failure"),
        (0, "failure"),
        (0.0, "failure"),
        ("failure", "failure"),
        (0.5, "partial"),
        (None, "unknown"),
    ],
)
def test_the_default_rule_reads_plain_outcomes(value: Any, outcome: str) -> None:
    assert read(USER, outcome=value).outcome == outcome


@pytest.mark.parametrize("value", ["", "resolved", 2, -1, 1.5, [], {}, "1"])
def test_the_default_rule_refuses_everything_else(value: Any) -> None:
    with pytest.raises(RecordFault, match="--outcome-map"):
        read(USER, outcome=value)


def test_an_absent_outcome_is_unknown() -> None:
    assert read(USER).outcome == "unknown"


def test_a_task_of_0_is_a_task() -> None:
    assert read(USER, task_id=0, names={"task": "task_id"}).task == "0"
    assert read(USER, task=None).task is None


def test_fields_are_found_where_the_mapping_says_also_within_objects() -> None:
    names = {"messages": "traj", "outcome": "reward", "task": "info.task", "user": "info.who", "id": "run"}
    parse = chat_parser(names, outcome_rule(), RunIds())
    record = {"traj": [USER], "reward": 1.0, "info": {"task": 3, "who": "ada"}, "run": 17, "trial": 2}
    parsed = parse(record, "somebody")
    episode = parsed.item
    assert isinstance(episode, Episode)
    assert (episode.id, episode.task, episode.user_id, episode.outcome) == ("17", "3", "ada", "success")
    assert episode.extra == {"info": {"task": 3, "who": "ada"}, "trial": 2}
    assert parsed.unknown == ("info", "trial")


def test_further_fields_are_read_under_their_own_names() -> None:
    episode = read(USER, at="2026-03-01T09:00:00Z", variant={"model": "m"}, goal="Refund", session="s", domain="d")
    assert (episode.goal, episode.trigger) == ("Refund", USER["content"])
    assert (episode.variant, episode.session, episode.domain) == ({"model": "m"}, "s", "d")
    assert not episode.time_unknown


def test_a_run_without_times_says_so() -> None:
    assert read(USER).time_unknown


def test_a_run_that_names_nobody_is_the_user_s() -> None:
    assert read(USER).user_id is None
    assert read(USER, user="ada").user_id == "ada"
    parse = chat_parser({}, outcome_rule(), RunIds())
    item = parse({"messages": [USER], "user": "bob"}, "ada").item
    assert isinstance(item, Episode)
    assert item.user_id == "bob"


def test_an_id_comes_from_the_content_with_a_number_when_it_is_repeated() -> None:
    parse = chat_parser({}, outcome_rule(), RunIds())
    runs = [{"messages": [USER], "n": 1}, {"n": 1, "messages": [USER]}, {"messages": [USER], "n": 2}]
    ids = [item.id for run in runs if isinstance(item := parse(run, None).item, Episode)]
    assert ids[0].startswith("run-")
    assert len(ids[0]) == len("run-") + 16
    assert ids[1] == f"{ids[0]}-2"
    assert ids[2] not in ids[:2]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "messages are missing"),
        ({"messages": {}}, "not a list"),
        ({"messages": ["hi"]}, "message 0"),
        ({"messages": [{"content": "hi"}]}, "message 0"),
        ({"messages": [{"role": "assistant", "content": "hi"}]}, "no goal"),
        ({"messages": [USER, says(call(""))]}, "message 1: a tool call has no name"),
        ({"messages": [USER, {"role": "assistant", "tool_calls": 3}]}, "message 1: tool_calls"),
        ({"messages": [USER, {"role": "assistant", "tool_calls": [3]}]}, "message 1"),
        ({"messages": [USER], "tenant": "x"}, "tenant"),
        ({"messages": [USER], "task": [1]}, "task is neither"),
        ({"messages": [USER], "x": "\ud800"}, "surrogate"),
    ],
)
def test_what_is_no_run_is_refused(fields: dict[str, Any], words: str) -> None:
    parse = chat_parser({}, outcome_rule(), RunIds())
    with pytest.raises(ValueError, match=words):
        parse(fields, None)
