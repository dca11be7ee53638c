"""Reads that a tenant and an open transaction share: nodes by name, edges at nodes, what is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from graphmem.graph.records import Direction, EdgeRecord, NodeRecord, NodeRef, Subgraph
from graphmem.graph.schema import EDGE_TYPES
from graphmem.queries import Query
from graphmem.stores.neo4j import statements
from graphmem.stores.neo4j.connection import Row
from graphmem.stores.neo4j.values import COLUMNS, EDGE_COLUMNS, read_edges, read_node
from graphmem.stores.neo4j.writing import by_label, chunks

Run = Callable[..., list[Row]]
"""Runs a statement of cypher/graph for a tenant: the query, its parameters, its stand-ins as keywords."""
_IDS = 5000
_SIDES: dict[Direction, tuple[tuple[Query, bool], ...]] = {
    "out": ((statements.EDGES_OUT, True),),
    "in": ((statements.EDGES_IN, False),),
    "both": ((statements.EDGES_OUT, True), (statements.EDGES_IN, False)),
}


def columns(label: str, slot: str | None) -> dict[str, Any]:
    """The parameters that say what a row of a node holds."""
    names, moments = COLUMNS[label]
    return {"names": names, "moments": moments, "slot": slot}


def get_nodes(run: Run, refs: Iterable[NodeRef], *, slot: str | None = None) -> dict[NodeRef, NodeRecord]:
    """The nodes that exist, in the order asked for; with a slot they carry its vectors."""
    wanted = list(dict.fromkeys(refs))
    found: dict[NodeRef, NodeRecord] = {}
    for label, ids in by_label(wanted).items():
        for chunk in chunks(ids, _IDS):
            for row in run(statements.GET_NODES, {"ids": chunk, **columns(label, slot)}, label=label):
                record = read_node(label, row)
                found[record.ref] = record
    return {ref: found[ref] for ref in wanted if ref in found}


def get_edges(run: Run, refs: Iterable[NodeRef], types: Sequence[str], direction: Direction) -> list[EdgeRecord]:
    """Edges at nodes, by (type, source, target), each once."""
    names, moments = EDGE_COLUMNS
    found: dict[tuple[str, NodeRef, NodeRef], EdgeRecord] = {}
    for label, ids in by_label(refs).items():
        for statement, out in _SIDES[direction]:
            possible = [name for name in types if _touches(name, label, out=out)]
            if not possible:
                continue
            for chunk in chunks(ids, _IDS):
                parameters = {"ids": chunk, "names": names, "moments": moments}
                rows = run(statement, parameters, label=label, type="|".join(sorted(possible)))
                for edge in read_edges(label, rows, out=out):
                    found[edge.type, edge.source, edge.target] = edge
    return [found[key] for key in sorted(found)]


def _touches(name: str, label: str, *, out: bool) -> bool:
    """Whether edges of a type can leave (or reach) nodes of a label."""
    return any((source if out else target) == label for source, target in EDGE_TYPES[name].ends)


def expand(
    run: Run, start: Iterable[NodeRef], types: Sequence[str], direction: Direction, *, depth: int, limit: int
) -> Subgraph:
    """What is reached from nodes, breadth first, at most `limit` of them."""
    records: dict[NodeRef, NodeRecord] = {}
    walked: dict[tuple[str, NodeRef, NodeRef], EdgeRecord] = {}
    frontier, truncated = _admitted(run, set(start), records, limit)
    for _ in range(depth):
        if truncated or not frontier or not types:
            break
        edges = get_edges(run, frontier, types, direction)
        walked.update(((edge.type, edge.source, edge.target), edge) for edge in edges)
        reached = {end for edge in edges for end in (edge.source, edge.target)} - records.keys()
        frontier, truncated = _admitted(run, reached, records, limit)
    among = [walked[key] for key in sorted(walked) if key[1] in records and key[2] in records]
    return Subgraph(tuple(records.values()), tuple(among), truncated)


def _admitted(
    run: Run, refs: Iterable[NodeRef], records: dict[NodeRef, NodeRecord], limit: int
) -> tuple[list[NodeRef], bool]:
    """Add nodes by (label, id) while there is room; those added, and whether some were left out."""
    ordered = sorted(refs)
    room = limit - len(records)
    found = get_nodes(run, ordered[:room])
    missing = len(ordered[:room]) - len(found)
    # names that do not exist take no room; those that an edge led to do
    rest = ordered[room:]
    while missing and rest:
        more = get_nodes(run, rest[:missing])
        found |= more
        missing, rest = missing - len(more), rest[missing:]
    records.update(found)
    return list(found), bool(rest)
