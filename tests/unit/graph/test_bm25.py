from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.graph.bm25 import CorpusCounts, most_selective, rank
from graphmem.graph.records import NodeRef
from graphmem.graph.tokens import query_tokens, search_text

VOCABULARY = ["a", "b", "c", "가", "나"]
documents = st.lists(st.lists(st.sampled_from(VOCABULARY), max_size=8), min_size=1, max_size=8)
queries = st.lists(st.sampled_from([*VOCABULARY, "z"]), max_size=6)


def counts_of(corpus: list[list[str]]) -> CorpusCounts:
    return CorpusCounts(
        documents=len(corpus),
        average_length=sum(map(len, corpus)) / len(corpus),
        frequency={token: sum(token in document for document in corpus) for token in VOCABULARY},
    )


def textbook_score(query: list[str], document: list[str], corpus: list[list[str]]) -> float:
    """The formula written out a second time, over the raw corpus."""
    total = 0.0
    mean = sum(map(len, corpus)) / len(corpus)
    for token in set(query):
        holders = len([d for d in corpus if token in d])
        tf = document.count(token)
        if tf == 0:
            continue
        idf = math.log((len(corpus) - holders + 0.5) / (holders + 0.5) + 1)
        total += idf * (tf * 2.2) / (tf + 1.2 * (0.25 + 0.75 * len(document) / mean))
    return total


def named(corpus: list[list[str]]) -> list[tuple[NodeRef, str]]:
    return [(NodeRef("Message", f"m{i}"), " ".join(document)) for i, document in enumerate(corpus)]


@given(documents, queries)
def test_scores_are_those_of_the_textbook(corpus: list[list[str]], query: list[str]) -> None:
    ranked = dict(rank(query, named(corpus), counts_of(corpus)))
    for i, document in enumerate(corpus):
        expected = textbook_score(query, document, corpus)
        assert ranked.get(NodeRef("Message", f"m{i}"), 0.0) == pytest.approx(expected)


@given(documents, queries, st.randoms(use_true_random=False), st.integers(1, 5))
def test_order_depends_on_nothing_but_the_documents(
    corpus: list[list[str]], query: list[str], chance: random.Random, limit: int
) -> None:
    candidates = named(corpus)
    ranked = rank(query, candidates, counts_of(corpus))
    chance.shuffle(candidates)
    assert rank(query, candidates, counts_of(corpus)) == ranked
    assert rank(query, candidates, counts_of(corpus), limit) == ranked[:limit]
    assert ranked == sorted(ranked, key=lambda hit: (-hit[1], hit[0].label, hit[0].id))


def test_equal_documents_are_ordered_by_label_and_id() -> None:
    candidates = [(NodeRef(label, id_), "a") for label, id_ in [("B", "1"), ("A", "2"), ("A", "10")]]
    ranked = rank(["a"], candidates, CorpusCounts(3, 1.0, {"a": 3}))
    assert [(ref.label, ref.id) for ref, _ in ranked] == [("A", "10"), ("A", "2"), ("B", "1")]


def test_a_token_that_every_document_holds_still_counts_for_something() -> None:
    assert rank(["a"], [(NodeRef("A", "1"), "a")], CorpusCounts(1, 1.0, {"a": 1}))[0][1] > 0


@pytest.mark.parametrize(
    "counts", [CorpusCounts(0, 0.0, {}), CorpusCounts(1, 1.0, {"a": 50}), CorpusCounts(5, 2.0, {})]
)
def test_counts_that_lag_behind_the_documents_do_no_harm(counts: CorpusCounts) -> None:
    [(_, score)] = rank(["a"], [(NodeRef("A", "1"), "a b")], counts)
    assert math.isfinite(score)
    assert score > 0


def test_no_tokens_no_hits() -> None:
    assert rank([], named([["a"]]), counts_of([["a"]])) == []


def test_rare_words_decide_in_korean_too() -> None:
    texts = ["환불을 요청했다", "결제 오류가 났다", "결제를 요청했다"]
    corpus = [search_text(text).split() for text in texts]
    query = query_tokens("결제 오류")
    counts = CorpusCounts(3, 4.0, {token: sum(token in d for d in corpus) for token in query})
    assert [ref.id for ref, _ in rank(query, named(corpus), counts)] == ["m1", "m2"]


def test_the_rarest_tokens_are_kept_in_the_order_of_the_query() -> None:
    assert most_selective(["a", "b", "c", "b", "d"], {"a": 9, "b": 2, "c": 1, "d": 2, "e": 1}, limit=2) == [
        "b",
        "c",
    ]


def test_tokens_that_nobody_holds_are_left_out() -> None:
    assert most_selective(["x", "a", "y"], {"a": 1, "y": 0}) == ["a"]
