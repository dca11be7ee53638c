"""Chat completions of any service that speaks OpenAI's API, local servers included.

Nothing is asked of the service before the first request, and no request is sent twice: trying again is
`graphmem.llm.retrying`'s. Services differ in two arguments; what one refuses is left out from then on.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

from graphmem.errors import ModelError, ReplyError
from graphmem.openai_api import connect, host, translated
from graphmem.ports.language_model import ModelReply, ModelRequest
from graphmem.ports.prompt_text import tokens_of

if TYPE_CHECKING:
    import openai

MORE_REQUESTS = 2
"""Requests beyond one a call, in the life of a model: one for each argument that its service refuses
(each thread that asks at that very moment finds out by itself)."""

_CONNECT_SECONDS = 10.0

_ROOM_FOR_REASONING = 4
"""`max_completion_tokens` counts what a reasoning model thinks as well, `max_tokens` the reply alone."""

_REFUSING = frozenset({400, 404, 422, 501})
"""Statuses with which services refuse an argument; 404 is that of routers without a fitting server."""

_WORDS_OF_FORMAT = (
    *("response_format", "json_schema", "structured output"),
    *("guided_json", "guided decoding", "parse grammar"),
)
"""Any of them in a refusal says that it is about structured output."""


class OpenAIModel:
    """A language model behind `/chat/completions`."""

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 60.0,
    ) -> None:
        """Prepare, without connecting.

        Args:
            model: The model's name at the service.
            base_url: The API's root, such as `http://localhost:11434/v1`; None: OPENAI_BASE_URL, else
                OpenAI's own.
            api_key: None: OPENAI_API_KEY, else no key where a base URL is given.
            timeout: Seconds that the service may keep silent.
        """
        self._model = model
        self._api_key = api_key
        self._base_url = base_url
        self._timeout = timeout
        self._takes_format = True
        self._takes_max_tokens = True
        self._client: openai.OpenAI | None = None
        self._lock = Lock()

    @property
    def name(self) -> str:
        """`openai/<model>`."""
        return f"openai/{self._model}"

    def complete(self, request: ModelRequest) -> ModelReply:
        """Answer a request; see the port.

        Where the request has a schema, structured output is asked for. A service that refuses it is asked
        in plain words from then on: the prompt states the form as well.

        Raises:
            ModelUnavailableError: Rate limit (with `retry_after`), timeout, no connection or a broken one,
                a fault of the service.
            ReplyError: The reply is empty, cut off, refused or filtered.
            ModelError: No or a wrong key, an unknown model, a refused request, an answer that is no chat
                completion, or openai is not installed.
        """
        client = self._connected()
        what = f"language model {self._model!r} at {host(client)}"
        return _reply(self._answer(client, request, what), request, what)

    def close(self) -> None:
        """Let go of connections; the next request opens new ones."""
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _answer(self, client: openai.OpenAI, request: ModelRequest, what: str) -> Any:
        import openai  # noqa: PLC0415 (loaded by now)

        while True:
            arguments = self._arguments(request)
            try:
                return client.chat.completions.create(**arguments)
            except (openai.OpenAIError, ValueError) as error:
                if not self._left_out(error, arguments):
                    # `from None`: the service's words may hold the key or the text
                    check = "the model's name and the length of the text"
                    raise translated(error, what, check=check) from None

    def _arguments(self, request: ModelRequest) -> dict[str, Any]:
        messages = [{"role": "system", "content": request.system}, {"role": "user", "content": request.user}]
        arguments: dict[str, Any] = {"model": self._model, "messages": messages}
        if self._takes_max_tokens:
            arguments["max_tokens"] = request.max_tokens
        else:
            arguments["max_completion_tokens"] = request.max_tokens * _ROOM_FOR_REASONING
        if request.schema is not None and self._takes_format:
            schema = {"name": request.prompt, "strict": True, "schema": request.schema}
            arguments["response_format"] = {"type": "json_schema", "json_schema": schema}
        return arguments

    def _left_out(self, error: Exception, arguments: dict[str, Any]) -> bool:
        """Whether the service refuses an argument that the next request does without."""
        told = _refusal(error)
        if "max_tokens" in arguments and "max_tokens" in told and "max_completion_tokens" in told:
            self._takes_max_tokens = False
            return True
        if "response_format" in arguments and any(word in told for word in _WORDS_OF_FORMAT):
            self._takes_format = False
            return True
        return False

    def _connected(self) -> openai.OpenAI:
        with self._lock:
            if self._client is None:
                self._client = self._new_client()
            return self._client

    def _new_client(self) -> openai.OpenAI:
        client = connect(self._api_key, {"base_url": self._base_url, "max_retries": 0})
        import openai  # noqa: PLC0415 (loaded by now)

        client.timeout = openai.Timeout(self._timeout, connect=min(self._timeout, _CONNECT_SECONDS))
        return client


def _refusal(error: Exception) -> str:
    """What a service says about an argument that it refuses, in lower case; "" for any other fault."""
    import openai  # noqa: PLC0415 (loaded by now)

    if not isinstance(error, openai.APIStatusError) or error.status_code not in _REFUSING:
        return ""
    return f"{error.param} {error.message} {error.body}".lower()


def _reply(answer: Any, request: ModelRequest, what: str) -> ModelReply:
    choices = getattr(answer, "choices", None)
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = getattr(choice, "message", None)
    if message is None:
        raise ModelError(
            f"{what} gave an answer that is no chat completion; is the base URL that of an OpenAI API?"
        )
    content = getattr(message, "content", None)
    text = content if isinstance(content, str) else ""
    refusal = getattr(message, "refusal", None)
    fault = _fault(getattr(choice, "finish_reason", None), refusal, text)
    if fault is not None:
        received = text or (refusal if isinstance(refusal, str) else "")
        raise ReplyError(f"{what}, prompt {request.prompt!r}: {fault}", prompt=request.prompt, reply=received)
    sent = tokens_of(request.system) + tokens_of(request.user)
    usage = getattr(answer, "usage", None)
    return ModelReply(
        text,
        _count(getattr(usage, "prompt_tokens", None), sent),
        _count(getattr(usage, "completion_tokens", None), tokens_of(text)),
    )


def _fault(finish: object, refusal: object, text: str) -> str | None:
    if refusal:
        return "the model refuses to answer"
    if finish == "content_filter":
        return "the service's filter withheld the reply"
    if finish == "length":
        return "the reply was cut off, since it is longer than was allowed"
    return None if text.strip() else "the reply is empty"


def _count(given: object, estimate: int) -> int:
    """Tokens as the service counts them; some local servers do not."""
    return given if isinstance(given, int) and given > 0 else estimate
