from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.embedders.preparation import checked, prepared
from graphmem.errors import EmbeddingError
from graphmem.ports.embedder import EmbedderSpec

SPEC = EmbedderSpec("test", 2)


@given(st.text(alphabet=st.characters()), st.integers(1, 10))
def test_a_prepared_text_is_short_and_fit_for_utf8(text: str, most: int) -> None:
    ready = prepared(text, most)
    assert len(ready) <= most
    assert ready.encode("utf-8").decode("utf-8") == ready


def test_a_short_well_formed_text_is_only_composed() -> None:
    assert prepared("환불", 10) == prepared("\u1112\u116a\u11ab\u1107\u116e\u11af", 10) == "환불"


def test_vectors_become_unit_float32() -> None:
    vectors = checked([[3, 4], [0, 2]], 2, SPEC)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, [[0.6, 0.8], [0.0, 1.0]], atol=1e-6)


def test_vectors_stay_as_they_are_where_the_spec_says_so() -> None:
    np.testing.assert_array_equal(checked([[3, 4]], 1, EmbedderSpec("test", 2, normalised=False)), [[3, 4]])


@pytest.mark.parametrize(
    ("raw", "count", "reason"),
    [
        ([[1, 2]], 2, "2 texts"),
        ([1, 2], 2, "2 texts"),
        ([[1, 2, 3]], 1, "3 dimensions"),
        ([[1, 2], [1]], 2, "differ in size"),
        ([["a", "b"]], 1, "no numbers"),
        ([[None, 1]], 1, "numbers|finite"),
        ([[float("nan"), 1]], 1, "finite"),
        ([[float("inf"), 1]], 1, "finite"),
        ([[0, 0]], 1, "direction"),
        ([], 1, "1 texts"),
    ],
)
def test_faulty_vectors_are_refused(raw: list[list[float]], count: int, reason: str) -> None:
    with pytest.raises(EmbeddingError, match=reason):
        checked(raw, count, SPEC)
