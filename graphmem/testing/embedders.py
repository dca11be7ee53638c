"""The contract of an embedder as tests: inherit, and give a fixture named `embedder`.

::

    class TestMyEmbedder(EmbedderContract):
        @pytest.fixture
        def embedder(self) -> Embedder:
            return MyEmbedder()
"""

from __future__ import annotations

import unicodedata
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from graphmem.ports.embedder import Embedder

TEXTS = [
    "The payment service timed out",
    "결제 서비스에서 시간 초과가 발생했습니다",
    "API 호출이 두 번 실패했습니다 (retry=2)",
    "a",
    "🎉",
]
ODD_TEXTS = [
    "",
    " ",
    "\n\t",
    "\x00",
    "\ud800",
    "a\ud800b",
    "\u200b",
    "!!!",
    "🎉" * 300,
    "가" * 20_000,
    "word " * 20_000,
]
SAME = 1e-5
"""How far two vectors of one text may differ in a component."""


class EmbedderContract:
    """What graphmem expects of every embedder."""

    def test_the_spec_is_stable_and_complete(self, embedder: Embedder) -> None:
        assert embedder.spec == embedder.spec
        assert embedder.spec.name.strip()
        assert embedder.spec.dimension >= 1

    def test_texts_give_float32_rows_of_the_stated_size(self, embedder: Embedder) -> None:
        vectors = embedder.embed(TEXTS)
        assert vectors.dtype == np.float32
        assert vectors.shape == (len(TEXTS), embedder.spec.dimension)
        assert np.isfinite(vectors).all()

    def test_rows_have_length_one_where_the_spec_says_so(self, embedder: Embedder) -> None:
        if not embedder.spec.normalised:
            pytest.skip("this embedder does not normalise")
        np.testing.assert_allclose(np.linalg.norm(embedder.embed(TEXTS + ODD_TEXTS), axis=1), 1.0, atol=1e-4)

    def test_no_texts_give_no_rows(self, embedder: Embedder) -> None:
        vectors = embedder.embed([])
        assert vectors.shape == (0, embedder.spec.dimension)
        assert vectors.dtype == np.float32

    def test_any_text_gives_a_finite_vector(self, embedder: Embedder) -> None:
        vectors = embedder.embed(ODD_TEXTS)
        assert vectors.shape == (len(ODD_TEXTS), embedder.spec.dimension)
        assert np.isfinite(vectors).all()

    def test_rows_come_in_the_order_of_the_texts(self, embedder: Embedder) -> None:
        forwards, backwards = embedder.embed(TEXTS), embedder.embed(TEXTS[::-1])
        np.testing.assert_allclose(forwards, backwards[::-1], atol=SAME)
        assert len({row.tobytes() for row in forwards}) == len(TEXTS)

    def test_a_text_has_the_same_vector_alone_and_in_a_batch(self, embedder: Embedder) -> None:
        together = embedder.embed([*TEXTS, TEXTS[0]])
        alone = np.concatenate([embedder.embed([text]) for text in [*TEXTS, TEXTS[0]]])
        np.testing.assert_allclose(together, alone, atol=SAME)

    def test_composed_and_decomposed_texts_have_the_same_vector(self, embedder: Embedder) -> None:
        texts = ["결제 오류가 났습니다", "Café München"]
        composed = embedder.embed([unicodedata.normalize("NFC", text) for text in texts])
        decomposed = embedder.embed([unicodedata.normalize("NFD", text) for text in texts])
        np.testing.assert_allclose(composed, decomposed, atol=SAME)

    def test_the_array_belongs_to_the_caller(self, embedder: Embedder) -> None:
        first = embedder.embed(TEXTS)
        kept = first.copy()
        first[:] = 0
        np.testing.assert_allclose(embedder.embed(TEXTS), kept, atol=SAME)

    def test_threads_get_the_same_vectors(self, embedder: Embedder) -> None:
        expected = embedder.embed(TEXTS)
        with ThreadPoolExecutor(4) as threads:
            for vectors in threads.map(embedder.embed, [TEXTS] * 8):
                np.testing.assert_allclose(vectors, expected, atol=SAME)

    def test_calibration_rises_from_nothing_to_the_same_text(self, embedder: Embedder) -> None:
        values = [embedder.calibrate(cosine / 100) for cosine in range(-100, 101)]
        assert values == sorted(values)
        assert values[0] == 0
        assert values[-1] == 1
        assert embedder.calibrate(1.0000001) == 1
        assert embedder.calibrate(-1.0000001) == 0
