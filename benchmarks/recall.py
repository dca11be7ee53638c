"""Speed and quality of recall, query embedding included: one command.

    python benchmarks/recall.py [--count 10000 100000] [--weights 0 0.35 0.7] [speed] [neo4j] [english] [korean]

speed     recall p50 and p95 over that many memories of one tenant, in elapsed and in processor time
neo4j     the same on a Neo4j 2026 that is started for it (or --uri, which is EMPTIED)
english   share of the evidence within the first 5 and 10: LoCoMo, each conversation a tenant
korean    share of the paragraphs found first and within 10: KorQuAD

The evaluation data is looked for in GRAPHMEM_DATA, else in ../shared/data beside the checkout; what is
absent is left out. `--weights` are weights of likeness beside 1 minus it for words; without them the
default recipe ranks. Embedding the data takes most of the time.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice, product
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import graphmem
from conditions import conditions
from graphmem.graph.mapping.memory import memory_record
from graphmem.graph.records import NodeRecord
from graphmem.memory import GraphMemory
from graphmem.models.memories import Fact, Lesson, Preference
from graphmem.ports.embedder import EmbedderSpec, Vectors
from graphmem.recall.recipes import DEFAULT_RECIPE, RecallRecipe, Weights
from throwaway import emptied, server

DATA = Path(os.environ.get("GRAPHMEM_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
ADVERSARIAL = 5
"""LoCoMo's category of questions without an answer."""
KOREAN_QUESTIONS = 300
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
USERS = 20
WORDS = ["".join(parts) for parts in product("bdgklmnprst", "aeiou", "bdgklmnprst", "aeiou", "n")]
COMMONNESS = [1 / (place + 1) ** 0.8 for place in range(len(WORDS))]
"""Of the words, as in natural text."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """What is remembered by one tenant, and which of it answers which question."""

    tenant: str
    messages: list[dict[str, Any]]
    questions: list[tuple[str, set[str]]]


class Unasked:
    """Stands for the default embedder while a store is filled with random vectors: that takes no model."""

    spec = EmbedderSpec("use", 512)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Not used: the records bring their vectors."""
        raise NotImplementedError

    def calibrate(self, cosine: float) -> float:
        """Not used: the queries are embedded by the real one."""
        raise NotImplementedError


def random_memories(count: int) -> Iterator[NodeRecord]:
    """Memories of 15 words, of three kinds and 20 users, with vectors of length 1."""
    chance, numbers = random.Random(1), np.random.default_rng(7)
    kinds = (Fact, Preference, Lesson)
    for number in range(count):
        text = " ".join(chance.choices(WORDS, COMMONNESS, k=15))
        said = BEGIN + timedelta(seconds=number)
        memory = kinds[number % 3](id=f"m{number}", text=text, user_id=f"user{number % USERS}", at=said)
        row = numbers.standard_normal(Unasked.spec.dimension).astype(np.float32)
        yield memory_record(memory, said, row / np.linalg.norm(row))


def fill(store: Callable[..., GraphMemory], count: int) -> None:
    """Write the memories in large batches."""
    with store(embedder=Unasked()) as memory:
        graph, rest = memory.workspace.graph, random_memories(count)
        while batch := list(islice(rest, 2000)):
            with graph.transaction() as transaction:
                transaction.save_nodes(batch)


def measure_speed(store: Callable[..., GraphMemory], what: str, count: int, queries: int) -> None:
    """Print recall's times over the whole tenant, and over what one of its users sees."""
    fill(store, count)
    for user in (None, "user3"):
        with store(user=user) as memory:
            seen = f"one of {USERS} users" if user else "all"
            print(f"recall over {count:,} memories on {what}, {seen}: {_times(memory, queries)}")


