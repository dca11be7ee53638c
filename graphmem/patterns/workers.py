"""Who searches the parts of a corpus: processes of this machine, a Dask cluster, an executor of the caller.

This module imports nothing heavy, so that a new process can be told how many threads to use before it loads
numpy. What is sent to workers is numbers alone, see `partitions`.
"""

from __future__ import annotations

import asyncio
import os
import warnings
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from typing import Any

from graphmem.errors import GraphMemError, InvalidInputError

CONNECT_SECONDS = 5
"""Wait for a scheduler, and for its first worker; a cluster that is up answers at once."""

MOST_WORKERS = 1_024


@dataclass(frozen=True, slots=True)
class Crew:
    """Who works."""

    executor: Executor | None
    """None: this process."""
    size: int
    """Workers, as far as known; a good number of parts."""


@contextmanager
def hired(executor: Executor | None = None, workers: int | None = None, dask: str | None = None) -> Iterator[Crew]:
    """The crew for one run, sent home afterwards; an executor of the caller stays as it is.

    Args:
        executor: Of the caller, any of `concurrent.futures`.
        workers: Processes of this machine to start; 1 starts none.
        dask: Address of a Dask scheduler, such as tcp://10.0.0.5:8786.

    Raises:
        InvalidInputError: More than one of them is given, or the number of workers is out of bounds.
        GraphMemError: distributed is missing, the scheduler or its workers cannot be reached, or a process ended.
    """
    if sum(one is not None for one in (executor, workers, dask)) > 1:
        raise InvalidInputError("executor, workers and dask are alternatives; give one of them")
    if executor is not None and not isinstance(executor, Executor):
        raise InvalidInputError("the executor is none of `concurrent.futures`")
    if workers is not None and (not isinstance(workers, int) or not 1 <= workers <= MOST_WORKERS):
        raise InvalidInputError(f"workers is {workers!r}; it can be 1 to {MOST_WORKERS:,}")
    if dask is not None:
        with _cluster(dask) as crew:
            yield crew
    elif workers is not None and workers > 1:
        with _processes(workers) as crew:
            yield crew
    else:
        yield Crew(executor, (os.cpu_count() or 1) if executor is not None else 1)


@contextmanager
def _processes(workers: int) -> Iterator[Crew]:
    """New interpreters: a fork of a process with threads may hang."""
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=use_one_thread)
    try:
        with pool:
            yield Crew(pool, workers)
    except BrokenExecutor as fault:
        raise GraphMemError(
            "a worker process ended before its work did: out of memory, or a script that starts workers outside "
            "'if __name__ == \"__main__\":'; take fewer workers or guard the script"
        ) from fault


def use_one_thread() -> None:
    """Keep the numeric libraries of a worker process to one thread: there is a process a core already."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"


@contextmanager
def _cluster(address: str) -> Iterator[Crew]:
    client = _connected(address)
    try:
        with warnings.catch_warnings():
            # parts are sent as they are: they are the data, there is no graph to make smaller
            warnings.filterwarnings("ignore", message="Sending large graph", category=UserWarning)
            yield Crew(client.get_executor(pure=False), len(client.nthreads()))
    finally:
        client.close(timeout=CONNECT_SECONDS)


def _connected(address: str) -> Any:
    """A client with at least one worker."""
    try:
        distributed = import_module("distributed")
    except ImportError as fault:
        raise GraphMemError("mining on a cluster needs distributed: pip install 'graphmem[dask]'") from fault
    try:
        with ThreadPoolExecutor(1) as aside:  # the caller's thread may be running a loop of its own
            aside.submit(asyncio.run, _greet(distributed, address)).result()
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as fault:
        raise GraphMemError(
            f"no Dask scheduler answers at {address!r} within {CONNECT_SECONDS} s; give the address that "
            "'dask scheduler' prints, such as tcp://127.0.0.1:8786"
        ) from fault
    try:
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except OSError as fault:
        client.close(timeout=CONNECT_SECONDS)
        raise GraphMemError(
            f"the Dask scheduler at {address!r} has no worker; start one with 'dask worker {address}'"
        ) from fault
    return client


async def _greet(distributed: Any, address: str) -> None:
    """Have the scheduler say who it is: a client waits for ever for a server that accepts and says nothing."""
    async with asyncio.timeout(CONNECT_SECONDS), distributed.rpc(address) as scheduler:
        await scheduler.identity()
