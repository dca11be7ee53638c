"""Imports WordNet's noun relations, unfolds trees in them, and mines beside them; prints a line for each.

    python benchmarks/taxonomy.py [--uri bolt://127.0.0.1:PORT] [--tenant NAME] [--data FOLDER] [--no-mining]

Without a URI into a new SQLite store in a temporary folder; with one into a tenant of that server, which is erased
before and after. Nothing is embedded: `graphmem schema reembed` gives vectors later. The trees are timed in this
process, without the start of Python. What is mined are 200 recorded runs, and 300 made ones whose concepts are
leaves of WordNet below a few common words.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graphmem.concepts.service import ConceptsService
from graphmem.graph.records import NodeRef
from graphmem.patterns.service import PatternsService
from graphmem.ports.clock import system_clock
from graphmem.ports.graph_store import GraphStore
from graphmem.ports.workspace import Workspace
from graphmem.transfer.importing import import_records
from graphmem.transfer.policy import ImportOptions
from graphmem.transfer.sources import file_source, stream_source

DATA = Path(os.environ.get("GRAPHMEM_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")
ROOTS = ("bird", "vehicle", "fruit", "disease")
"""What the concepts of the made runs are kinds of."""


def timed(title: str, work: Callable[[], Any]) -> Any:
    """Do something and print how long it took."""
    wall, processor = time.perf_counter(), time.process_time()
    result = work()
    seconds = time.perf_counter() - wall
    print(
        f"{title}: {seconds:.2f} s ({time.process_time() - processor:.2f} s of this process's processor)",
        flush=True,
    )
    return result


def imported(workspace: Workspace, data: Path) -> None:
    """Import all noun relations, twice."""
    source = file_source(data / "wordnet" / "noun_relations.tsv.gz")
    for title in ("first import", "second import"):
        report = timed(title, lambda: import_records(workspace, [source], ImportOptions(format="wordnet")))
        print(f"  {report.added} added, {report.unchanged} unchanged, {len(report.refused)} refused")


def unfolded(concepts: ConceptsService) -> None:
    """Unfold trees of all sizes."""
    for name in ("entity", "animal", "dog"):
        tree = timed(f"tree of {name}", lambda name=name: concepts.tree(name))  # type: ignore[misc]  # bound now
        print(f"  truncated: {tree.truncated}")


def made_runs(workspace: Workspace) -> bytes:
    """Runs of four steps about leaves of WordNet; those about diseases mostly fail."""
    chance = random.Random(7)
    leaves = {}
    for root in ROOTS:
        concept = ConceptsService(workspace).tree(root)
        below = workspace.graph.expand([NodeRef("Concept", concept.id)], ["IS_A"], "in", depth=20, limit=1000)
        leaves[root] = [
            str(node.properties["name"]) for node in below.nodes if node.properties["kind"] == "concept"
        ]
    lines = []
    for number in range(300):
        root = chance.choice(ROOTS)
        steps = [
            {"action": action, "concepts": [chance.choice(leaves[root])], "tools": [chance.choice(("web", "db"))]}
            for action in ("look_up", "compare", chance.choice(("ask", "guess")), "answer")
        ]
        outcome = "failure" if root == "disease" and chance.random() < 0.8 else "success"
        run = {"type": "episode", "id": f"made-{number}", "goal": "answer", "task": f"t{number % 100}"}
        lines.append(json.dumps(run | {"outcome": outcome, "steps": steps}))
    return "\n".join(lines).encode()


def mined(workspace: Workspace, data: Path) -> None:
    """Mine recorded runs beside WordNet, then made ones as well."""
    fields = {"messages": "traj", "outcome": "reward", "task": "task_id"}
    runs = file_source(data / "tau-bench" / "gpt-4o-airline.json")
    import_records(workspace, [runs], ImportOptions(format="chat", fields=fields))
    timed("mining 200 recorded runs", lambda: PatternsService(workspace).mine())
    made = stream_source("made", io.BytesIO(made_runs(workspace)))
    import_records(workspace, [made])
    report = timed("mining 300 made runs as well", lambda: PatternsService(workspace).mine())
    print(f"  {report.to_dict()['patterns']} patterns, {report.to_dict()['tiers']}")
    found = PatternsService(workspace).list(limit=10_000)
    named = Counter(node.label for one in found for node in one.nodes)
    print("  above their leaves:", ", ".join(f"{root} {named[root]}" for root in ROOTS))


def run(store: GraphStore, tenant: str, data: Path, *, mining: bool) -> None:
    """Measure on one store."""
    workspace = Workspace(store.tenant(tenant), None, None, system_clock, os.urandom)
    imported(workspace, data)
    unfolded(ConceptsService(workspace))
    if mining:
        mined(workspace, data)


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--uri", help="a Neo4j server, password in NEO4J_PASSWORD; else SQLite")
    parser.add_argument("--tenant", default="taxonomy-benchmark")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--no-mining", action="store_true")
    asked = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}")
    if asked.uri is None:
        from graphmem.stores.sqlite.store import SqliteStore  # noqa: PLC0415 (the chosen store alone)

        with tempfile.TemporaryDirectory() as folder:
            store: GraphStore = SqliteStore(Path(folder) / "memory.db", embedder=None)
            run(store, asked.tenant, asked.data, mining=not asked.no_mining)
            store.close()
    else:
        from graphmem.stores.neo4j.store import Neo4jStore  # noqa: PLC0415 (the chosen store alone)

        auth = ("neo4j", os.environ.get("NEO4J_PASSWORD", "graphmem-test"))
        store = Neo4jStore(asked.uri, auth=auth, database=None, driver=None, embedder=None, clock=system_clock)
        store.tenant(asked.tenant).erase()
        run(store, asked.tenant, asked.data, mining=not asked.no_mining)
        store.tenant(asked.tenant).erase()
        store.close()


if __name__ == "__main__":
    main()
