"""What the phases of consolidation cost that link episodes and learn procedures, one by one: one command.

    python benchmarks/consolidation_links.py [--count 10000] [--new 100] [--uri bolt://127.0.0.1:7687]

Writes episodes with causes, findings, sessions and users, and as many messages of which every hundredth gives an
instruction, into a SQLite file or, with --uri, into a tenant of its own on that server (password in
NEO4J_PASSWORD), which is erased at the end. Then runs every phase on all of it, again when there is nothing to do,
and after `--new` more episodes and messages came: seconds, in brackets those in which this process computed, and
how many links and procedures were written. Reading relations out of texts is measured by extraction.py.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import graphmem
from conditions import conditions
from graphmem.consolidation.causes import ConceptCauses
from graphmem.consolidation.consolidate import consolidate
from graphmem.consolidation.episode_links import EpisodeLinks
from graphmem.consolidation.episode_order import EpisodeOrder
from graphmem.consolidation.phases import Phase, PhasePlan, Run
from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.consolidation.repeated import RepeatedProcedures
from graphmem.consolidation.similar import SimilarEpisodes
from graphmem.consolidation.told import ToldProcedures
from graphmem.memory import GraphMemory
from graphmem.models.episode import Episode
from graphmem.models.message import Message
from throwaway import PASSWORD

TENANT = "benchmark-consolidation"
PHASES: tuple[Phase, ...] = (
    EpisodeLinks(),
    ConceptCauses(),
    EpisodeOrder(),
    SimilarEpisodes(),
    ToldProcedures(),
    RepeatedProcedures(),
)
START = datetime(2026, 1, 1, tzinfo=UTC)
SUBJECTS = ("order", "invoice", "login", "build", "backup", "주문", "결제", "배포", "로그인", "환불")
TROUBLES = ("timeout", "refused", "missing", "duplicate", "만료", "누락", "지연", "중복")
ACTIONS = ("look_up", "check", "retry", "restart", "notify", "refund", "조회", "확인", "승인", "재시도")


def episodes(begin: int, end: int) -> Iterator[Episode]:
    """Episodes of four steps, one in three with a cause."""
    for number in range(begin, end):
        chance = random.Random(number)
        subject, trouble = chance.choice(SUBJECTS), chance.choice(TROUBLES)
        symptom, cause = f"{subject} {trouble}", f"{chance.choice(SUBJECTS)} {chance.choice(TROUBLES)} queue"
        steps = [{"action": chance.choice(ACTIONS), "tools": [chance.choice(SUBJECTS)]} for _ in range(4)]
        steps[1]["errors"] = [symptom]
        began = START + timedelta(minutes=10 * number)
        yield Episode.model_validate(
            {
                "id": f"episode-{number:07}",
                "goal": f"handle {symptom} for customer {chance.randrange(10**6)}",
                "outcome": chance.choice(("success", "success", "failure", "partial")),
                "steps": steps,
                "causes": [{"effect": symptom, "cause": cause}] if number % 3 == 0 else [],
                "started_at": began,
                "ended_at": began + timedelta(minutes=5),
                "user_id": f"user-{number // 20 % 50}",
                "session": f"session-{number // 20}" if number // 20 % 2 else None,
                "task": f"task-{number % 500}",
            }
        )


def messages(begin: int, end: int) -> Iterator[Message]:
    """Small talk, every hundredth message with an instruction."""
    for number in range(begin, end):
        subject, trouble = SUBJECTS[number % 10], TROUBLES[number % 8]
        text = f"Today the {subject} was {trouble} again, and we looked at it for a while with customer {number}."
        if number % 100 == 0:
            text = f"Always check the {subject} before you restart the {SUBJECTS[number // 1000 % 10]}."
        yield Message(id=f"message-{number:07}", text=text, user_id=f"user-{number % 50}", at=START, episode=None)


def fill(memory: GraphMemory, begin: int, end: int) -> None:
    """Write episodes and messages."""
    memory.episodes.add_many(episodes(begin, end))
    memory.messages.add_many(messages(begin, end))


class Timed:
    """A phase with the seconds that it takes, those in which this process computes, and what it writes."""

    def __init__(self, phase: Phase) -> None:
        self.name = type(phase).__name__
        self._phase = phase
        self.seconds = self.computed = 0.0
        self.written = 0

    def plan(self, run: Run) -> PhasePlan:
        """As the phase does."""
        return self._phase.plan(run)

    def rounds(self, run: Run) -> Iterator[PhasePlan]:
        """As the phase does, the writing of each part included."""
        begun, computed = time.perf_counter(), time.process_time()
        for plan in self._phase.rounds(run):
            yield plan
            counts = plan.counts()
            self.written += sum(counts.get(name, 0) for name in ("linked", "unlinked", "procedures"))
        self.seconds, self.computed = time.perf_counter() - begun, time.process_time() - computed


def run(memory: GraphMemory) -> list[Timed]:
    """Consolidate by all phases."""
    work = memory.workspace
    timed = [Timed(phase) for phase in PHASES]
    consolidate(
        work.graph,
        embedder=work.embedder,
        clock=work.clock,
        entropy=work.entropy(10),
        policy=ConsolidationPolicy(repeated_most_episodes=1_000_000),
        phases=timed,
    )
    return timed


def measure(memory: GraphMemory, count: int, new: int) -> None:
    """Print a row a phase."""
    begun = time.perf_counter()
    fill(memory, 0, count)
    print(f"{count} episodes and messages written in {time.perf_counter() - begun:.1f} s")
    rows: dict[str, list[str]] = {type(phase).__name__: [] for phase in PHASES}
    for turn in ("all of it", "nothing to do", f"{new} more"):
        if turn.endswith("more"):
            fill(memory, count, count + new)
        for phase in run(memory):
            rows[phase.name].append(f"{phase.seconds:.2f} s ({phase.computed:.2f}), {phase.written}")
    print(f"| phase | all of it | nothing to do | {new} more |\n|---|---|---|---|")
    for name, cells in rows.items():
        print(f"| {name} | {' | '.join(cells)} |")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure on a file, or on a server."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--new", type=int, default=100)
    parser.add_argument("--uri")
    given = parser.parse_args(arguments)
    print(conditions("numpy", "neo4j"))
    options: dict[str, Any] = {"tenant": TENANT, "embedder": "hashing", "analyzer": "plain"}
    if given.uri:
        auth = ("neo4j", os.environ.get("NEO4J_PASSWORD", PASSWORD))
        with graphmem.open(given.uri, auth=auth, **options) as memory:
            try:
                measure(memory, given.count, given.new)
            finally:
                memory.workspace.graph.erase()
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        graphmem.open(Path(folder) / "memory.db", boundary={"enabled": False}, **options) as memory,
    ):
        measure(memory, given.count, given.new)


if __name__ == "__main__":
    main()
