"""A SWE-agent trajectory becomes one episode whose steps are commands."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.models.episode import Episode
from graphmem.transfer.chat import RunIds
from graphmem.transfer.outcomes import outcome_rule
from graphmem.transfer.swe_agent import command_name, swe_agent_parser

ISSUE = "Please solve this.\nISSUE:\nThe parser fails on tabs\n\nINSTRUCTIONS:\nOne command at a time."


def read(*steps: dict[str, Any], names: dict[str, str] | None = None, **fields: Any) -> Episode:
    document = {"trajectory": list(steps), "history": [{"role": "user", "content": ISSUE}], **fields}
    item = swe_agent_parser(names or {}, outcome_rule(), RunIds())(document, None).item
    assert isinstance(item, Episode)
    return item


@pytest.mark.parametrize(
    ("action", "name"),
    [
        ("find_file a.py\n", "find_file"),
        ("edit 15:15\n  x = 1\nend_of_edit\n", "edit"),
        ("./rock", "rock"),
        ("/usr/bin/python3 a.py", "python3"),
        ("PYTHONPATH=. DEBUG=1 pytest -q", "pytest"),
        ("cat<<EOF\nx\nEOF", "cat"),
        ("cd src && ls", "cd"),
        ("검색 오류", "검색"),
        ("", "no_command"),
        (" \n", "no_command"),
        ("&&", "no_command"),
        ("x" * 600, "x" * 512),
    ],
)
def test_an_action_is_the_name_of_its_command(action: str, name: str) -> None:
    assert command_name(action) == name


def test_thought_command_and_observation_make_a_step() -> None:
    episode = read({"thought": "I look", "action": "ls -a\n", "observation": "a.py", "execution_time": 0.1})
    (step,) = episode.steps
    assert (step.action, step.reasoning, step.result) == ("ls", "I look", "a.py")
    assert step.arguments == {"command": "ls -a\n"}
    assert step.extra == {"execution_time": 0.1}


def test_an_error_in_an_observation_is_a_finding() -> None:
    (step,) = read({"action": "foo", "observation": "bash: foo: command not found"}).steps
    assert (step.errors, step.effective) == (("command not found",), False)


def test_the_goal_is_the_issue_within_the_prompt() -> None:
    episode = read()
    assert (episode.goal, episode.trigger) == ("The parser fails on tabs", ISSUE)


def test_a_demonstration_is_not_the_request() -> None:
    history = [{"role": "user", "content": "demo", "is_demo": True}, {"role": "user", "content": "the real one"}]
    assert read(history=history).goal == "the real one"


def test_submitted_is_not_success() -> None:
    info = {"exit_status": "submitted", "resolved": True}
    assert read(info=info, outcome="success").outcome == "unknown"
    assert read(info=info, names={"outcome": "info.resolved"}).outcome == "success"


def test_prompts_are_not_kept_and_the_rest_is() -> None:
    episode = read({"action": "ls", "response": "x", "query": ["x"]}, info={"model_stats": {"tokens": 3}})
    assert episode.extra == {"info": {"model_stats": {"tokens": 3}}}
    assert episode.steps[0].extra == {}


@pytest.mark.parametrize(
    "document", [{}, {"trajectory": 3}, {"trajectory": [3]}, {"trajectory": [{}]}, {"trajectory": []}]
)
def test_what_is_no_trajectory_is_refused(document: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="trajectory"):
        swe_agent_parser({}, outcome_rule(), RunIds())(document, None)
