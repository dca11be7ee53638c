"""Re-embedding: new vectors beside the old ones, resumed where it stopped, switched at once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from graphmem.embedders.hashing import HashingEmbedder
from graphmem.errors import ConflictError, EmbeddingError
from graphmem.ports.embedder import EmbedderSpec, Vectors
from graphmem.stores.sqlite.store import SqliteStore
from graphmem.transfer.reembedding import reembed_store
from transferring import import_lines, sqlite_workspace

AT = "2026-03-01T09:00:00Z"


class OtherEmbedder(HashingEmbedder):
    """Other vectors of the same length, which fails after a number of texts."""

    spec = EmbedderSpec(name="other", dimension=HashingEmbedder.spec.dimension)

    def __init__(self, fails_after: int = 10_000) -> None:
        self.left = fails_after

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.left -= len(texts)
        if self.left < 0:
            raise EmbeddingError("the model is gone")
        return super().embed([text[::-1] for text in texts])


def fill(path: Path) -> None:
    for tenant in ("acme", "other"):
        workspace = sqlite_workspace(path, tenant=tenant, embedder=HashingEmbedder())
        messages = [{"type": "message", "id": f"m{n}", "text": f"메시지 {n}", "at": AT} for n in range(250)]
        import_lines(workspace, *messages, {"type": "episode", "id": "e", "goal": "환불", "steps": []})


def test_every_tenant_moves_to_the_new_embedder(tmp_path: Path) -> None:
    fill(tmp_path / "a.db")
    store = SqliteStore(tmp_path / "a.db", embedder=OtherEmbedder.spec)
    seen: list[tuple[str, int]] = []
    embedded = reembed_store(store, OtherEmbedder(), progress=lambda label, count: seen.append((label, count)))
    # each tenant's messages are one conversation beside its episode
    assert embedded == {"Episode": 4, "Message": 500}
    assert sum(count for _, count in seen) == 504
    assert (store.info().embedder, store.info().reembedding) == (OtherEmbedder.spec, None)
    (query,) = OtherEmbedder().embed(["메시지 17"])
    (hit,) = store.tenant("acme").nearest("Message", query, limit=1)
    assert hit.record.id == "m17"
    assert hit.score == pytest.approx(1)


def test_it_goes_on_where_it_stopped_and_recall_works_meanwhile(tmp_path: Path) -> None:
    fill(tmp_path / "a.db")
    store = SqliteStore(tmp_path / "a.db", embedder=HashingEmbedder.spec)
    with pytest.raises(EmbeddingError):
        reembed_store(store, OtherEmbedder(fails_after=300))
    (query,) = HashingEmbedder().embed(["메시지 17"])
    assert store.tenant("acme").nearest("Message", query, limit=1)[0].record.id == "m17"
    embedded = reembed_store(store, OtherEmbedder())
    assert 0 < sum(embedded.values()) < 502
    assert store.info().embedder == OtherEmbedder.spec


def test_what_others_write_meanwhile_is_embedded_before_the_switch(tmp_path: Path) -> None:
    fill(tmp_path / "a.db")
    store = SqliteStore(tmp_path / "a.db", embedder=OtherEmbedder.spec)
    late = [{"type": "message", "id": "a-late-one", "text": "늦은 메시지", "at": AT}]

    def write(label: str, count: int) -> None:
        if label == "Message" and late:
            assert count
            import_lines(sqlite_workspace(tmp_path / "a.db", embedder=HashingEmbedder()), late.pop())

    assert reembed_store(store, OtherEmbedder(), progress=write)["Message"] == 501
    assert store.info().embedder == OtherEmbedder.spec


def test_it_gives_up_when_others_write_faster(tmp_path: Path) -> None:
    fill(tmp_path / "a.db")
    store = SqliteStore(tmp_path / "a.db", embedder=OtherEmbedder.spec)
    workspace = sqlite_workspace(tmp_path / "a.db", embedder=HashingEmbedder())
    numbers = iter(range(99, 0, -1))

    def write(_label: str, _count: int) -> None:
        import_lines(workspace, {"type": "message", "id": f"a{next(numbers):02}", "text": "x", "at": AT})

    with pytest.raises(ConflictError):
        reembed_store(store, OtherEmbedder(), progress=write)
    assert store.info().reembedding == OtherEmbedder.spec
