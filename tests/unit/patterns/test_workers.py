"""Mining with worker processes and on a cluster: the result of one process, and errors that say what to do."""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import distributed
import pytest

from graphmem.episodes.service import EpisodesService
from graphmem.errors import GraphMemError, InvalidInputError
from graphmem.models.episode import Episode, Step
from graphmem.patterns import workers as workers_module
from graphmem.patterns.discovery import discover_motifs
from graphmem.patterns.motifs import MiningResult
from graphmem.patterns.service import PatternsService
from graphmem.patterns.workers import hired
from motif_corpus import TAXONOMY, corpus
from workspaces import desk

GRAPHS = corpus(300)


def everything(result: MiningResult) -> list[Any]:
    return [(motif, motif.occurrences.tolist()) for motif in result.motifs]


@pytest.fixture(scope="module")
def whole() -> list[Any]:
    return everything(discover_motifs(GRAPHS, TAXONOMY))


def local_cluster(workers: int) -> Any:
    start: Any = distributed.LocalCluster
    return start(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
    )


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with local_cluster(2) as started:
        yield started


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up after a second."""
    monkeypatch.setattr(workers_module, "CONNECT_SECONDS", 1)


def test_two_worker_processes_find_what_one_process_finds(whole: list[Any]) -> None:
    with hired(workers=2) as crew:
        assert crew.executor is not None
        pids = set(crew.executor.map(pid_and_threads, range(8)))
        assert os.getpid() not in {pid for pid, _ in pids}
        assert {threads for _, threads in pids} == {"1"}
        result = discover_motifs(GRAPHS, TAXONOMY, partitions=crew.size, executor=crew.executor)
    assert everything(result) == whole


def pid_and_threads(_: int) -> tuple[int, str | None]:
    return os.getpid(), os.environ.get("OMP_NUM_THREADS")


def test_a_cluster_of_two_worker_processes_finds_what_one_process_finds(cluster: Any, whole: list[Any]) -> None:
    with hired(dask=cluster.scheduler_address) as crew:
        assert crew.size == 2
        result = discover_motifs(GRAPHS, TAXONOMY, partitions=5, executor=crew.executor)
    assert everything(result) == whole


def record(folder: Path) -> PatternsService:
    """A tenant with eleven runs of two kinds."""
    workspace = desk(folder).workspace()
    runs = [
        Episode(
            id=f"run-{number}",
            goal="환불",
            outcome="success" if number % 2 else "failure",
            steps=(Step(action="본인 확인을"), Step(action=["환불 요청", "refund"][number % 2], tools=("crm",))),
        )
        for number in range(11)
    ]
    EpisodesService(workspace).add_many(runs)
    return PatternsService(workspace)


def test_mining_a_store_takes_workers_a_cluster_or_an_executor(tmp_path: Path, cluster: Any) -> None:
    patterns = record(tmp_path)
    first = patterns.mine()
    found = [pattern.model_dump(exclude={"run"}) for pattern in patterns.list(tier="candidate")]
    assert len(found) == first.patterns > 1
    with ThreadPoolExecutor(2) as executor:
        ways: list[dict[str, Any]] = [
            {"executor": executor},
            {"dask": cluster.scheduler_address},
            {"partitions": 3},
            {"workers": 1},
        ]
        for way in ways:
            again = patterns.mine(**way)
            assert (again.patterns, again.added, again.removed) == (first.patterns, 0, 0), way
            assert [pattern.model_dump(exclude={"run"}) for pattern in patterns.list(tier="candidate")] == found


def refusal(address: str) -> str:
    """What is said of a cluster that cannot be used."""
    with pytest.raises(GraphMemError) as refused, hired(dask=address):
        pass
    return str(refused.value)


@pytest.mark.usefixtures("soon")
def test_an_address_where_nobody_listens_is_named() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{closed.getsockname()[1]}"
        assert f"no Dask scheduler answers at '{address}' within 1 s" in refusal(address)


@pytest.mark.usefixtures("soon")
def test_a_server_that_says_nothing_is_given_up() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        assert "no Dask scheduler answers at" in refusal(f"tcp://127.0.0.1:{silent.getsockname()[1]}")


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("address", ["", "nonsense", "ftp://127.0.0.1:1", "tcp://127.0.0.1:nonsense"])
def test_what_is_no_address_is_refused(address: str) -> None:
    assert "no Dask scheduler answers at" in refusal(address)


@pytest.mark.usefixtures("soon")
def test_a_cluster_without_workers_is_not_waited_for() -> None:
    with local_cluster(0) as empty:
        assert "has no worker; start one with 'dask worker tcp://" in refusal(empty.scheduler_address)


def test_without_the_extra_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install 'graphmem[dask]'" in refusal("tcp://127.0.0.1:1")


def end_a_worker() -> None:
    with hired(workers=2) as crew:
        assert crew.executor is not None
        list(crew.executor.map(os._exit, [3]))


def test_a_worker_that_ends_early_is_said() -> None:
    with pytest.raises(GraphMemError, match="a worker process ended before its work did"):
        end_a_worker()


def test_ways_exclude_each_other() -> None:
    with pytest.raises(InvalidInputError, match="alternatives"), hired(workers=2, dask="tcp://127.0.0.1:1"):
        pass


@pytest.mark.parametrize("workers", [0, -1, 5_000])
def test_a_number_of_workers_out_of_bounds_is_refused(workers: int) -> None:
    with pytest.raises(InvalidInputError, match=f"workers is {workers}"), hired(workers=workers):
        pass
