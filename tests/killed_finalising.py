"""Closes episodes in processes of their own, each killed before another call to the store.

`python killed_finalising.py STORE TENANT MODEL`: STORE is a path, or the address of a Neo4j whose user and
password are in NEO4J_USERNAME and NEO4J_PASSWORD; MODEL is `model` or `rules`. Episode `e-007` is the one whose
process was killed at its 7th call; the last number, which is printed, is that of the one that came through.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import graphmem
from graphmem.testing.clock import FakeClock
from graphmem.testing.scripted_model import ScriptedModel

BEGIN = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
MOST = 100
"""Calls that closing an episode surely does not make."""
REPLY = """{"summary": "환불을 원했습니다. 조회했습니다. 환불이 완료되었습니다.", "lessons": ["재고를 확인한다."],
"outcome": {"value": "unknown", "reason": "모른다", "quote": ""}, "facts": [{"subject": "Ada",
"predicate": "lives_in", "object": "Seoul", "quote": "I live in Seoul."}]}"""


class Countdown:
    """Kills this process before a call to the store."""

    def __init__(self, calls: int) -> None:
        self._left = calls

    def tick(self) -> None:
        """One call more."""
        self._left -= 1
        if self._left < 0:
            os.kill(os.getpid(), signal.SIGKILL)


class Counted:
    """A graph or a transaction each call of which is counted, the commit included."""

    def __init__(self, inner: Any, countdown: Countdown) -> None:
        self._inner = inner
        self._countdown = countdown

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._inner, name)
        if not callable(value):
            return value

        def counted(*given: Any, **named: Any) -> Any:
            self._countdown.tick()
            return value(*given, **named)

        return counted

    @contextmanager
    def transaction(self) -> Iterator[Any]:
        """As the graph's own."""
        self._countdown.tick()
        with self._inner.transaction() as transaction:
            yield Counted(transaction, self._countdown)
            self._countdown.tick()  # before the commit
        self._countdown.tick()  # after it


def opened(target: str, tenant: str, *, with_model: bool) -> graphmem.GraphMemory:
    """A memory whose model, if it has one, always answers well."""
    given: dict[str, Any] = {"language_model": ScriptedModel(always=REPLY)} if with_model else {}
    if "://" in target:
        given["auth"] = (os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"])
    return graphmem.open(target, tenant=tenant, embedder="hashing", clock=FakeClock(), **given)


def record(memory: graphmem.GraphMemory, name: str, countdown: Countdown | None = None) -> None:
    """Record an episode with a failing step, its fix, and two messages, and close it."""
    run = memory.episodes.record("주문 17번 환불", id=name, started_at=BEGIN)
    run.step("조회", errors=["Timeout"], effective=False, concepts=["주문"], at=BEGIN)
    run.step("대기", fixes=["Timeout"], at=BEGIN)
    memory.messages.add("I live in Seoul.", id=f"{name}-m1", at=BEGIN, episode=name)
    memory.messages.add("환불이 완료되었습니다.", id=f"{name}-m2", role="assistant", at=BEGIN, episode=name)
    if countdown is not None:
        object.__setattr__(memory.workspace, "graph", Counted(memory.workspace.graph, countdown))
    run.succeed("환불했다", lessons=["given"], at=BEGIN + timedelta(minutes=4), error="Late")


def main(target: str, tenant: str, model: str) -> None:
    """Kill a process at each call, until one comes through."""
    for calls in range(MOST):
        child = os.fork()
        if child == 0:
            record(opened(target, tenant, with_model=model == "model"), f"e-{calls:03}", Countdown(calls))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.waitstatus_to_exitcode(status) == 0:
            print(calls)  # noqa: T201 (tells the test how many there are)
            return
        if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
            sys.exit("a process ended in another way than it was meant to")
    sys.exit("none came through")


if __name__ == "__main__":
    main(*sys.argv[1:])
