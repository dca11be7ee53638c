"""What every embedder does to texts before its model and to vectors after it."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from graphmem.errors import EmbeddingError
from graphmem.ports.embedder import EmbedderSpec, Vectors


def prepared(text: str, max_characters: int) -> str:
    """The beginning of a text in composed form, fit for UTF-8.

    Args:
        text: Anything, lone surrogates included; those become question marks.
        max_characters: Characters that the model is to read, at least 1.
    """
    # cut first as well: normalising megabytes to read a page of them would be waste
    composed = unicodedata.normalize("NFC", text[: 4 * max_characters])[:max_characters]
    return composed if composed.isascii() else composed.encode("utf-8", "replace").decode("utf-8")


def checked(raw: npt.ArrayLike | Sequence[Sequence[float]], count: int, spec: EmbedderSpec) -> Vectors:
    """The vectors of a model as the port promises them: float32, finite, of length 1 where the spec says so.

    Args:
        raw: What the model returned, a row a text.
        count: Texts that were embedded.
        spec: What the vectors have to be.

    Raises:
        EmbeddingError: Wrong number or size, a value that is not finite, or a vector without direction.
    """
    try:
        vectors = np.array(raw, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise EmbeddingError(
            f"embedder {spec.name}: the vectors of a batch differ in size or hold no numbers"
        ) from error
    if count == 0:
        return np.zeros((0, spec.dimension), dtype=np.float32)
    if vectors.ndim != 2 or vectors.shape[0] != count:
        raise EmbeddingError(f"embedder {spec.name}: {count} texts gave an array of shape {vectors.shape}")
    if vectors.shape[1] != spec.dimension:
        raise EmbeddingError(
            f"embedder {spec.name}: vectors have {vectors.shape[1]} dimensions, {spec.dimension} were expected; "
            "set the dimension that the model really has"
        )
    if not np.isfinite(vectors).all():
        raise EmbeddingError(f"embedder {spec.name}: a vector holds values that are not finite")
    return _unit(vectors, spec) if spec.normalised else vectors


def _unit(vectors: Vectors, spec: EmbedderSpec) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (lengths > 0).all():
        raise EmbeddingError(f"embedder {spec.name}: a vector is all zeros and has no direction")
    unit: Vectors = vectors / lengths
    return unit
