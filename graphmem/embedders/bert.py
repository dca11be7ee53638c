"""A BERT sentence encoder (Devlin et al. 2019) on numpy: word pieces in, one vector a text out.

Arithmetic only: files and word pieces are the embedder's business. Nothing is padded: what is done to
each word piece by itself is done to those of all texts at once, and texts of equal length attend together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]
Weights = Mapping[str, Array]
"""Arrays by the names that BERT's own checkpoints give them, matrices as (out, in)."""

_EPSILON = 1e-12
"""Keeps a layer norm finite where all components are equal; the checkpoint's `layer_norm_eps`."""


@dataclass(frozen=True, slots=True)
class Dense:
    """x Wᵀ + b."""

    weight: Array
    bias: Array

    @classmethod
    def read(cls, weights: Weights, *names: str) -> Dense:
        """The layers of these names as one, their outputs side by side."""
        parts = [(weights[f"{name}.weight"], weights[f"{name}.bias"]) for name in names]
        return cls(np.concatenate([w for w, _ in parts]), np.concatenate([b for _, b in parts]))

    def __call__(self, x: Array) -> Array:
        """Each row by itself."""
        y: Array = x @ self.weight.T
        y += self.bias
        return y


@dataclass(frozen=True, slots=True)
class LayerNorm:
    """(x - mean) / sqrt(variance + ε) * g + b over the components of a row (Ba et al. 2016)."""

    gain: Array
    bias: Array

    @classmethod
    def read(cls, weights: Weights, name: str) -> LayerNorm:
        """The one of this name."""
        return cls(weights[f"{name}.weight"], weights[f"{name}.bias"])

    def __call__(self, x: Array) -> Array:
        """Each row by itself."""
        centred: Array = x - x.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", centred, centred)[:, None] / x.shape[1]
        centred /= np.sqrt(variance + np.float32(_EPSILON))
        centred *= self.gain
        centred += self.bias
        return centred


@dataclass(frozen=True, slots=True)
class Layer:
    """LN(x + attention(x)), then LN(y + feed-forward(y)): the post-norm block of Vaswani et al. 2017."""

    heads: int
    projected: Dense
    """Queries, keys and values side by side."""
    attended: Dense
    attention_norm: LayerNorm
    widened: Dense
    narrowed: Dense
    output_norm: LayerNorm

    @classmethod
    def read(cls, weights: Weights, number: int, heads: int) -> Layer:
        """The layer of this number, from 0."""
        name = f"encoder.layer.{number}"
        own = f"{name}.attention.self"
        return cls(
            heads,
            Dense.read(weights, f"{own}.query", f"{own}.key", f"{own}.value"),
            Dense.read(weights, f"{name}.attention.output.dense"),
            LayerNorm.read(weights, f"{name}.attention.output.LayerNorm"),
            Dense.read(weights, f"{name}.intermediate.dense"),
            Dense.read(weights, f"{name}.output.dense"),
            LayerNorm.read(weights, f"{name}.output.LayerNorm"),
        )

    def __call__(self, x: Array, runs: Sequence[Run]) -> Array:
        """A row a word piece; pieces attend within their text only."""
        projected = self.projected(x)
        mixed = np.empty_like(x)
        for run in runs:
            mixed[run.rows] = attention(projected[run.rows], run.texts, self.heads)
        x = self.attention_norm(x + self.attended(mixed))
        return self.output_norm(x + self.narrowed(gelu(self.widened(x))))


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring texts of equal length."""

    start: int
    """Row of the first word piece."""
    texts: int
    length: int
    """Word pieces a text, at least 1."""

    @property
    def rows(self) -> slice:
        """Of all their word pieces."""
        return slice(self.start, self.start + self.texts * self.length)


class Bert:
    """A BERT encoder with mean pooling."""

    def __init__(self, weights: Weights, *, layers: int, heads: int) -> None:
        """Take the weights apart.

        Args:
            weights: At least embeddings and encoder layers; others are not looked at.
            layers: How many encoder layers there are.
            heads: Attention heads of each; divides the width.

        Raises:
            KeyError: A weight is missing.
        """
        self._pieces = weights["embeddings.word_embeddings.weight"]
        # all pieces are of the first segment: there is no second text
        self._positions = (
            weights["embeddings.position_embeddings.weight"]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        self._norm = LayerNorm.read(weights, "embeddings.LayerNorm")
        self._layers = [Layer.read(weights, number, heads) for number in range(layers)]

    def __call__(self, texts: Sequence[Sequence[int]]) -> Array:
        """The mean of each text's last hidden states.

        Args:
            texts: Ids of word pieces, at least one a text, at most as many as there are positions. Texts
                of equal length that stand side by side cost least.

        Returns:
            One row a text, not normalised.
        """
        runs = list(runs_of([len(text) for text in texts]))
        positions = np.concatenate([np.arange(len(text)) for text in texts])
        x = self._norm(self._pieces[np.concatenate(texts)] + self._positions[positions])
        for layer in self._layers:
            x = layer(x, runs)
        return np.concatenate([x[run.rows].reshape(run.texts, run.length, -1).mean(axis=1) for run in runs])


def runs_of(lengths: Sequence[int]) -> Iterator[Run]:
    """Texts of these lengths, neighbours of equal length together."""
    start = 0
    for length, equal in groupby(lengths):
        run = Run(start, len(list(equal)), length)
        start = run.rows.stop
        yield run


def attention(projected: Array, texts: int, heads: int) -> Array:
    """softmax(Q Kᵀ / √d) V for each head of each text (Vaswani et al. 2017), heads side by side.

    Args:
        projected: A row a word piece: its query, key and value, each of all heads.
        texts: Texts of equal length that the rows belong to.
        heads: Attention heads.
    """
    rows, width = projected.shape[0], projected.shape[1] // 3
    size = width // heads
    split = projected.reshape(texts, rows // texts, 3, heads, size)
    query, key, value = split.transpose(2, 0, 3, 1, 4)
    scores: Array = query @ key.transpose(0, 1, 3, 2)
    scores *= np.float32(size**-0.5)
    scores -= scores.max(axis=-1, keepdims=True)  # no exponential overflows
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    mixed: Array = (scores @ value).transpose(0, 2, 1, 3).reshape(rows, width)
    return mixed


def gelu(x: Array) -> Array:
    """X Φ(x), the exact Gaussian error linear unit (Hendrycks and Gimpel 2016).

    Φ(x) = (1 + erf(x / √2)) / 2, where numpy has no erf: formula 7.1.26 of Abramowitz and Stegun (1964),
    erf(z) = 1 - (a₁t + ... + a₅t⁵) exp(-z²) with t = 1 / (1 + pz) for z ≥ 0, is off by 1.5e-7 at most.
    """
    z = np.abs(x)
    z *= np.float32(0.5**0.5)
    t = np.float32(0.3275911) * z
    t += 1
    np.reciprocal(t, out=t)
    tail = np.float32(1.061405429) * t
    for coefficient in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        tail += np.float32(coefficient)
        tail *= t
    np.square(z, out=z)
    np.negative(z, out=z)
    np.exp(z, out=z)
    tail *= z  # erfc(|x| / √2), so that x Φ(x) = max(x, 0) - |x| erfc / 2
    tail *= np.abs(x)
    tail *= np.float32(0.5)
    y: Array = np.maximum(x, 0)
    y -= tail
    return y
