"""The encoder's arithmetic against the same formulas written out for one number at a time."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.embedders.bert import Bert, gelu

WIDTH, INNER, HEADS, LAYERS, PIECES, POSITIONS = 12, 20, 3, 2, 30, 9
Exact = npt.NDArray[np.float64]
texts_of_pieces = st.lists(
    st.lists(st.integers(0, PIECES - 1), min_size=1, max_size=POSITIONS), min_size=1, max_size=8
)


def some_weights() -> dict[str, npt.NDArray[np.float32]]:
    chance = np.random.default_rng(7)
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (PIECES, WIDTH),
        "embeddings.position_embeddings.weight": (POSITIONS, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
    }
    dense = {"attention.output.dense": (WIDTH, WIDTH), "intermediate.dense": (INNER, WIDTH)}
    dense |= {f"attention.self.{part}": (WIDTH, WIDTH) for part in ("query", "key", "value")}
    dense |= {"output.dense": (WIDTH, INNER)}
    norms = ["embeddings"]
    for layer in (f"encoder.layer.{number}" for number in range(LAYERS)):
        norms += [f"{layer}.attention.output", f"{layer}.output"]
        for name, shape in dense.items():
            shapes |= {f"{layer}.{name}.weight": shape, f"{layer}.{name}.bias": shape[:1]}
    for name in norms:
        shapes |= {f"{name}.LayerNorm.weight": (WIDTH,), f"{name}.LayerNorm.bias": (WIDTH,)}
    return {name: chance.normal(0, 0.7, shape).astype(np.float32) for name, shape in shapes.items()}


WEIGHTS = {name: array.astype(np.float64) for name, array in some_weights().items()}


def spelled_out(pieces: list[int]) -> Exact:
    """The vector of one text, piece by piece and head by head, in double precision."""
    rows = [
        normed(
            WEIGHTS["embeddings.word_embeddings.weight"][piece]
            + WEIGHTS["embeddings.position_embeddings.weight"][position]
            + WEIGHTS["embeddings.token_type_embeddings.weight"][0],
            "embeddings",
        )
        for position, piece in enumerate(pieces)
    ]
    for layer in (f"encoder.layer.{number}" for number in range(LAYERS)):
        attended = [
            dense(row, f"{layer}.attention.output.dense") for row in mixed(rows, f"{layer}.attention.self")
        ]
        rows = [normed(row + new, f"{layer}.attention.output") for row, new in zip(rows, attended, strict=True)]
        inner = [[exact_gelu(value) for value in dense(row, f"{layer}.intermediate.dense")] for row in rows]
        fed = [dense(np.array(row), f"{layer}.output.dense") for row in inner]
        rows = [normed(row + new, f"{layer}.output") for row, new in zip(rows, fed, strict=True)]
    mean: Exact = np.array(rows).mean(axis=0)
    return mean


def normed(x: Exact, name: str) -> Exact:
    mean = sum(x) / len(x)
    spread = math.sqrt(sum((value - mean) ** 2 for value in x) / len(x) + 1e-12)
    scaled: Exact = (x - mean) / spread * WEIGHTS[f"{name}.LayerNorm.weight"] + WEIGHTS[f"{name}.LayerNorm.bias"]
    return scaled


def dense(x: Exact, name: str) -> Exact:
    sums: Exact = np.array([sum(row * x) for row in WEIGHTS[f"{name}.weight"]])
    return sums + WEIGHTS[f"{name}.bias"]


def mixed(rows: list[Exact], name: str) -> list[Exact]:
    query, key, value = ([dense(row, f"{name}.{part}") for row in rows] for part in ("query", "key", "value"))
    size = WIDTH // HEADS
    result = [np.zeros(WIDTH) for _ in rows]
    for head in (slice(start, start + size) for start in range(0, WIDTH, size)):
        for place, asking in enumerate(query):
            likeness = [math.exp(asking[head].dot(asked[head]) / math.sqrt(size)) for asked in key]
            for share, told in zip(likeness, value, strict=True):
                result[place][head] += share / sum(likeness) * told[head]
    return result


def exact_gelu(x: float) -> float:
    return x * (1 + math.erf(x / math.sqrt(2))) / 2


@given(texts_of_pieces)
@settings(max_examples=20, deadline=None)
def test_the_encoder_does_what_its_formulas_say(texts: list[list[int]]) -> None:
    encoded = Bert(some_weights(), layers=LAYERS, heads=HEADS)(texts)
    np.testing.assert_allclose(encoded, [spelled_out(text) for text in texts], atol=2e-4)


def test_a_missing_weight_is_named() -> None:
    weights = some_weights()
    del weights["encoder.layer.1.attention.self.key.bias"]
    with pytest.raises(KeyError, match=r"key\.bias"):
        Bert(weights, layers=LAYERS, heads=HEADS)


def test_gelu_is_exact_in_single_precision_and_leaves_its_argument_alone() -> None:
    x = np.concatenate([np.linspace(-12, 12, 4801), [-100, 100]]).astype(np.float32)
    before = x.copy()
    np.testing.assert_allclose(gelu(x), [exact_gelu(float(value)) for value in x], atol=1e-6, rtol=1e-6)
    np.testing.assert_array_equal(x, before)
