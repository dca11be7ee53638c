"""Speed, correlation with human judgement, and calibration of the bundled embedders.

    python benchmarks/embedders.py [use] [minilm] [hashing] [openai:MODEL:DIMENSION]

Data come from GRAPHMEM_DATA or ../shared/data beside the checkout; without them only the pairs that
ship with the tests are used. Prints the knots that embedders/calibration.py would fit: those in the
embedders' modules are these, rounded. A model that knows English alone is fitted on English pairs alone,
and measured on all. Run with OPENBLAS_NUM_THREADS=1 for figures of one thread.
"""

from __future__ import annotations

import csv
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from graphmem.embedders.calibration import SAME_SITUATION, fitted
from graphmem.embedders.hashing import HashingEmbedder
from graphmem.embedders.minilm import MiniLMEmbedder
from graphmem.embedders.openai import OpenAIEmbedder
from graphmem.embedders.use import UseEmbedder
from graphmem.ports.embedder import Embedder

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("GRAPHMEM_DATA", ROOT.parent / "shared" / "data"))
ENGLISH_ALONE = {"minilm"}
OWN = ROOT / "tests" / "unit" / "embedders"
SITUATIONS = (OWN / "situations.jsonl", OWN / "near_misses.jsonl")


@dataclass
class Pairs:
    """Sentence pairs of one source, with judgements of 0 (unrelated) to 5 (same meaning)."""

    name: str
    left: list[str] = field(default_factory=list)
    right: list[str] = field(default_factory=list)
    judged: list[float] = field(default_factory=list)

    def add(self, left: str, right: str, judged: float) -> None:
        """Append a pair."""
        self.left.append(left)
        self.right.append(right)
        self.judged.append(judged)


def klue() -> Pairs:
    """KLUE STS, development part: Korean."""
    pairs = Pairs("klue-sts")
    for row in json.loads((DATA / "klue" / "klue-sts-v1.1_dev.json").read_text(encoding="utf-8")):
        pairs.add(row["sentence1"], row["sentence2"], row["labels"]["real-label"])
    return pairs


def kor_sts() -> Pairs:
    """KorSTS, development part: Korean."""
    pairs = Pairs("kor-sts")
    with (DATA / "kor-nlu" / "sts-dev.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            pairs.add(row["sentence1"], row["sentence2"], float(row["score"]))
    return pairs


def situations(language: str) -> Pairs:
    """This project's own pairs: a situation, the same in other words, and another on the same subject."""
    pairs = Pairs(f"own-{language}")
    for line in (line for file in SITUATIONS for line in file.read_text(encoding="utf-8").splitlines()):
        row = json.loads(line)
        if row["language"] == language:
            pairs.add(row["text"], row["same"], 5.0)
            pairs.add(row["text"], row["related"], 2.0)
    return pairs


def sources() -> Iterator[Pairs]:
    """All pairs that are there."""
    for name, read in (("klue", klue), ("kor-nlu", kor_sts)):
        if (DATA / name).is_dir():
            yield read()
        else:
            print(f"{name}: no data at {DATA}, left out")
    yield situations("en")
    yield situations("ko")


@dataclass(frozen=True)
class Cosines:
    """Cosines of one source's pairs under one embedder."""

    all: np.ndarray
    unrelated: np.ndarray
    related: np.ndarray
    same: np.ndarray


def cosines(embedder: Embedder, pairs: Pairs) -> Cosines:
    """Embed both sides; unrelated pairs are each left side with a right side far away in the list."""
    left, right = embedder.embed(pairs.left), embedder.embed(pairs.right)
    judged = np.array(pairs.judged)
    found = (left * right).sum(axis=1)
    shifted = (left * np.roll(right, len(right) // 2 + 1, axis=0)).sum(axis=1)
    return Cosines(found, shifted, found[judged < 3], found[judged >= 4])


def shares(calibrate: Callable[[float], float], found: Cosines) -> str:
    """Share of each kind of pair that the common scale calls the same situation."""
    parts = []
    for name in ("same", "related", "unrelated"):
        values = np.array([calibrate(float(cosine)) for cosine in getattr(found, name)])
        parts.append(f"{name} {np.mean(values >= SAME_SITUATION):.2f}")
    return ", ".join(parts)


def speed(embedder: Embedder, texts: list[str]) -> float:
    """Seconds for 1,000 sentences, the model loaded."""
    batch = (texts * (1000 // len(texts) + 1))[:1000]
    embedder.embed(batch[:10])
    start = time.perf_counter()
    embedder.embed([f"{text} {number}" for number, text in enumerate(batch)])
    return time.perf_counter() - start


def measure(embedder: Embedder, all_pairs: list[Pairs]) -> None:
    """Print all figures of one embedder."""
    found = {pairs.name: cosines(embedder, pairs) for pairs in all_pairs}
    known = [c for name, c in found.items() if name == "own-en" or embedder.spec.name not in ENGLISH_ALONE]
    pooled = [np.concatenate([getattr(c, kind) for c in known]) for kind in ("unrelated", "related", "same")]
    calibration = fitted(*(kind.tolist() for kind in pooled))
    print(f"\n{embedder.spec.name}: {embedder.spec.dimension} dimensions, knots {calibration.knots}")
    for pairs in all_pairs:
        at = found[pairs.name]
        correlation = np.corrcoef(at.all, pairs.judged)[0, 1]
        print(
            f"  {pairs.name:10} pearson {correlation:.3f} · 1,000 sentences {speed(embedder, pairs.left):.2f} s",
            end=" · ",
        )
        print(f"median same {np.median(at.same):.2f}, related {np.median(at.related):.2f}, unrelated", end=" ")
        print(f"{np.median(at.unrelated):.2f}\n  {'':10} at 0.7, fitted: {shares(calibration, at)}")
        print(f"  {'':10} at 0.7, shipped: {shares(embedder.calibrate, at)}")


def chosen(name: str) -> Embedder:
    """The embedder of a command-line argument."""
    if name == "use":
        return UseEmbedder()
    if name == "minilm":
        return MiniLMEmbedder()
    if name == "hashing":
        return HashingEmbedder()
    _, model, dimension = name.split(":")
    return OpenAIEmbedder(model, int(dimension))


if __name__ == "__main__":
    everything = list(sources())
    for argument in sys.argv[1:] or ["use", "hashing"]:
        measure(chosen(argument), everything)
