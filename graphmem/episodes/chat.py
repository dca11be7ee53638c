"""The messages of a chat run to the steps of an episode: pure.

A tool call is a step; its result is the one that answers it by position, since ids of calls are reused
within real runs. The step's action is the tool's name, so no Tool is named beside it: it would only repeat
every step in the graph. What was said without a call is not kept as steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from graphmem.episodes.tool_errors import error_label
from graphmem.errors import InvalidInputError
from graphmem.graph.strict_json import StrictJsonError, strict_value
from graphmem.models.fields import canonical_json


@dataclass
class Call:
    """One tool call with its answer, while a run is read."""

    name: str
    arguments: dict[str, Any]
    raw_arguments: Any
    """What the call said instead of a JSON object; None when it said one."""
    call_id: str | None
    reasoning: str
    after: tuple[int, ...]
    result: Any = None
    answered: bool = False

    def step(self) -> dict[str, Any]:
        """The step that this call is."""
        step: dict[str, Any] = {"action": self.name, "reasoning": self.reasoning, "arguments": self.arguments}
        step["after"] = self.after
        step["result"] = content_text(self.result)
        label = error_label(self.result if isinstance(self.result, Mapping) else step["result"])
        if label is not None:
            step |= {"errors": (label,), "effective": False}
        if self.raw_arguments is not None:
            step["extra"] = {"arguments": self.raw_arguments}
        return step


@dataclass
class Conversation:
    """What a run's messages say."""

    steps: list[dict[str, Any]]
    """Fields of the steps, in order."""
    request: str | None
    """The first message of the user that says something; None when he said nothing."""
    unmatched: list[str] = field(default_factory=list)
    """Results that no call came before."""


def read_conversation(messages: Any) -> Conversation:
    """The steps and the request of a list of messages.

    Raises:
        InvalidInputError: It is no list of messages, or a tool call has no name.
    """
    if not isinstance(messages, list):
        raise InvalidInputError("the messages are missing" if messages is None else "the messages are not a list")
    calls: list[Call] = []
    latest = range(0)
    requests: list[str] = []
    unmatched: list[str] = []
    for index, message in enumerate(messages):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise InvalidInputError(f"message {index} is not an object with a role")
        match message["role"]:
            case "user":
                requests.append(content_text(message.get("content")))
            case "assistant":
                added = list(_calls(message, index, tuple(latest)))
                if added:
                    latest = range(len(calls), len(calls) + len(added))
                    calls.extend(added)
            case "tool" | "function":
                if not _answer(calls, latest, message):
                    unmatched.append(content_text(message.get("content")))
            case _:
                pass
    request = next((text for text in requests if text.strip()), requests[0] if requests else None)
    return Conversation([call.step() for call in calls], request, unmatched)


def content_text(content: Any) -> str:
    """A message's content as text: parts joined by line ends, what is no text by its type in brackets."""
    match content:
        case None:
            return ""
        case str():
            return content
        case list():
            return "\n".join(_part_text(part) for part in content)
        case _:
            return canonical_json(content)


def _part_text(part: Any) -> str:
    match part:
        case str():
            return part
        case {"text": str() as text}:
            return text
        case {"type": str() as kind}:
            return f"[{kind}]"
        case _:
            return canonical_json(part)


def _calls(message: Mapping[str, Any], index: int, after: tuple[int, ...]) -> Iterable[Call]:
    given = message.get("tool_calls") or []
    if not isinstance(given, list):
        raise InvalidInputError(f"message {index}: tool_calls is not a list")
    legacy = message.get("function_call")
    reasoning = content_text(message.get("content"))
    for call in given or ([{"function": legacy}] if legacy else []):
        function = _function(call) if isinstance(call, dict) else None
        if not isinstance(function, dict) or not _is_name(function.get("name")):
            raise InvalidInputError(f"message {index}: a tool call has no name")
        call_id = call.get("id")
        arguments, raw = _arguments(function.get("arguments"))
        yield Call(
            function["name"], arguments, raw, call_id if isinstance(call_id, str) else None, reasoning, after
        )


def _function(call: Mapping[str, Any]) -> Any:
    """What is called, and with what: a custom tool takes a text where a function takes an object."""
    custom = call.get("custom")
    if call.get("type") == "custom" and isinstance(custom, dict):
        return {"name": custom.get("name"), "arguments": {"input": custom.get("input")}}
    return call.get("function")


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _arguments(given: Any) -> tuple[dict[str, Any], Any]:
    """Arguments that are an object, and what was said instead when they are none."""
    if given is None or given == "":
        return {}, None
    value = given
    if isinstance(given, str):
        try:
            value = strict_value(given)
        except StrictJsonError:
            return {}, given
    return (value, None) if isinstance(value, dict) else ({}, given)


def _answer(calls: list[Call], latest: range, message: Mapping[str, Any]) -> bool:
    """Give a result to the call before it: of parallel calls the one with its id, else the first unanswered."""
    waiting = [calls[index] for index in latest if not calls[index].answered]
    if not waiting:
        return False
    call_id = message.get("tool_call_id")
    call = next((call for call in waiting if call_id is not None and call.call_id == call_id), waiting[0])
    call.result = message.get("content")
    call.answered = True
    return True
