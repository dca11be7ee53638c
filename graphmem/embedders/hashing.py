"""An embedder without a model: hashed character 2- to 4-grams and words. Deterministic, for tests.

It sees spelling only: paraphrases in other words are strangers to it. It needs nothing but this file,
so demo and tests run without weights and give the same vectors everywhere.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from graphmem.embedders.calibration import Calibration
from graphmem.embedders.preparation import checked, prepared
from graphmem.graph.folding import fold
from graphmem.ports.embedder import EmbedderSpec, Vectors

Dense = npt.NDArray[np.float64]

DIMENSION = 512
_MAX_CHARACTERS = 8_000
_GRAM_WEIGHT = 0.5
"""Of a character n-gram beside 1 of its word: a word has many of them."""

_A_TRACE = 1e-9
"""Lost in rounding, unless all signs of a text cancelled: then it is what gives a direction."""

_WORD = re.compile(r"\w+")
_CALIBRATION = Calibration(((0.03, 0.0), (0.39, 0.7), (0.52, 0.85), (1.0, 1.0)))
"""Measured like those of `use`; they tell texts apart by spelling, so reworded ones fall below 0.7."""


class HashingEmbedder:
    """Character n-grams and words, hashed with CRC-32 into 512 signed counts."""

    spec = EmbedderSpec(name="hashing", dimension=DIMENSION)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts; see the port. Case, width and composition of characters make no difference."""
        raw = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            raw[row] = _vector(fold(prepared(text, _MAX_CHARACTERS)))
        return checked(raw, len(texts), self.spec)

    def calibrate(self, cosine: float) -> float:
        """Put a cosine on the common scale; see the port."""
        return _CALIBRATION(cosine)


def _vector(text: str) -> Dense:
    # a text without any word is nobody's neighbour, but it has a direction
    words = Counter(_WORD.findall(text)) or Counter(text.split()) or Counter([""])
    slots = np.concatenate([_features(word)[0] for word in words])
    weights = np.concatenate([_features(word)[1] * count**0.5 for word, count in words.items()])
    vector = np.bincount(slots, weights, minlength=DIMENSION).astype(np.float64)
    vector[0] += _A_TRACE
    return vector


@lru_cache(maxsize=1 << 13)
def _features(word: str) -> tuple[npt.NDArray[np.intp], Dense]:
    framed = f"<{word}>"
    grams = [framed[i : i + n] for n in (2, 3, 4) for i in range(len(framed) - n + 1)]
    hashes = np.array([zlib.crc32(feature.encode()) for feature in (f"word {word}", *grams)])
    weights = np.full(len(hashes), _GRAM_WEIGHT)
    weights[0] = 1.0
    return hashes % DIMENSION, np.where(hashes >> 31, weights, -weights)
