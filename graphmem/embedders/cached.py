"""A wrapper that remembers vectors by content, so that the same text is embedded once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from threading import Lock

import numpy as np
import numpy.typing as npt

from graphmem.ports.embedder import Embedder, EmbedderSpec, Vectors

Row = npt.NDArray[np.float32]


class CachedEmbedder:
    """An embedder with a bounded memory of its latest vectors.

    Keys are hashes: the texts themselves are not kept. Threads that ask for the same new text at the
    same time may each have it embedded; the answers are equal.
    """

    def __init__(self, inner: Embedder, capacity: int = 10_000) -> None:
        """Wrap an embedder.

        Args:
            inner: The embedder that does the work.
            capacity: Most vectors kept, at least 1; 10,000 of 512 dimensions are 20 MB.
        """
        self._inner = inner
        self._capacity = capacity
        self._rows: OrderedDict[bytes, Row] = OrderedDict()
        self._lock = Lock()

    @property
    def spec(self) -> EmbedderSpec:
        """The wrapped embedder's."""
        return self._inner.spec

    def calibrate(self, cosine: float) -> float:
        """The wrapped embedder's."""
        return self._inner.calibrate(cosine)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts; see the port. Only distinct texts that are not remembered reach the model."""
        keys = [_key(text) for text in texts]
        rows = self._remembered(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in rows}
        if missing:
            rows |= self._embedded(missing)
        vectors = np.empty((len(keys), self.spec.dimension), dtype=np.float32)
        for position, key in enumerate(keys):
            vectors[position] = rows[key]
        return vectors

    def _remembered(self, keys: Sequence[bytes]) -> dict[bytes, Row]:
        with self._lock:
            found = {key: self._rows[key] for key in keys if key in self._rows}
            for key in found:
                self._rows.move_to_end(key)
        return found

    def _embedded(self, missing: dict[bytes, str]) -> dict[bytes, Row]:
        vectors = self._inner.embed(list(missing.values()))
        # copies, since a row would keep its whole batch alive
        rows = {key: row.copy() for key, row in zip(missing, vectors, strict=True)}
        with self._lock:
            self._rows |= rows
            while len(self._rows) > self._capacity:
                self._rows.popitem(last=False)
        return rows


def _key(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
