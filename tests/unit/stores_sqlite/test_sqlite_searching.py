"""Search where more matches than is ranked, and filters that let few of many pass."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from graphmem.graph.records import And, Equals, Missing, NodeRecord, Range
from graphmem.graph.tokens import query_tokens, tokens
from graphmem.ports.embedder import EmbedderSpec
from graphmem.stores.sqlite import lexical
from graphmem.stores.sqlite.store import TENANTS_IN_MEMORY, SqliteStore
from graphmem.stores.sqlite.tenant import SqliteTenant
from graphmem.testing.builders import memory, refs, tree
from graphmem.testing.reference import ReferenceGraph

ROWS = 3000
WORDS = [f"word{index}" for index in range(300)] + ["환불", "배송", "교환"]


@pytest.fixture(scope="module")
def records() -> list[NodeRecord]:
    chance, numbers = random.Random(1), np.random.default_rng(1)
    weights = [1 / (rank + 1) for rank in range(len(WORDS))]
    return [
        memory(
            f"m{index:05}",
            " ".join(chance.choices(WORDS, weights, k=chance.randrange(1, 25))),
            user_id=f"user-{index % 100}",
            kind="lesson" if index % 1000 == 7 else "fact",
            vector=numbers.normal(size=8).astype(np.float32),
        )
        for index in range(ROWS)
    ]


@pytest.fixture(scope="module")
def graph(records: list[NodeRecord], tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteTenant]:
    path: Path = tmp_path_factory.mktemp("searching") / "store.db"
    store = SqliteStore(path, embedder=EmbedderSpec("searching", 8))
    graph = store.tenant("acme")
    with graph.transaction() as tx:
        tx.save_nodes(records)
    yield graph
    store.close()


@pytest.fixture(scope="module")
def reference(records: list[NodeRecord]) -> ReferenceGraph:
    reference = ReferenceGraph()
    reference.save_nodes(records)
    return reference


@pytest.mark.parametrize("seed", range(8))
def test_the_best_of_many_matches_are_nearly_those_of_ranking_all(
    graph: SqliteTenant, reference: ReferenceGraph, seed: int
) -> None:
    query = query_tokens(" ".join(random.Random(seed).choices(WORDS, k=6)))
    found = [hit.record.ref for hit in graph.search(["Memory"], query)]
    wanted = [hit.record.ref for hit in reference.search(["Memory"], query)]
    assert len(found) == len(wanted)
    assert len(set(found) & set(wanted)) >= 8
    assert found[0] == wanted[0]


def test_a_word_that_most_nodes_hold_still_fills_the_answer(
    graph: SqliteTenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lexical, "POSTINGS", 500)
    assert len(graph.search(["Memory"], ["word0"], limit=50)) == 50
    few = graph.search(["Memory"], ["word0", "word1"], {"Memory": Equals("kind", "lesson")}, limit=10)
    holders = [
        record
        for record in graph.scan("Memory", Equals("kind", "lesson")).records
        if {"word0", "word1"} & set(str(record.properties["search_text"]).split())
    ]
    assert {hit.record.id for hit in few} == {record.id for record in holders}


@pytest.mark.parametrize(
    "where",
    [
        Equals("kind", "lesson"),
        Equals("user_id", "user-42"),
        And((Equals("user_id", "user-42"), Range("id", "m02000"))),
        Equals("kind", "nothing"),
        Missing("user_id"),
        Range("id", "m00100", "m02900"),
    ],
    ids=str,
)
def test_filters_that_let_few_or_many_pass_give_what_a_plain_computation_gives(
    graph: SqliteTenant, reference: ReferenceGraph, where: Equals
) -> None:
    query = np.random.default_rng(5).normal(size=8).astype(np.float32)
    for limit in (1, 10, 200):
        found = [hit.record.id for hit in graph.nearest("Memory", query, where, limit=limit)]
        assert found == [hit.record.id for hit in reference.nearest("Memory", query, where, limit=limit)]
    by_words = graph.search(["Memory"], tokens("word3 환불"), {"Memory": where}, limit=200)
    wanted = reference.search(["Memory"], tokens("word3 환불"), {"Memory": where}, limit=200)
    assert len(by_words) == len(wanted)
    assert [hit.score for hit in by_words[:20]] == pytest.approx([hit.score for hit in wanted[:20]])


@pytest.fixture(scope="module")
def experiences(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[SqliteTenant, ReferenceGraph]]:
    """Episodes of which most are alike in outcome, domain or user, on the store and in the reference."""
    numbers = np.random.default_rng(2)
    trees = [
        tree(
            f"e{index:04}",
            steps=0,
            outcome="failure" if index % 100 == 3 else "success",
            domain="배송" if index % 150 == 4 else "support",
            user_id="bora" if index % 90 == 5 else "ada",
            vector=numbers.normal(size=8).astype(np.float32),
        )
        for index in range(1200)
    ]
    store = SqliteStore(tmp_path_factory.mktemp("experiences") / "store.db", embedder=EmbedderSpec("searching", 8))
    graph, reference = store.tenant("acme"), ReferenceGraph()
    reference.save_trees(trees)
    with graph.transaction() as tx:
        tx.save_trees(trees)
    yield graph, reference
    store.close()


@pytest.mark.parametrize("outcome", [None, "failure", "success"])
@pytest.mark.parametrize("domain", [None, "배송", "support", "nothing"])
@pytest.mark.parametrize("user", [None, "bora", "ada"])
def test_episodes_under_any_filter_are_those_of_a_plain_computation(
    experiences: tuple[SqliteTenant, ReferenceGraph], outcome: str | None, domain: str | None, user: str | None
) -> None:
    graph, reference = experiences
    named = {"outcome": outcome, "domain": domain, "user_id": user}
    where = And(
        (Equals("state", "closed"), *(Equals(name, value) for name, value in named.items() if value is not None))
    )
    query = np.random.default_rng(6).normal(size=8).astype(np.float32)
    for limit in (3, 200):
        found = [hit.record.id for hit in graph.nearest("Episode", query, where, limit=limit)]
        assert found == [hit.record.id for hit in reference.nearest("Episode", query, where, limit=limit)]


def test_many_changes_of_vectors_are_followed(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store.db", embedder=EmbedderSpec("searching", 8))
    graph, reference = store.tenant("acme"), ReferenceGraph()
    chance, numbers = random.Random(2), np.random.default_rng(2)
    for turn in range(30):
        chosen = chance.sample(range(60), 20)
        saved = [
            memory(f"m{i}", content_hash=f"{turn}", vector=numbers.normal(size=8).astype(np.float32))
            for i in chosen
        ]
        gone = refs("Memory", *(f"m{i}" for i in chance.sample(range(60), 10)))
        with graph.transaction() as tx:
            tx.save_nodes(saved)
            tx.remove_nodes(gone)
        reference.save_nodes(saved)
        reference.remove_nodes(gone)
        query = numbers.normal(size=8).astype(np.float32)
        found = graph.nearest("Memory", query, limit=60)
        wanted = reference.nearest("Memory", query, limit=60)
        assert [hit.record.id for hit in found] == [hit.record.id for hit in wanted]
        assert [hit.score for hit in found] == pytest.approx([hit.score for hit in wanted], abs=1e-5)
    store.close()


@pytest.mark.parametrize("character", ["🫨", "\ue000", "𓀀", "ꙮ", "\u0378", "é", "́a", "각", "٣", "€", "\u200d"])
def test_whatever_the_tokeniser_lets_through_is_found(tmp_path: Path, character: str) -> None:
    store = SqliteStore(tmp_path / "store.db")
    graph = store.tenant("acme")
    text = f"x{character}y {character} {character}{character}"
    with graph.transaction() as tx:
        tx.save_nodes([memory("m1", text), memory("m2", "other")])
    for token in tokens(text):
        assert [hit.record.id for hit in graph.search(["Memory"], [token])] == ["m1"]
    store.close()


def test_the_vectors_of_tenants_used_long_ago_are_let_go(tmp_path: Path) -> None:
    with_vectors = SqliteStore(tmp_path / "store.db", embedder=EmbedderSpec("searching", 8))
    first = with_vectors.tenant("t0")
    assert with_vectors.tenant("t0") is first
    for index in range(1, TENANTS_IN_MEMORY + 1):
        with_vectors.tenant(f"t{index}")
    again = with_vectors.tenant("t0")
    assert again is not first
    with first.transaction() as tx:
        tx.save_nodes([memory("m1", vector=np.ones(8, np.float32))])
    assert [hit.record.id for hit in again.nearest("Memory", np.ones(8, np.float32))] == ["m1"]
    with_vectors.close()
