"""Times one library in its own process and prints what came out as a line of JSON.

The library is warmed up on messages of its own before the clock starts, so that connecting, creating
indexes and planning statements count for nobody.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import time
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Protocol

from peer_adapters.workload import Given, Said, messages


class Adapter(Protocol):
    """A library that writes messages."""

    distribution: str
    """What it is installed as."""

    def write(self, said: Sequence[Said]) -> None:
        """Write all messages; return when they are committed."""
        ...

    def count(self) -> int:
        """How many messages with a vector the store holds."""
        ...

    def close(self) -> None:
        """Let go of the connection."""
        ...


class Opens(Protocol):
    """Makes an adapter, ready to write."""

    def __call__(self, uri: str, password: str, given: Given) -> Adapter:
        """Connect and create what the library needs."""
        ...


def run(opens: Opens) -> None:
    """Open, warm up, write, count, print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--uri", required=True)
    parser.add_argument("--messages", type=int, required=True)
    parser.add_argument("--warm", type=int, required=True)
    options = parser.parse_args()
    warm, timed = messages(options.warm, "w"), messages(options.messages, "m")
    adapter = opens(options.uri, os.environ["NEO4J_PASSWORD"], Given([*warm, *timed]))
    adapter.write(warm)
    # millions of numbers that stand for an embedder are no library's garbage to look through
    gc.freeze()
    begin, cpu = time.perf_counter(), time.process_time()
    adapter.write(timed)
    seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
    stored = adapter.count()
    adapter.close()
    if stored != len(warm) + len(timed):
        sys.exit(f"{adapter.distribution} holds {stored} messages with a vector, not {len(warm) + len(timed)}")
    names = (adapter.distribution, "neo4j", "neo4j-rust-ext")
    versions = {name: _version(name) for name in names}
    print(json.dumps({"seconds": seconds, "cpu": cpu, "versions": versions}))


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
