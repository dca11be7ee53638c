"""Contract: lexical search of one tenant, ranked by its own counts."""

from __future__ import annotations

import unicodedata

import pytest

from graphmem.errors import InvalidInputError
from graphmem.graph.records import Equals, In, NodeRef
from graphmem.graph.tokens import query_tokens, tokens
from graphmem.ports.graph_store import TenantGraph
from graphmem.testing.builders import concept, memory, node, refs
from graphmem.testing.reference import ReferenceGraph
from graphmem.testing.store.fixtures import StoreFixtures, save

HOSTILE = [
    '"',
    "'",
    "* AND NOT (",
    "search_text:refund",
    "refund~2 OR [a TO z]",
    "+refund -order",
    "^refund*",
    "NEAR(refund order, 2)",
    "{text} : refund",
    "\\",
    "refund\\:",
    "/re.*/",
    "(" * 500,
    "\x00\x01\x1f",
    "\ud800",
    " ",
    "",
    "\u200b\u2060",
    "🫨 🇰🇷",
    "x" * 5000,
    "%s %(a)s {0} $a",
]


def _found(graph: TenantGraph, query: str, *labels: str) -> list[str]:
    return [hit.record.id for hit in graph.search(labels or ("Memory",), tokens(query))]


class SearchContract(StoreFixtures):
    """`search`."""

    def test_nodes_that_hold_any_token_are_found_best_first(self, graph: TenantGraph) -> None:
        save(
            graph,
            memory("m1", "refund the order"),
            memory("m2", "order"),
            memory("m3", "nothing of the kind"),
            memory("m4", "refund order refund order"),
        )
        assert _found(graph, "refund orders") == ["m4", "m1", "m2"]
        assert _found(graph, "unheard") == []
        assert graph.search(["Memory"], []) == []

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("배송비", "m1"),
            ("환불을", "m1"),
            ("환불", "m1"),
            ("서울에서", "m2"),
            ("ORD-17을", "m2"),
            ("iPhone 15", "m3"),
            ("교환", "m3"),
        ],
    )
    def test_korean_is_found_with_and_without_particles(
        self, graph: TenantGraph, query: str, expected: str
    ) -> None:
        save(
            graph,
            memory("m1", "배송비 환불을 요청했다"),
            memory("m2", "서울로 ORD-17이 배달되었다"),
            memory("m3", "iPhone 15를 교환해 드렸습니다"),
        )
        assert _found(graph, query)[0] == expected
        decomposed = unicodedata.normalize("NFD", query)
        assert _found(graph, decomposed)[0] == expected

    def test_scores_are_those_of_the_shared_ranking(self, graph: TenantGraph) -> None:
        texts = ["a a b", "b c", "가나 다라 a", "c c c c a b", "nothing", "다라 b b"]
        records = [memory(f"m{index}", text) for index, text in enumerate(texts)]
        save(graph, *records, node("Memory", "silent"), concept("a b"))
        reference = ReferenceGraph()
        reference.save_nodes([*records, node("Memory", "silent"), concept("a b")])
        for labels in (["Memory"], ["Memory", "Concept"], ["Concept"]):
            for query in (["a"], ["b", "a"], ["다라", "zzz", "c"], ["a", "a"]):
                found, wanted = graph.search(labels, query), reference.search(labels, query)
                assert [hit.record.ref for hit in found] == [hit.record.ref for hit in wanted]
                assert [hit.score for hit in found] == pytest.approx([hit.score for hit in wanted])

    def test_labels_are_ranked_together_and_ties_go_by_label_and_id(self, graph: TenantGraph) -> None:
        save(graph, memory("b", "refund"), memory("a", "refund"), concept("z", "refund"), concept("y", "order"))
        hits = graph.search(["Memory", "Concept"], ["refund"])
        assert [hit.record.ref for hit in hits] == [NodeRef("Concept", "z"), *refs("Memory", "a", "b")]
        assert len({hit.score for hit in hits}) == 1
        assert graph.search([], ["refund"]) == []

    def test_the_filter_holds_before_the_limit(self, graph: TenantGraph) -> None:
        save(
            graph,
            *(memory(f"m{index:03}", "refund refund refund", user_id="ada") for index in range(50)),
            memory("z", "a refund among many other words", user_id="bob"),
            concept("c", "refund"),
        )
        hits = graph.search(["Memory"], ["refund"], {"Memory": Equals("user_id", "bob")}, limit=1)
        assert [hit.record.id for hit in hits] == ["z"]
        both = graph.search(["Memory", "Concept"], ["refund"], {"Memory": In("user_id", ("bob",))})
        assert {hit.record.id for hit in both} == {"z", "c"}

    def test_a_filter_changes_no_score(self, graph: TenantGraph) -> None:
        save(graph, memory("m1", "refund order", user_id="ada"), memory("m2", "refund"), memory("m3", "order"))
        plain = {hit.record.id: hit.score for hit in graph.search(["Memory"], ["refund"])}
        chosen = graph.search(["Memory"], ["refund"], {"Memory": Equals("user_id", "ada")})
        assert [(hit.record.id, hit.score) for hit in chosen] == [("m1", plain["m1"])]

    def test_the_limit_keeps_the_best(self, graph: TenantGraph) -> None:
        save(
            graph, *(memory(f"m{index:02}", "word " * index + "filler " * (20 - index)) for index in range(1, 20))
        )
        assert [hit.record.id for hit in graph.search(["Memory"], ["word"], limit=3)] == ["m19", "m18", "m17"]

    @pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
    def test_query_text_is_data(self, graph: TenantGraph, text: str) -> None:
        save(graph, memory("m1", "refund order"), memory("m2", "something else"))
        for query in (tokens(text), [text], ["refund", text]):
            found = [hit.record.id for hit in graph.search(["Memory"], query)]
            assert "m2" not in found
            assert found == ["m1"] or "refund" not in query

    def test_a_query_of_a_hundred_kilobytes_keeps_the_most_selective_tokens(self, graph: TenantGraph) -> None:
        common = [f"common{index}" for index in range(100)]
        save(graph, *(memory(f"m{index}", " ".join(common)) for index in range(3)), memory("rare", "xylograph"))
        words = [*common * 100, *tokens("xylograph")]
        assert "rare" in [hit.record.id for hit in graph.search(["Memory"], words)]
        assert _found(graph, " ".join(query_tokens("refund " * 15_000))) == []

    def test_hits_carry_the_record(self, graph: TenantGraph) -> None:
        given = memory("m1", "refund", user_id="ada")
        save(graph, given)
        (hit,) = graph.search(["Memory"], ["refund"])
        assert (hit.record.ref, dict(hit.record.properties)) == (given.ref, dict(given.properties))
        assert hit.score > 0

    def test_changed_words_replace_the_old_ones(self, graph: TenantGraph) -> None:
        save(graph, memory("m1", "refund"))
        save(graph, memory("m1", "exchange", content_hash="hash-2"))
        with graph.transaction() as tx:
            tx.set_properties("Memory", [("m1", {"why": "asked"})])
        assert (_found(graph, "refund"), _found(graph, "exchange")) == ([], ["m1"])

    def test_a_label_without_words_and_a_bad_limit_are_refused(self, graph: TenantGraph) -> None:
        for labels, limit in ((["Tool"], 10), (["Nonsense"], 10), (["Memory"], 0), (["Memory"], 10_001)):
            with pytest.raises(InvalidInputError):
                graph.search(labels, ["x"], limit=limit)
        with pytest.raises(InvalidInputError):
            graph.search(["Memory"], ["x"], {"Memory": Equals("text", "x")})
