"""Embeddings of any service that speaks OpenAI's API, local servers included.

Nothing is asked of the service before the first text. Connecting and the words of errors are shared with
the language model: `graphmem.openai_api`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any

from graphmem.embedders.calibration import IDENTITY, Calibration
from graphmem.embedders.preparation import checked, prepared
from graphmem.errors import EmbeddingError
from graphmem.openai_api import connect, host, translated
from graphmem.ports.embedder import EmbedderSpec, Vectors

if TYPE_CHECKING:
    import openai

_BATCH_TEXTS = 100
_BATCH_CHARACTERS = 200_000
"""A request may hold 300,000 tokens in all; Korean has up to one and a half a character."""

_BLANK = " "
"""Sent for an empty text, which the API refuses."""


class OpenAIEmbedder:
    """An embedding model behind `/embeddings`."""

    def __init__(
        self,
        model: str,
        dimension: int,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        shorten: bool = False,
        max_characters: int = 6_000,
        timeout: float = 30.0,
        retries: int = 2,
        calibration: Calibration = IDENTITY,
    ) -> None:
        """Prepare, without connecting.

        Args:
            model: The model's name at the service.
            dimension: Length of its vectors, at least 1.
            base_url: The API's root, such as `http://localhost:11434/v1`; None: OPENAI_BASE_URL, else
                OpenAI's own.
            api_key: None: OPENAI_API_KEY, else no key where a base URL is given.
            shorten: Whether to ask the service for `dimension` (models that can shorten their vectors).
            max_characters: Characters of a text that are sent, at least 1.
            timeout: Seconds for one attempt of one request.
            retries: Further attempts after a rate limit, a timeout or a fault of the service.
            calibration: Measured for this model, by `benchmarks/embedders.py`.
        """
        self._spec = EmbedderSpec(name=f"openai/{model}", dimension=dimension)
        self._model = model
        self._shorten = shorten
        self._max_characters = max_characters
        self._options = {"base_url": base_url, "timeout": timeout, "max_retries": retries}
        self._api_key = api_key
        self._calibration = calibration
        self._client: openai.OpenAI | None = None
        self._lock = Lock()

    @property
    def spec(self) -> EmbedderSpec:
        """Name `openai/<model>` and the dimension given."""
        return self._spec

    def calibrate(self, cosine: float) -> float:
        """Put a cosine on the common scale; see the port."""
        return self._calibration(cosine)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts in batches; see the port.

        Raises:
            ModelUnavailableError: Rate limit (with `retry_after`), timeout, no connection, a fault of the service.
            ModelError: No or a wrong key, an unknown model, a refused request, or openai is not installed.
            EmbeddingError: The answer is not what was asked for.
        """
        ready = [prepared(text, self._max_characters) or _BLANK for text in texts]
        rows = [row for batch in _batches(ready) for row in self._requested(batch)]
        return checked(rows, len(ready), self._spec)

    def close(self) -> None:
        """Let go of connections; the next embedding opens new ones."""
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _requested(self, batch: list[str]) -> list[list[float]]:
        client = self._connected()
        import openai  # noqa: PLC0415 (loaded by now)

        asked: dict[str, Any] = {"dimensions": self._spec.dimension} if self._shorten else {}
        try:
            # floats, since not every server knows base64
            answer = client.embeddings.create(model=self._model, input=batch, encoding_format="float", **asked)
        except (openai.OpenAIError, ValueError) as error:
            # `from None`: the service's words may hold the key or the text
            raise translated(
                error,
                f"embedding model {self._model!r} at {host(client)}",
                check="model, dimension and text length",
                unreadable=EmbeddingError,
            ) from None
        return _rows(answer, len(batch), self._spec)

    def _connected(self) -> openai.OpenAI:
        with self._lock:
            if self._client is None:
                self._client = connect(self._api_key, self._options)
            return self._client


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == _BATCH_TEXTS or size + len(text) > _BATCH_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch


def _rows(answer: Any, count: int, spec: EmbedderSpec) -> list[list[float]]:
    data = getattr(answer, "data", None)
    if not isinstance(data, list) or any(not isinstance(getattr(item, "embedding", None), list) for item in data):
        raise EmbeddingError(
            f"embedder {spec.name}: the answer holds no embeddings; is the base URL that of an OpenAI API?"
        )
    if len(data) != count:
        raise EmbeddingError(f"embedder {spec.name}: {count} texts gave {len(data)} vectors")
    if all(isinstance(getattr(item, "index", None), int) for item in data):
        data = sorted(data, key=lambda item: item.index)
    return [item.embedding for item in data]
