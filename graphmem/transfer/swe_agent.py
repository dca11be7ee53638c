"""One SWE-agent trajectory (.traj) to one episode: a command is a step.

A trajectory says that the agent submitted, not that it succeeded: the outcome comes from `--field outcome=...`
alone. The history repeats the steps inside prompts and is read for the request only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from graphmem.episodes.chat import content_text
from graphmem.episodes.tool_errors import error_label
from graphmem.models.episode import Episode
from graphmem.models.fields import MAX_NAME_LENGTH
from graphmem.transfer.chat import RunIds, RunParser, run_fields
from graphmem.transfer.faults import RecordFault
from graphmem.transfer.fields import Lookup
from graphmem.transfer.items import Parsed
from graphmem.transfer.outcomes import OutcomeRule

NO_COMMAND = "no_command"
"""Action of a step in which the agent gave none."""

_KNOWN_STEP = frozenset({"action", "observation", "thought", "response", "query", "messages"})
"""`response` holds thought and action again, `query` and `messages` the whole prompt."""

_COMMAND = re.compile(r"\s*(?:\w+=\S*\s+)*(?P<name>[^\s;&|<>()]+)")
_ISSUE = (
    re.compile(r"\bISSUE:\s*\n(.*?)\n\s*INSTRUCTIONS:", re.DOTALL),
    re.compile(r"<(?:pr_description|issue)>\s*(.*?)\s*</(?:pr_description|issue)>", re.DOTALL),
)


def swe_agent_parser(names: Mapping[str, str], outcome: OutcomeRule, ids: RunIds) -> RunParser:
    """A parser of trajectories.

    Args:
        names: Where a document keeps what, from fields.py; an outcome is read only where named.
        outcome: What its outcome means.
        ids: Shared by all files of an import.
    """

    def parse(record: dict[str, Any], user: str | None) -> Parsed:
        where = dict(names)
        lookup = Lookup(record, where if "outcome" in where else where | {"outcome": ""})
        steps, unknown = _steps(record.get("trajectory"))
        lookup.consume("trajectory")
        request = _request(record.get("history"))
        lookup.consume("history")
        fields = run_fields(lookup, user, ids, record, outcome)
        goal = lookup.text("goal")
        if goal is None and request is None:
            raise RecordFault("the trajectory has no goal: no request in its history, and none named with --field")
        extra = lookup.rest()
        episode = Episode(
            goal=_issue(request or "") if goal is None else goal,
            trigger=request or None,
            steps=steps,
            extra=extra,
            **fields,
        )
        return Parsed(episode, (*extra, *unknown))

    return parse


def command_name(action: str) -> str:
    """The name of the command that a line runs, without its folder; `no_command` for a blank one."""
    found = _COMMAND.match(action)
    if found is None:
        return NO_COMMAND
    name = found["name"].rstrip("/").rpartition("/")[2]
    return name[:MAX_NAME_LENGTH] if any(character.isalnum() for character in name) else NO_COMMAND


def _steps(trajectory: Any) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    if not isinstance(trajectory, list):
        raise RecordFault("the trajectory is missing" if trajectory is None else "the trajectory is not a list")
    steps, unknown = [], []
    for index, given in enumerate(trajectory):
        if not isinstance(given, dict) or not isinstance(given.get("action"), str):
            raise RecordFault(f"trajectory.{index} is not an object with an action")
        step = _step(given)
        unknown += [f"steps.{name}" for name in step["extra"]]
        steps.append(step)
    return steps, tuple(unknown)


def _step(given: Mapping[str, Any]) -> dict[str, Any]:
    action = given["action"]
    result = content_text(given.get("observation"))
    step: dict[str, Any] = {
        "action": command_name(action),
        "reasoning": content_text(given.get("thought")),
        "result": result,
        "arguments": {"command": action} if action.strip() else {},
        "extra": {name: value for name, value in given.items() if name not in _KNOWN_STEP},
    }
    label = error_label(result)
    if label is not None:
        step |= {"errors": (label,), "effective": False}
    return step


def _request(history: Any) -> str | None:
    """The first message of the user that is no demonstration."""
    for message in history if isinstance(history, list) else ():
        if isinstance(message, dict) and message.get("role") == "user" and not message.get("is_demo"):
            text = content_text(message.get("content"))
            if text.strip():
                return text
    return None


def _issue(request: str) -> str:
    """The issue within a prompt, where the prompt marks it."""
    for pattern in _ISSUE:
        found = pattern.search(request)
        if found is not None and found[1].strip():
            return found[1].strip()
    return request