def _times(memory: GraphMemory, queries: int) -> str:
    chance = random.Random(2)
    begin = time.perf_counter()
    memory.recall("the first one loads model and vectors")
    first = time.perf_counter() - begin
    walls, cpus = [], []
    for _ in range(queries):
        text = " ".join(chance.choices(WORDS, k=6))
        wall, cpu = time.perf_counter(), time.process_time()
        memory.recall(text)
        walls.append(1000 * (time.perf_counter() - wall))
        cpus.append(1000 * (time.process_time() - cpu))
    shown = [f"the first {first:.1f} s"]
    for name, times in (("elapsed", sorted(walls)), ("processor", sorted(cpus))):
        middle, slow = times[len(times) // 2], times[int(len(times) * 0.95)]
        shown.append(f"{name} p50 {middle:.1f} ms p95 {slow:.1f} ms")
    return ", ".join(shown)


def measure_quality(
    folder: Path, corpora: Sequence[Corpus], ranks: Sequence[int], weights: Sequence[float]
) -> None:
    """Print the mean share of the evidence within the first ranks, a line a recipe."""
    path = folder / "quality.db"
    for corpus in corpora:
        with graphmem.open(path, tenant=corpus.tenant) as memory:
            memory.messages.add_many(corpus.messages)
    for recipe in [weighted(weight) for weight in weights] or [DEFAULT_RECIPE]:
        found = dict.fromkeys(ranks, 0.0)
        count = 0
        for corpus in corpora:
            with graphmem.open(path, tenant=corpus.tenant) as memory:
                for question, evidence in corpus.questions:
                    answer = memory.recall(question, limit=max(ranks), kinds=["message"], recipe=recipe)
                    ids = [item.id for item in answer]
                    count += 1
                    for rank in ranks:
                        found[rank] += len(evidence & set(ids[:rank])) / len(evidence)
        shares = ", ".join(f"R@{rank} {total / count:.3f}" for rank, total in found.items())
        print(f"{recipe.name}: {shares} of {count} questions")


def weighted(likeness: float) -> RecallRecipe:
    """A recipe with this weight of likeness, for every script."""
    weights = Weights(lexical=1 - likeness, similarity=likeness)
    return RecallRecipe(name=f"likeness {likeness}", spaced=weights, unspaced=weights)


def locomo() -> Iterator[Corpus]:
    """Conversations with their questions, those without an answer left out."""
    path = DATA / "locomo" / "locomo-5.json"
    if not path.exists():
        print(f"left out: no {path.name} in the evaluation data")
        return
    for sample in json.loads(path.read_text("utf-8")):
        messages = list(_turns(sample["conversation"]))
        known = {message["id"] for message in messages}
        asked = [
            (question["question"], set(re.findall(r"D\d+:\d+", " ".join(question["evidence"]))) & known)
            for question in sample["qa"]
            if question["category"] != ADVERSARIAL
        ]
        yield Corpus(sample["sample_id"], messages, [(text, evidence) for text, evidence in asked if evidence])


def _turns(conversation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    sessions = sorted(
        (name for name in conversation if re.fullmatch(r"session_\d+", name)), key=lambda n: int(n[8:])
    )
    for session in sessions:
        said = datetime.strptime(conversation[f"{session}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for place, turn in enumerate(conversation[session]):
            caption = f" [image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            yield {
                "id": turn["dia_id"],
                "text": turn["text"] + caption,
                "speaker": turn["speaker"],
                "session": session,
                "at": said + timedelta(seconds=20 * place),
            }


def korquad() -> Iterator[Corpus]:
    """All paragraphs as one tenant, with some of the questions."""
    path = DATA / "korquad" / "KorQuAD_v1.0_dev.json"
    if not path.exists():
        print(f"left out: no {path.name} in the evaluation data")
        return
    messages: list[dict[str, Any]] = []
    questions: list[tuple[str, set[str]]] = []
    for article in json.loads(path.read_text("utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            name = f"p{len(messages)}"
            messages.append({"id": name, "text": paragraph["context"], "at": BEGIN})
            questions += [(question["question"], {name}) for question in paragraph["qas"]]
    random.Random(0).shuffle(questions)
    yield Corpus("korquad", messages, questions[:KOREAN_QUESTIONS])


def measure_neo4j(uri: str | None, counts: Sequence[int], queries: int) -> None:
    """Print recall's times on a server, emptied before each size."""
    with server(uri) as (address, password):
        for count in counts:
            agent = emptied(address, password)
            opened = partial(graphmem.open, address, auth=("neo4j", password))
            measure_speed(opened, agent, count, queries)


def main() -> None:
    """Measure what was asked for, by default everything."""
    parser = argparse.ArgumentParser(description="Speed and quality of recall.")
    parser.add_argument("what", nargs="*", choices=["speed", "neo4j", "english", "korean"], default=[])
    parser.add_argument("--count", type=int, nargs="+", default=[10_000, 100_000], help="Memories of the tenant.")
    parser.add_argument("--queries", type=int, default=100, help="Queries that are timed.")
    parser.add_argument("--weights", type=float, nargs="+", default=[], help="Weights of likeness to compare.")
    parser.add_argument("--uri", help="A Neo4j to empty and use; password in NEO4J_PASSWORD.")
    given = parser.parse_args()
    print(conditions())
    what = given.what or ["speed", "english", "korean"]
    with tempfile.TemporaryDirectory() as folder:
        for count in given.count if "speed" in what else ():
            path = Path(folder) / f"speed-{count}.db"
            measure_speed(partial(graphmem.open, path), "SQLite", count, given.queries)
        if "neo4j" in what:
            measure_neo4j(given.uri, given.count, given.queries)
        if "english" in what and (corpora := list(locomo())):
            measure_quality(Path(folder), corpora, (5, 10), given.weights)
        if "korean" in what and (corpora := list(korquad())):
            measure_quality(Path(folder), corpora, (1, 10), given.weights)


if __name__ == "__main__":
    main()
