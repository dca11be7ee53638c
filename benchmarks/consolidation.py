"""What it costs to learn relations from messages: one command.

    python benchmarks/consolidation.py [--count 10000] [--new 100] [--analyzer plain] [--uri bolt://127.0.0.1:7687]

Writes messages of two sentences, in sessions of ten, into a SQLite file or, with --uri, into a tenant of its own
on that server (password in NEO4J_PASSWORD), which is erased at the end. One in five states one of some hundred
relations, in English or Korean, or denies it. Then measured: reading all and judging, again when there is nothing
to do, after `--new` more messages, and adding one message at a time before and after; in brackets the seconds in
which this process computed. Of the phases that read no text only the one that links episodes runs, since it tells
which of them are new. The last line is the peak of this process's memory.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import graphmem
from conditions import conditions
from graphmem.consolidation.claims import Claims
from graphmem.consolidation.consolidate import consolidate
from graphmem.consolidation.episode_links import EpisodeLinks
from graphmem.consolidation.plan import ConsolidationReport
from graphmem.language.relations.extractor import Extractor
from graphmem.memory import GraphMemory
from graphmem.models.message import Message
from throwaway import PASSWORD

TENANT = "benchmark-claims"
START = datetime(2026, 1, 1, tzinfo=UTC)
THINGS = ("rust", "salt", "frost", "noise", "dust", "moisture", "friction", "overload", "smoke", "heat")
EFFECTS = ("leakage", "wear", "corrosion", "delay", "failure", "fatigue", "damage", "pain", "loss", "stress")
CAUSES_KO = ("소음은", "먼지는", "과부하는", "마찰은", "진동은")
EFFECTS_KO = ("고장을", "부식을", "지연을", "피로를", "손상을")
TALK = (
    "We met at noon and went on with the work.",
    "회의는 내일 아침으로 옮겼어요.",
    "Thanks, I will look at it.",
)


def statement(chance: random.Random) -> str:
    """A sentence that states or denies a relation, in one of several wordings."""
    if chance.random() < 0.3:
        cause, effect = chance.choice(CAUSES_KO), chance.choice(EFFECTS_KO)
        endings = ("유발한다", "유발했다", "유발하지 않는다")
        return f"{cause} {effect} {chance.choice(endings[: 3 if chance.random() < 0.2 else 2])}."
    cause, effect = chance.choice(THINGS), chance.choice(EFFECTS)
    verb = "does not cause" if chance.random() < 0.05 else chance.choice(("causes", "often causes"))
    return f"{cause.capitalize()} {verb} {effect} in case {chance.randrange(10**6)}."


def messages(begin: int, end: int) -> Iterator[Message]:
    """Small talk, one message in five with a statement."""
    for number in range(begin, end):
        chance = random.Random(number)
        said = statement(chance) if number % 5 == 0 else chance.choice(TALK)
        yield Message(
            id=f"message-{number:07}",
            text=f"{chance.choice(TALK)} {said}",
            session=f"session-{number // 10}",
            user_id=f"user-{number // 10 % 50}",
            at=START + timedelta(minutes=number),
        )


def timed(what: str, work: Callable[[], Any]) -> Any:
    """Do it and print how long it took."""
    begun, computed = time.perf_counter(), time.process_time()
    answer = work()
    seconds, computed = time.perf_counter() - begun, time.process_time() - computed
    print(f"{what:<34} {seconds:8.2f} s ({computed:.2f})")
    return answer


def one_by_one(memory: GraphMemory, first: int, count: int = 200) -> None:
    """Add messages as an agent does."""
    for message in messages(first, first + count):
        memory.messages.add(message.text, id=message.id, session=message.session, at=message.at)


def learn(memory: GraphMemory) -> ConsolidationReport:
    """Run the phase that reads texts, and the one that tells which episodes are new."""
    work = memory.workspace
    return consolidate(
        work.graph,
        embedder=work.embedder,
        clock=work.clock,
        entropy=work.entropy(10),
        phases=(EpisodeLinks(), Claims()),
        reader=None if work.analyzer is None else Extractor(work.analyzer),
    )


def measure(memory: GraphMemory, count: int, new: int) -> None:
    """Print a row a step."""
    timed(f"{count} messages written", lambda: memory.messages.add_many(messages(0, count)))
    timed("200 added one by one", lambda: one_by_one(memory, count))
    report = timed("all read and judged", lambda: learn(memory))
    names = ("read", "evidence", "relations", "promoted", "linked", "refused")
    print("  " + ", ".join(f"{name} {report.counts[name]}" for name in names))
    timed("again, nothing to do", lambda: learn(memory))
    memory.messages.add_many(messages(count + 200, count + 200 + new))
    timed(f"after {new} more", lambda: learn(memory))
    timed("200 added one by one", lambda: one_by_one(memory, count + 200 + new))


def main() -> None:
    """Measure on one store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--new", type=int, default=100)
    parser.add_argument("--analyzer", default="plain", choices=["auto", "plain", "spacy", "kiwi"])
    parser.add_argument("--uri", help="a Neo4j server; without, a SQLite file")
    given = parser.parse_args()
    print(conditions())
    options: dict[str, Any] = {"tenant": TENANT, "embedder": "hashing", "analyzer": given.analyzer}
    with tempfile.TemporaryDirectory() as folder:
        if given.uri:
            options["auth"] = ("neo4j", os.environ.get("NEO4J_PASSWORD", PASSWORD))
        with graphmem.open(given.uri or str(Path(folder) / "memory.db"), **options) as memory:
            try:
                measure(memory, given.count, given.new)
            finally:
                memory.workspace.graph.erase()
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MiB")


if __name__ == "__main__":
    main()
