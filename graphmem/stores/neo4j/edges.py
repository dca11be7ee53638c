"""Writes and removes edges: what a save found at their ends, and what it changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from graphmem.errors import ConflictError
from graphmem.graph.records import EdgeRecord, NodeRef
from graphmem.queries import Query
from graphmem.stores.neo4j import statements
from graphmem.stores.neo4j.connection import Pending, Row
from graphmem.stores.neo4j.trees import Shapes
from graphmem.stores.neo4j.values import Moments
from graphmem.stores.neo4j.writing import WriteContext, chunks, read_hashes

_EDGE_ROWS = 2000

Ends = tuple[str, str, str]
"""Type of edges, labels of their sources and targets."""


def _edge_groups(records: Iterable[EdgeRecord]) -> dict[Ends, dict[tuple[str, str], EdgeRecord]]:
    """Edges by type and labels, then by ends: of several with the same ends the last one counts."""
    groups: dict[Ends, dict[tuple[str, str], EdgeRecord]] = defaultdict(dict)
    for record in records:
        kind = (record.type, record.source.label, record.target.label)
        groups[kind][record.source.id, record.target.id] = record
    return groups


def save_edges(context: WriteContext, records: Iterable[EdgeRecord]) -> int:
    """Write edges; how many were absent or had other properties.

    An edge at a node that this transaction made is new itself unless it was written since. It is created, which
    costs half of looking for it, and an end that it lacks is told at the end of the transaction.
    """
    total = 0
    for ends, group in sorted(_edge_groups(records).items()):
        new: list[EdgeRecord] = []
        others: list[EdgeRecord] = []
        for _, edge in sorted(group.items()):
            (new if _is_new(context, edge) else others).append(edge)
        for chunk in chunks(new, _EDGE_ROWS):
            total += _create(context, ends, chunk)
        for chunk in chunks(others, _EDGE_ROWS):
            total += _merge(context, ends, chunk)
    context.changed |= total > 0
    return total


def _is_new(context: WriteContext, edge: EdgeRecord) -> bool:
    return (edge.source in context.fresh or edge.target in context.fresh) and edge[:3] not in context.created


def _create(context: WriteContext, ends: Ends, edges: Sequence[EdgeRecord]) -> int:
    context.created.update(edge[:3] for edge in edges)

    def check(answer: Sequence[Row]) -> None:
        ((found,),) = answer
        if found < len(edges):
            raise _missing(context, edges)

    into = len({edge.target for edge in edges}) < len({edge.source for edge in edges})
    statement = statements.CREATE_EDGES_INTO if into else statements.CREATE_EDGES
    shapes = Shapes(Moments())
    context.check_later(_send(context, statement, ends, shapes, _by_end(edges, shapes, into=into)), check)
    return len(edges)


def _by_end(edges: Iterable[EdgeRecord], shapes: Shapes, *, into: bool) -> list[tuple[str, int, list[str]]]:
    """An end, the place of the properties, and the other ends of all edges that share both."""
    rows: dict[tuple[str, int], list[str]] = {}
    for edge in edges:
        one, other = (edge.target, edge.source) if into else (edge.source, edge.target)
        rows.setdefault((one.id, shapes(edge.properties)), []).append(other.id)
    return [(one, shape, others) for (one, shape), others in rows.items()]


def _merge(context: WriteContext, ends: Ends, edges: Sequence[EdgeRecord]) -> int:
    shapes = Shapes(Moments())
    rows = [(edge.source.id, edge.target.id, shapes(edge.properties)) for edge in edges]
    ((found, changed),) = _send(context, statements.SAVE_EDGES, ends, shapes, rows).rows()
    if found < len(edges):
        raise _missing(context, edges)
    return int(changed)


def _send(context: WriteContext, statement: Query, ends: Ends, shapes: Shapes, rows: Sequence[object]) -> Pending:
    kind, source, target = ends
    parameters = {"times": shapes.times, "shapes": shapes.rows, "rows": rows}
    return context.send(statement, parameters, source=source, type=kind, target=target)


def _missing(context: WriteContext, edges: Iterable[EdgeRecord]) -> ConflictError:
    return missing_end(context, (end for edge in edges for end in (edge.source, edge.target)))


def remove_edges(context: WriteContext, records: Iterable[EdgeRecord]) -> int:
    """Remove edges; how many existed."""
    total = 0
    for (kind, source, target), group in sorted(_edge_groups(records).items()):
        for rows in chunks(sorted(group), _EDGE_ROWS):
            sources, targets = (len({row[end] for row in rows}) for end in (0, 1))
            statement = statements.REMOVE_EDGES if sources >= targets else statements.REMOVE_EDGES_INTO
            ((removed,),) = context.run(statement, {"rows": rows}, source=source, type=kind, target=target)
            total += removed
    context.changed |= total > 0
    return total


def missing_end(context: WriteContext, ends: Iterable[NodeRef]) -> ConflictError:
    """The error that names an end of an edge that is not there."""
    wanted = dict.fromkeys(ends)
    there = read_hashes(context, wanted)
    for ref in wanted:
        if ref not in there:
            return ConflictError(f"an edge ends at {ref.label} {ref.id!r}, which does not exist; save it first")
    return ConflictError("an edge ends at a node that another writer removed; read again and repeat")
