"""Turns text into vectors: the port of all embedding models.

Whoever implements it passes `graphmem.testing.EmbedderContract`. Caching, retries and limits wrap an
embedder from outside. A store may have none: then nothing is embedded and recall is lexical.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from graphmem.errors import SchemaError

Vectors = npt.NDArray[np.float32]
"""One row a text, shape (texts, dimension)."""


@dataclass(frozen=True, slots=True)
class EmbedderSpec:
    """What a store remembers about the embedder whose vectors it holds.

    Two embedders with equal specs must give the same vector for the same text.
    """

    name: str
    """Stable name of model and form, such as `use` or `openai/text-embedding-3-small`."""
    dimension: int
    """Length of every vector, at least 1."""
    normalised: bool = True
    """Whether every vector has length 1, so that the inner product is the cosine."""


class Embedder(Protocol):
    """An embedding model. Safe to use from several threads; the same text always gives the same vector.

    "The same" means up to rounding (1e-5 a component): which texts share a batch may change the order
    of additions.
    """

    @property
    def spec(self) -> EmbedderSpec:
        """Name, dimension and normalisation; known without loading a model or calling a service."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, in their order.

        Any text is allowed: an empty one, a lone surrogate or control characters give a finite vector
        as well, canonically equal forms (NFC, NFD) the same one. Of a very long text an embedder may
        read only the beginning.

        Args:
            texts: Any number of texts; none of them gives an array of shape (0, dimension).

        Returns:
            float32 of shape (texts, dimension), finite, each row of length 1 when the spec says so.
            The array belongs to the caller.

        Raises:
            EmbeddingError: The model returned the wrong number or size of vectors, or values that
                are not finite.
            ModelUnavailableError: The model cannot be reached now; trying again may help.
            ModelError: The model refuses: wrong key, unknown model, a package that is not installed.
        """
        ...

    def calibrate(self, cosine: float) -> float:
        """Put a cosine of two of this embedder's vectors on the scale that all embedders share.

        Monotone, 0 to 1: 0 is the level of texts that have nothing to do with each other, 0.7 and more
        means the same situation, 1 the same text. Thresholds are stated in this scale only, since
        cosines of different embedders cannot be compared.
        """
        ...


def check_embedder(stored: EmbedderSpec | None, given: EmbedderSpec | None) -> None:
    """Refuse to write beside another embedder's vectors, or to compare with them.

    Vectors of two embedders may have the same length, and their cosine means nothing.

    Raises:
        SchemaError: The store holds vectors of another embedder.
    """
    if stored is not None and given is not None and stored != given:
        raise SchemaError(
            f"the store holds vectors of {stored.name} ({stored.dimension} dimensions), not of {given.name}"
            f" ({given.dimension}); open it with {stored.name},"
            f" or run `graphmem schema reembed --embedder {given.name}`"
        )
