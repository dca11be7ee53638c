"""A wrapper that bounds calls and tokens, and counts them."""

from __future__ import annotations

from threading import Lock

from graphmem.errors import ModelError, ReplyError
from graphmem.ports.language_model import LanguageModel, ModelReply, ModelRequest
from graphmem.ports.model_usage import Usage
from graphmem.ports.prompt_text import tokens_of


class BudgetedModel:
    """A model that answers until its budget is spent.

    Calls are counted before they are made, so that no more than `max_calls` are, whatever they bring and
    however many threads ask. Tokens are known afterwards only: no call begins once `max_tokens` are
    spent, and those that run by then still end.
    """

    def __init__(
        self, inner: LanguageModel, *, max_calls: int | None = None, max_tokens: int | None = None
    ) -> None:
        """Wrap a model.

        Args:
            inner: The model that does the work.
            max_calls: Most calls, 0 or more; None: no bound.
            max_tokens: Tokens of requests and replies after which no call begins; None: no bound.
        """
        self._inner = inner
        self._max_calls = max_calls
        self._max_tokens = max_tokens
        self._used = Usage()
        self._lock = Lock()

    @property
    def name(self) -> str:
        """The wrapped model's."""
        return self._inner.name

    @property
    def used(self) -> Usage:
        """Calls and tokens so far."""
        with self._lock:
            return self._used

    def complete(self, request: ModelRequest) -> ModelReply:
        """Answer a request; see the port.

        Raises:
            ModelError: The budget is spent; the message names the bound and its setting.
        """
        with self._lock:
            self._refuse_when_spent()
            self._used += Usage(calls=1)
        try:
            reply = self._inner.complete(request)
        except ReplyError as error:
            # it was paid for, and nobody says how much
            sent = tokens_of(request.system) + tokens_of(request.user)
            self._spend(sent, tokens_of(error.reply))
            raise
        self._spend(reply.input_tokens, reply.output_tokens)
        return reply

    def _refuse_when_spent(self) -> None:
        if self._max_calls is not None and self._used.calls >= self._max_calls:
            raise ModelError(
                f"the budget of {self._max_calls:,} calls to the language model {self.name} is spent;"
                " raise the setting max_model_calls, or open the memory anew"
            )
        if self._max_tokens is not None and self._used.tokens >= self._max_tokens:
            raise ModelError(
                f"the budget of {self._max_tokens:,} tokens for the language model {self.name} is spent"
                f" ({self._used.tokens:,} used); raise the setting max_model_tokens, or open the memory anew"
            )

    def _spend(self, input_tokens: int, output_tokens: int) -> None:
        with self._lock:
            self._used += Usage(0, input_tokens, output_tokens)
