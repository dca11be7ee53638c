from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphmem.embedders.cached import CachedEmbedder
from graphmem.embedders.hashing import HashingEmbedder
from graphmem.ports.embedder import Vectors


class CountingEmbedder(HashingEmbedder):
    """Remembers which texts reached it."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(list(texts))
        return super().embed(texts)


def test_the_same_text_is_embedded_once() -> None:
    inner = CountingEmbedder()
    cached = CachedEmbedder(inner)
    cached.embed(["환불", "refund", "환불"])
    cached.embed(["refund", "timeout"])
    assert inner.asked == [["환불", "refund"], ["timeout"]]


def test_nothing_new_does_not_reach_the_model() -> None:
    inner = CountingEmbedder()
    cached = CachedEmbedder(inner)
    cached.embed([])
    assert inner.asked == []


def test_the_least_recently_used_text_is_forgotten_first() -> None:
    inner = CountingEmbedder()
    cached = CachedEmbedder(inner, capacity=2)
    for text in ["a", "b", "a", "c", "a", "b"]:
        cached.embed([text])
    assert inner.asked == [["a"], ["b"], ["c"], ["b"]]


def test_a_batch_larger_than_the_memory_is_embedded_whole() -> None:
    texts = [f"text {number}" for number in range(20)]
    cached = CachedEmbedder(HashingEmbedder(), capacity=3)
    np.testing.assert_array_equal(cached.embed(texts), HashingEmbedder().embed(texts))


@given(
    st.lists(st.lists(st.sampled_from(["a", "b", "가", "나", "", "\ud800"]), max_size=5), max_size=6),
    st.integers(1, 4),
)
def test_memory_changes_no_vector(batches: list[list[str]], capacity: int) -> None:
    cached = CachedEmbedder(HashingEmbedder(), capacity)
    for batch in batches:
        np.testing.assert_array_equal(cached.embed(batch), HashingEmbedder().embed(batch))


def test_spec_and_scale_are_those_of_the_model() -> None:
    cached = CachedEmbedder(HashingEmbedder())
    assert cached.spec == HashingEmbedder().spec
    assert cached.calibrate(0.4) == HashingEmbedder().calibrate(0.4)
