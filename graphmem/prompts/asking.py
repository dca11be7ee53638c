"""Asks a model a prompt and reads the reply: render, call, parse, and once more with what was wrong.

What the reply claims about the data is checked by the prompt's own module.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pydantic import BaseModel

from graphmem.errors import ReplyError
from graphmem.ports.language_model import LanguageModel, ModelRequest, forget_reply
from graphmem.ports.prompt_text import Language
from graphmem.prompts.fencing import fence_for
from graphmem.prompts.parsing import UnreadableReplyError, parse, reply_schema
from graphmem.prompts.texts import prompt_text

CALLS_AT_MOST = 2
"""Calls of one `ask`: the first, and one repair. A retrying model may make several attempts of each."""

_NO_TEXT = "it was empty, refused, or longer than allowed"
"""What the repair says where the model gave nothing to read: a message may come from a foreign adapter."""

Reply = TypeVar("Reply", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Prompt(Generic[Reply]):
    """A question that a model can be asked."""

    name: str
    """Of its files, and in errors: `summarise_episode`."""
    form: type[Reply]
    """A frozen model of the reply that refuses unknown keys."""
    max_tokens: int
    """Room for the longest reply of that form."""

    check: Callable[[Reply, Language], None]
    """Refuses, with an UnreadableReplyError, a reply of the right form that is still none."""


def ask(model: LanguageModel, prompt: Prompt[Reply], data: str, language: Language) -> Reply:
    """The model's reply to a prompt about some data.

    Args:
        model: Asked once, and a second time when the first reply is of no use.
        prompt: The question.
        data: What it is about, such as a `transcript`; it is fenced here.
        language: Of instructions and reply.

    Raises:
        ReplyError: The second reply is of no use either.
        ModelUnavailableError: The model cannot be reached.
        ModelError: It refuses the request, or its budget is spent.
    """
    request = request_for(prompt, data, language)
    try:
        return _asked(model, prompt, request)
    except ReplyError as error:
        fault = str(error.__cause__) if isinstance(error.__cause__, UnreadableReplyError) else _NO_TEXT
    repair = prompt_text("repair", language, fault=fault)
    return _asked(model, prompt, replace(request, system=f"{request.system}\n\n{repair}"))


def request_for(prompt: Prompt[Reply], data: str, language: Language) -> ModelRequest:
    """The request of a prompt: instructions alone in its system part, the fenced data in its user part."""
    fence = fence_for(data)
    lines = {"opening": fence.opening, "closing": fence.closing}
    task, rule = prompt_text(prompt.name, language), prompt_text("data", language, **lines)
    reminder = prompt_text("reminder", language)
    return ModelRequest(
        prompt=prompt.name,
        system=f"{task}\n\n{rule}",
        user=f"{fence.around(data)}\n\n{reminder}",
        schema=reply_schema(prompt.form),
        max_tokens=prompt.max_tokens,
        language=language,
    )


def _asked(model: LanguageModel, prompt: Prompt[Reply], request: ModelRequest) -> Reply:
    text = model.complete(request).text
    try:
        reply = parse(text, prompt.form)
        prompt.check(reply, request.language)
    except UnreadableReplyError as fault:
        forget_reply(model, request)  # else a cache would give the same again
        raise ReplyError(
            f"the reply of {model.name} to the prompt {prompt.name!r} does not fit: {fault}; try again, or"
            " choose another model",
            prompt=prompt.name,
            reply=text,
        ) from fault
    return reply
