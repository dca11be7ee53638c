"""Messages into one warm Neo4j 2026: the raw driver, graphmem, neo4j-agent-memory and engrama.

    python benchmarks/peers.py                        starts a server of its own, makes the environments
    python benchmarks/peers.py --venvs DIR            environments that are there: DIR/agentmem, DIR/engrama
    python benchmarks/peers.py --only raw graphmem    without the peers
    python benchmarks/peers.py --uri bolt://...       a server that is there: it is EMPTIED

Every library writes the same messages with the same 384 numbers each, looked up instead of computed, through
its public calls, in a process of its own, into an empty database, with its own indexes online. They take
turns; a ratio is the median over the rounds. Connecting, creating indexes and a warm-up do not count.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from conditions import conditions
from peer_adapters.environments import cache_folder, python_of
from throwaway import ROOT, emptied, server


@dataclass(frozen=True, slots=True)
class Library:
    """What is timed, and where it runs."""

    module: str
    environment: str | None = None
    """None: this interpreter."""


LIBRARIES = {
    "raw": Library("raw_driver"),
    "graphmem": Library("this_package"),
    "agentmem": Library("agent_memory", "agentmem"),
    "engrama": Library("engrama_sdk", "engrama"),
}

BARS = (("raw", 0.40), ("agentmem", 2.5), ("engrama", 15.0))
"""How many times as fast as these graphmem is to be, at least."""

WARM_TURNS = 3
WARM_MESSAGES = 5000
"""A fresh Java machine is three times slower: it compiles what it has run often."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One library's turn."""

    rate: float
    """Messages a second."""
    cpu: float
    """Milliseconds of the client's processor a message."""
    versions: str


def turn(library: Library, place: tuple[str, str], messages: int, options: argparse.Namespace) -> Outcome:
    """Empty the database and let a library write."""
    uri, password = place
    emptied(uri, password)
    python = python_of(library.environment, options.venvs) if library.environment else Path(sys.executable)
    command = [str(python), "-m", f"peer_adapters.{library.module}", "--uri", uri]
    command += ["--messages", str(messages), "--warm", str(options.warm)]
    search = [str(ROOT / "benchmarks"), *([] if library.environment else [str(ROOT)])]
    places = {"PYTHONPATH": os.pathsep.join(search), "NEO4J_PASSWORD": password}
    done = subprocess.run(command, env={**os.environ, **places}, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{library.module} failed:\n{done.stderr[-3000:]}")
    told = json.loads(done.stdout.splitlines()[-1])
    versions = ", ".join(f"{name} {found}" for name, found in told["versions"].items() if found)
    return Outcome(messages / told["seconds"], 1000 * told["cpu"] / messages, versions)


def rounds(place: tuple[str, str], options: argparse.Namespace) -> dict[str, list[Outcome]]:
    """All turns, in rounds, after some that only warm the server up."""
    for name in ("raw", "graphmem") * WARM_TURNS:
        turn(LIBRARIES[name], place, WARM_MESSAGES, options)
    outcomes: dict[str, list[Outcome]] = {name: [] for name in options.only}
    for number in range(options.rounds):
        for name in options.only:
            outcome = turn(LIBRARIES[name], place, options.messages, options)
            outcomes[name].append(outcome)
            print(f"  round {number + 1}: {name:8} {outcome.rate:8,.0f} messages/s", file=sys.stderr)
    return outcomes


def report(outcomes: dict[str, list[Outcome]]) -> None:
    """Print medians, and the ratios beside their bars."""
    for name, found in outcomes.items():
        rate, cpu = (statistics.median(values) for values in zip(*((o.rate, o.cpu) for o in found), strict=True))
        print(f"{name:8} {rate:8,.0f} messages/s · client {cpu:.2f} ms · {found[0].versions}")
    own = outcomes.get("graphmem", [])
    for name, bar in BARS:
        if own and name in outcomes:
            pairs = zip(own, outcomes[name], strict=True)
            ratio = statistics.median(mine.rate / other.rate for mine, other in pairs)
            print(f"graphmem / {name}: {ratio:.2f} (bar {bar}){'' if ratio >= bar else '  BELOW'}")


def main() -> None:
    """Run what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=2000, help="timed messages a turn (default: 2000)")
    parser.add_argument("--warm", type=int, default=1500, help="messages before the clock starts (default: 1500)")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each library (default: 5)")
    parser.add_argument("--only", nargs="+", choices=LIBRARIES, default=list(LIBRARIES))
    parser.add_argument("--venvs", type=Path, default=cache_folder(), help="folder of the environments")
    parser.add_argument("--uri", help="a server that is there and may be emptied; password in NEO4J_PASSWORD")
    options = parser.parse_args()
    with server(options.uri) as place:
        agent = emptied(*place)
        outcomes = rounds(place, options)
    print(
        f"{conditions('neo4j', 'neo4j-rust-ext')}\n{agent}, heap 2g · {options.messages:,} messages a turn,",
        end=" ",
    )
    print(f"{options.rounds} rounds")
    report(outcomes)


if __name__ == "__main__":
    main()
