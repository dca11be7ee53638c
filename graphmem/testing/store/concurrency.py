"""Contract: transactions are whole or not at all, versions grow, threads and handles agree."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from graphmem.graph.records import NodeRef, Vector
from graphmem.graph.tokens import tokens
from graphmem.ports.embedder import EmbedderSpec
from graphmem.ports.graph_store import GraphStore, TenantGraph
from graphmem.testing.builders import concept, edge, memory, refs, tree
from graphmem.testing.store.fixtures import OpenStore, StoreFixtures, save

WRITERS = 4


class ConcurrencyContract(StoreFixtures):
    """`transaction`, `version`, and use from several threads."""

    def test_an_exception_rolls_everything_back(self, graph: TenantGraph) -> None:
        save(graph, memory("kept", "refund"))
        version = graph.version()

        def fail() -> None:
            with graph.transaction() as tx:
                tx.save_nodes([concept("c"), memory("kept", "exchange", content_hash="hash-2")])
                tx.save_trees([tree("e")])
                tx.save_edges([edge("ABOUT", NodeRef("Memory", "kept"), NodeRef("Concept", "c"))])
                tx.set_properties("Memory", [("kept", {"why": "x"})])
                tx.remove_nodes(refs("Memory", "kept"))
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()
        assert [graph.count(label) for label in ("Concept", "Episode", "Step", "Memory")] == [0, 0, 0, 1]
        assert [hit.record.id for hit in graph.search(["Memory"], tokens("refund"))] == ["kept"]
        assert graph.search(["Memory", "Episode"], tokens("exchange goal")) == []
        assert graph.version() == version

    def test_nothing_is_seen_before_the_commit(self, graph: TenantGraph) -> None:
        with graph.transaction() as tx:
            tx.save_nodes([memory("m", "refund")])
            assert graph.count("Memory") == 0
            assert graph.search(["Memory"], ["refund"]) == []
        assert graph.count("Memory") == 1

    def test_the_version_grows_with_every_write(
        self, graph: TenantGraph, store: GraphStore, vector: Callable[..., Vector]
    ) -> None:
        versions = [graph.version()]

        def note() -> None:
            versions.append(graph.version())

        save(graph, memory("m", user_id="ada"), concept("c"))
        note()
        save(graph, edge("ABOUT", NodeRef("Memory", "m"), NodeRef("Concept", "c")))
        note()
        with graph.transaction() as tx:
            tx.set_properties("Memory", [("m", {"why": "x"})])
        note()
        graph.save_vectors("Memory", [("m", vector(1))])
        note()
        with store.tenant(graph.tenant).transaction() as tx:
            tx.save_trees([tree("e")])
        note()
        with graph.transaction() as tx:
            tx.remove_nodes(refs("Episode", "e"))
        note()
        graph.erase("ada")
        note()
        graph.erase()
        note()
        save(graph, memory("m"))
        note()
        assert versions == sorted(set(versions))

    def test_two_handles_see_each_others_writes(
        self,
        graph: TenantGraph,
        open_store: OpenStore,
        spec: EmbedderSpec,
        vector: Callable[..., Vector],
    ) -> None:
        other = open_store(spec).tenant(graph.tenant)
        for handle, name in ((graph, "a"), (other, "b"), (graph, "c")):
            save(handle, memory(name, f"refund {name}", vector=vector(1)))
            for reader in (graph, other):
                found = [record.id for record in reader.scan("Memory").records]
                assert [hit.record.id for hit in reader.nearest("Memory", vector(1))] == found
                assert sorted(hit.record.id for hit in reader.search(["Memory"], ["refund"])) == found
        assert graph.version() == other.version()
        with other.transaction() as tx:
            tx.remove_nodes(refs("Memory", "b"))
        assert [hit.record.id for hit in graph.nearest("Memory", vector(1))] == ["a", "c"]

    def test_threads_write_and_read_at_once(self, graph: TenantGraph, vector: Callable[..., Vector]) -> None:
        def write(writer: int) -> None:
            for index in range(5):
                with graph.transaction() as tx:
                    tx.save_nodes([memory(f"m{writer}-{index}", "refund", vector=vector(1, writer))])
                    tx.save_trees([tree(f"e{writer}-{index}", steps=2)])

        def read() -> list[tuple[int, int]]:
            seen = []
            for _ in range(10):
                graph.nearest("Memory", vector(1))
                graph.search(["Memory"], ["refund"])
                episodes = {record.id for record in graph.scan("Episode").records}
                steps = [record.properties["episode"] for record in graph.scan("Step").records]
                seen.append((sum(steps.count(episode) == 2 for episode in episodes), len(episodes)))
            return seen

        with ThreadPoolExecutor(WRITERS + 2) as pool:
            readers = [pool.submit(read) for _ in range(2)]
            for outcome in [pool.submit(write, writer) for writer in range(WRITERS)]:
                outcome.result()
            # an episode is never seen without its steps
            assert all(whole == known for reader in readers for whole, known in reader.result())
        assert (graph.count("Memory"), graph.count("Episode"), graph.count("Step")) == (20, 20, 40)
        assert len(graph.nearest("Memory", vector(1), limit=100)) == 20
        assert len(graph.search(["Memory"], ["refund"], limit=100)) == 20

    def test_writers_of_the_same_node_agree_on_one(self, graph: TenantGraph) -> None:
        def write(index: int) -> int:
            with graph.transaction() as tx:
                return len(tx.save_nodes([concept("shared"), concept(f"own-{index}")]).added)

        with ThreadPoolExecutor(WRITERS) as pool:
            added = sum(pool.map(write, range(8)))
        assert added == 1 + 8
        assert graph.count("Concept") == 9

    def test_a_closed_store_can_be_closed_again(self, open_store: OpenStore, spec: EmbedderSpec) -> None:
        store = open_store(spec)
        store.close()
        store.close()
