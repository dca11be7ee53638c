"""What is erased is in no byte of the store's files any more."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from graphmem.errors import ConflictError
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef
from graphmem.graph.tokens import tokens
from graphmem.ports.embedder import EmbedderSpec
from graphmem.stores.sqlite.store import SqliteStore
from graphmem.stores.sqlite.tenant import SqliteTenant
from graphmem.testing.builders import concept, edge, memory, tree

SPEC = EmbedderSpec("erasing", 8)
CANARY = "kanarienvogel"
HANGUL = "카나리아새장"
VECTOR = np.array([1.2345678, *[0.0] * 6, -7.654321], dtype=np.float32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(path, embedder=SPEC, busy_timeout=0.2)
    yield store
    store.close()


def _raw(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(path.parent.iterdir()))


def _traces(path: Path) -> list[bytes]:
    raw = _raw(path)
    wanted = [CANARY.encode(), HANGUL.encode(), HANGUL[:2].encode(), VECTOR.tobytes()]
    return [trace for trace in wanted if trace in raw.lower()] + [VECTOR.tobytes()] * (VECTOR.tobytes() in raw)


def _plant(graph: SqliteTenant, user: str, rows: int) -> None:
    """Canaries in every field a caller fills, changed and removed in part so that pages split and merge."""
    chance = random.Random(3)
    for start in range(0, rows, 100):
        nodes: list[NodeRecord] = []
        for index in range(start, start + 100):
            filler = " ".join(chance.choices(["refund", "order", "배송", "call"], k=chance.randrange(60)))
            words = f"{CANARY}{index} {HANGUL} {filler}"
            nodes.append(
                memory(f"{CANARY}-{index}", words, user_id=user, subject_key=f"{CANARY}-key", vector=VECTOR)
            )
        with graph.transaction() as tx:
            tx.save_nodes(nodes)
            tx.save_trees(
                [
                    tree(
                        f"{CANARY}-{start}-{n}",
                        findings=[f"{CANARY}-finding"],
                        goal=f"{CANARY} {HANGUL}",
                        user_id=user,
                    )
                    for n in range(5)
                ]
            )
        with graph.transaction() as tx:
            changed = [memory(node.id, f"{CANARY} again {HANGUL}", content_hash="hash-2") for node in nodes[::7]]
            tx.save_nodes([NodeRecord(c.label, c.id, {**c.properties, "user_id": user}) for c in changed])
            tx.remove_nodes([node.ref for node in nodes[::11]])
            tx.save_edges(
                [edge("SUPERSEDES", one.ref, two.ref, evidence=[CANARY]) for one, two in pairwise(nodes[1:6])]
            )


def _others(graph: SqliteTenant, rows: int) -> None:
    with graph.transaction() as tx:
        tx.save_nodes([memory(f"m{index}", f"refund order {index} 배송", user_id="bob") for index in range(rows)])
        tx.save_nodes([concept("c1", "Order")])
        tx.save_edges([EdgeRecord("ABOUT", NodeRef("Memory", "m1"), NodeRef("Concept", "c1"))])


@pytest.mark.parametrize("whole_tenant", [True, False])
def test_no_canary_is_left_in_the_files(store: SqliteStore, path: Path, whole_tenant: bool) -> None:
    tenant = store.tenant(f"tenant-{CANARY}" if whole_tenant else "shared")
    other = store.tenant("other")
    _others(other, 300)
    if not whole_tenant:
        _others(tenant, 300)
    _plant(tenant, f"user-{CANARY}", 1000)
    assert _traces(path)
    erased = tenant.erase(None if whole_tenant else f"user-{CANARY}")
    assert erased["Memory"] > 800
    assert _traces(path) == []
    assert other.count("Memory") == 300
    assert len(other.search(["Memory"], tokens("배송"), limit=1000)) == 300
    if not whole_tenant:
        assert tenant.count("Memory") == 300


def test_what_a_reader_keeps_in_the_log_is_told_and_erased_when_it_is_gone(store: SqliteStore, path: Path) -> None:
    graph = store.tenant("acme")
    _plant(graph, "ada", 100)
    reader = SqliteStore(path, embedder=SPEC)
    with reader._connections.reading() as session:
        session.rows("test", "SELECT count(*) FROM node")
        with pytest.raises(ConflictError, match="again"):
            graph.erase("ada")
        assert graph.count("Memory") == 0
    graph.erase("ada")
    assert _traces(path) == []
    reader.close()


def test_a_finished_re_embedding_leaves_none_of_the_old_vectors(store: SqliteStore, path: Path) -> None:
    graph = store.tenant("acme")
    with graph.transaction() as tx:
        tx.save_nodes([memory("m1", "refund", vector=VECTOR)])
    store.begin_reembedding(EmbedderSpec("next", 8))
    graph.save_vectors("Memory", [("m1", np.ones(8, np.float32))])
    store.finish_reembedding()
    reopened = SqliteStore(path)
    reopened.tenant("acme").erase("nobody")
    reopened.close()
    assert VECTOR.tobytes() not in _raw(path)
