"""Asks a language model: the port of all of them.

Whoever implements it passes `graphmem.testing.LanguageModelContract`. Retries, caching and budgets wrap a
model from outside, and what a reply means is the business of the prompts. A memory may have none: then
rules and templates do what a model would do better.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from graphmem.ports.prompt_text import Language


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question to a model, complete in itself: there is no conversation."""

    prompt: str
    """Name of the prompt, for errors and tests; the model does not see it."""
    system: str
    """Instructions, written by this program alone."""
    user: str
    """The data, fenced; see `graphmem.prompts.fencing`."""
    schema: Mapping[str, Any] | None
    """JSON schema of the reply, a hint for services that can hold to one; None: free text."""
    max_tokens: int
    """Longest reply, at least 1; a longer one is a ReplyError."""
    language: Language
    """Of instructions and reply."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a model said, unread."""

    text: str
    """Never blank; it need not keep to the schema."""
    input_tokens: int
    """Tokens of the request, 0 or more; estimated where the service does not count, 0 from a cache."""
    output_tokens: int
    """As `input_tokens`, of the reply."""


class LanguageModel(Protocol):
    """A language model. Safe to use from several threads."""

    @property
    def name(self) -> str:
        """Stable name of service and model, such as `openai/gpt-4o-mini`; known without a connection."""
        ...

    def complete(self, request: ModelRequest) -> ModelReply:
        """Answer a request.

        Raises:
            ModelUnavailableError: Rate limit, timeout, no or a broken connection, a fault of the service;
                trying again may help, after `retry_after` seconds where it says so.
            ReplyError: The reply is empty, cut off at `max_tokens`, refused or filtered.
            ModelError: The model refuses the request as such: wrong key, unknown model, a text that is
                too long, a budget that is spent.
        """
        ...


@runtime_checkable
class ForgetsReplies(Protocol):
    """A model, or a wrapper of one, that keeps replies."""

    def forget(self, request: ModelRequest) -> None:
        """Drop the reply to a request, because it turned out to be of no use."""
        ...


def forget_reply(model: LanguageModel, request: ModelRequest) -> None:
    """Have a model that keeps replies drop this one; for all others there is nothing to do."""
    if isinstance(model, ForgetsReplies):
        model.forget(request)
