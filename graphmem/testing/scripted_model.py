"""A language model that says what it was told to say, and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock

from graphmem.errors import ModelError
from graphmem.ports.language_model import ModelReply, ModelRequest
from graphmem.ports.prompt_text import tokens_of

Answer = str | ModelReply | Exception | Callable[[ModelRequest], str]
"""A text, a whole reply, an error to raise, or a function of the request."""


class ScriptedModel:
    """Gives its answers in their order.

    Args:
        answers: One a call. Tokens of a text are estimated.
        name: Of the model.
        always: The answer when there is none left; None: a ModelError.

    Example::

        model = ScriptedModel([ModelUnavailableError("busy", retry_after=2), "{}"])
        with graphmem.open("memory.db", language_model=model) as memory:
            ...
        assert len(model.requests) == 2
    """

    def __init__(
        self, answers: Iterable[Answer] = (), *, name: str = "scripted", always: Answer | None = None
    ) -> None:
        self._answers = iter(answers)
        self._name = name
        self._always = always
        self._lock = Lock()
        self.requests: list[ModelRequest] = []
        """What was asked, in order."""

    @property
    def name(self) -> str:
        """The name it was given."""
        return self._name

    def complete(self, request: ModelRequest) -> ModelReply:
        """The next answer, or the error that stands in its place."""
        with self._lock:
            self.requests.append(request)
            answer = next(self._answers, self._always)
        if answer is None:
            raise ModelError(f"the scripted model has no answer to call {len(self.requests)}; give it one more")
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, ModelReply):
            return answer
        text = answer if isinstance(answer, str) else answer(request)
        sent = tokens_of(request.system) + tokens_of(request.user)
        return ModelReply(text, sent, tokens_of(text))
