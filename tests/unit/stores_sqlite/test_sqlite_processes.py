"""Several processes on one file: writers take turns, readers follow, a killed one leaves nothing half."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from graphmem.ports.embedder import EmbedderSpec
from graphmem.stores.sqlite.store import SqliteStore
from graphmem.testing.builders import memory, refs, tree
from graphmem.testing.store.fixtures import save

SPEC = EmbedderSpec("processes", 4)

_PRELUDE = """
import sys
import numpy as np
from graphmem.ports.embedder import EmbedderSpec
from graphmem.stores.sqlite.store import SqliteStore
from graphmem.testing.builders import memory, refs, tree
store = SqliteStore(sys.argv[1], embedder=EmbedderSpec("processes", 4), busy_timeout=30)
graph = store.tenant("acme")
"""

_WRITER = """
for index in range(25):
    with graph.transaction() as tx:
        tx.save_trees([tree(f"{sys.argv[2]}-{index}", steps=3)])
        tx.save_nodes([memory(f"{sys.argv[2]}-{index}", "refund", vector=np.ones(4, np.float32))])
        tx.save_nodes([memory(f"shared-{index}", "order")])
"""

_KILLED = """
with graph.transaction() as tx:
    for index in range(20):
        tx.save_trees([tree(f"lost-{index}", steps=3, vector=np.ones(4, np.float32))])
    tx.remove_nodes(refs("Memory", "m1"))
    print("inside", flush=True)
    sys.stdin.read()
"""


def _run(code: str, path: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _PRELUDE + code, str(path), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    )


def _finish(process: subprocess.Popen[str]) -> int:
    process.communicate(timeout=60)
    return process.returncode


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(path, embedder=SPEC)
    yield store
    store.close()


def test_two_processes_make_a_file_and_write_at_once(path: Path, store: SqliteStore) -> None:
    writers = [_run(_WRITER, path, name) for name in ("a", "b")]
    assert [_finish(writer) for writer in writers] == [0, 0]
    graph = store.tenant("acme")
    assert (graph.count("Episode"), graph.count("Step"), graph.count("Memory")) == (50, 150, 75)
    assert len(graph.search(["Memory"], ["refund"], limit=100)) == 50
    assert len(graph.nearest("Memory", np.ones(4, np.float32), limit=100)) == 50
    assert [line for line in store.check() if not line.ok] == []


def test_a_reader_follows_the_vectors_of_another_process(path: Path, store: SqliteStore) -> None:
    graph = store.tenant("acme")
    save(graph, memory("m1", vector=np.array([1, 0, 0, 0], np.float32)), memory("m2"))
    query = np.ones(4, np.float32)
    assert [hit.record.id for hit in graph.nearest("Memory", query)] == ["m1"]
    other = """
with graph.transaction() as tx:
    tx.save_nodes([memory("m2", content_hash="hash-2", vector=np.ones(4, np.float32))])
    tx.save_nodes([memory("m3", vector=np.array([1, 1, 0, 0], np.float32))])
    tx.remove_nodes(refs("Memory", "m1"))
"""
    assert _finish(_run(other, path)) == 0
    assert [hit.record.id for hit in graph.nearest("Memory", query)] == ["m2", "m3"]


def test_a_tenant_erased_and_begun_anew_by_another_process_shows_nothing_old(
    path: Path, store: SqliteStore
) -> None:
    graph = store.tenant("acme")
    save(graph, memory("m1", "refund", vector=np.ones(4, np.float32)))
    assert len(graph.nearest("Memory", np.ones(4, np.float32))) == 1
    other = """
graph.erase()
with store.tenant("stranger").transaction() as tx:
    tx.save_nodes([memory("x", "refund", vector=np.ones(4, np.float32))])
with graph.transaction() as tx:
    tx.save_nodes([memory("m2", "refund", vector=np.ones(4, np.float32))])
"""
    assert _finish(_run(other, path)) == 0
    assert [hit.record.id for hit in graph.nearest("Memory", np.ones(4, np.float32))] == ["m2"]
    assert [hit.record.id for hit in graph.search(["Memory"], ["refund"])] == ["m2"]


def test_a_writer_killed_in_a_transaction_leaves_nothing(path: Path, store: SqliteStore) -> None:
    graph = store.tenant("acme")
    save(graph, memory("m1", "refund"))
    version = graph.version()
    process = _run(_KILLED, path)
    assert process.stdout is not None
    assert process.stdout.readline() == "inside\n"
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    assert (graph.count("Episode"), graph.count("Step"), graph.version()) == (0, 0, version)
    assert list(graph.get(refs("Memory", "m1"))) == refs("Memory", "m1")
    with graph.transaction() as tx:
        assert tx.save_trees([tree("lost-0")]).added == tuple(refs("Episode", "lost-0"))
    assert [line for line in store.check() if not line.ok] == []


def test_a_writer_killed_at_any_moment_leaves_whole_episodes(path: Path, store: SqliteStore) -> None:
    graph = store.tenant("acme")
    save(graph, memory("m1"))
    endless = """
index = 0
while True:
    with graph.transaction() as tx:
        tx.save_trees([tree(f"e{index}-{n}", steps=3, findings=["f"]) for n in range(5)])
    index += 1
"""
    process = _run(endless, path)
    while graph.count("Episode") == 0:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    episodes = graph.count("Episode")
    assert episodes % 5 == 0
    assert (graph.count("Step"), graph.count("Finding")) == (3 * episodes, episodes)
    assert [line for line in store.check() if not line.ok] == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_uses_connections_of_its_own(store: SqliteStore) -> None:
    graph = store.tenant("acme")
    save(graph, memory("m1", "refund"))
    child = os.fork()
    if child == 0:
        code = 1
        try:
            save(graph, memory("m2", "refund"))
            code = 0 if graph.count("Memory") == 2 else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    save(graph, memory("m3", "refund"))
    assert graph.count("Memory") == 3
    assert len(graph.search(["Memory"], ["refund"])) == 3
