"""Rows of the table `edge`: read at nodes, walked from nodes, written and removed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from graphmem.errors import ConflictError
from graphmem.graph.records import Direction, EdgeRecord, NodeRef, Subgraph
from graphmem.stores.sqlite.codec import decode_edge, encode_edge
from graphmem.stores.sqlite.nodes import read_nodes
from graphmem.stores.sqlite.session import Row, Session, as_list
from graphmem.stores.sqlite.state import WriteState

_SIDES: dict[Direction, tuple[str, ...]] = {"out": ("source",), "in": ("target",), "both": ("source", "target")}


def edge_rows(session: Session, keys: Iterable[int], types: Sequence[str], direction: Direction) -> set[Row]:
    """Rows (source, type, target, properties) of edges at nodes."""
    listed = as_list(keys)
    codes = ", ".join(str(session.codes.types[name]) for name in types)
    found: set[Row] = set()
    for side in _SIDES[direction]:
        found.update(
            session.rows(
                f"edges.by_{side}",
                f"SELECT source, type, target, properties FROM edge"
                f" WHERE {side} IN (SELECT value FROM json_each(?)) AND type IN ({codes})",
                (listed,),
            )
        )
    return found


def node_refs(session: Session, keys: Iterable[int]) -> dict[int, NodeRef]:
    """Names of nodes by key."""
    rows = session.rows(
        "nodes.refs",
        "SELECT key, label, id FROM node WHERE key IN (SELECT value FROM json_each(?))",
        (as_list(keys),),
    )
    return {key: NodeRef(session.codes.label_names[label], node_id) for key, label, node_id in rows}


def to_edges(session: Session, rows: Iterable[Row], refs: dict[int, NodeRef]) -> list[EdgeRecord]:
    """Edges of rows, by (type, source, target)."""
    names = session.codes.type_names
    edges = [EdgeRecord(names[row[1]], refs[row[0]], refs[row[2]], decode_edge(row[3])) for row in rows]
    return sorted(edges, key=lambda edge: (edge.type, edge.source, edge.target))


def read_edges(
    session: Session, keys: Sequence[int], types: Sequence[str], direction: Direction
) -> list[EdgeRecord]:
    """Edges at nodes, by (type, source, target), each once."""
    if not keys or not types:
        return []
    rows = edge_rows(session, keys, types, direction)
    ends = {row[0] for row in rows} | {row[2] for row in rows}
    return to_edges(session, rows, node_refs(session, ends))


def expand(
    session: Session, start: Sequence[int], types: Sequence[str], direction: Direction, *, depth: int, limit: int
) -> Subgraph:
    """What is reached from nodes, breadth first, at most `limit` of them."""
    refs: dict[int, NodeRef] = {}
    walked: set[Row] = set()
    frontier, truncated = _admitted(session, start, refs, limit)
    for _ in range(depth):
        if truncated or not frontier or not types:
            break
        rows = edge_rows(session, frontier, types, direction)
        walked |= rows
        reached = {end for row in rows for end in (row[0], row[2])} - refs.keys()
        frontier, truncated = _admitted(session, reached, refs, limit)
    nodes = read_nodes(session, list(refs))
    among = (row for row in walked if row[0] in refs and row[2] in refs)
    return Subgraph(tuple(nodes[key] for key in refs), tuple(to_edges(session, among, refs)), truncated)


def _admitted(
    session: Session, keys: Iterable[int], refs: dict[int, NodeRef], limit: int
) -> tuple[list[int], bool]:
    """Add nodes by (label, id) while there is room; those added, and whether some were left out."""
    found = sorted(node_refs(session, keys).items(), key=lambda item: item[1])
    room = limit - len(refs)
    refs.update(found[:room])
    return [key for key, _ in found[:room]], len(found) > room


def write_edges(state: WriteState, records: Sequence[EdgeRecord]) -> int:
    """Write edges; how many were absent or had other properties.

    Raises:
        ConflictError: An end does not exist.
    """
    if not records:
        return 0
    codes = state.session.codes.types
    keys = _keys_of_ends(state, records)
    texts: dict[int, str] = {}
    rows: dict[tuple[int, int, int], Row] = {}
    for kind, source, target, properties in records:
        # the edges of a tree share few maps, so each is encoded once; records keep them alive meanwhile
        text = texts.get(id(properties))
        if text is None:
            text = texts[id(properties)] = encode_edge(properties)
        ends = keys[source], codes[kind], keys[target]
        rows[ends] = (*ends, text)
    written = state.session.insert(
        "edges.write",
        "edge (source, type, target, properties)",
        list(rows.values()),
        "ON CONFLICT (source, type, target) DO UPDATE SET properties = excluded.properties"
        " WHERE properties <> excluded.properties",
    )
    state.changed |= written > 0
    return written


def _keys_of_ends(state: WriteState, records: Sequence[EdgeRecord]) -> Mapping[NodeRef, int]:
    """Keys of the edges' ends, and of others."""
    known = state.keys
    ends = {record[1] for record in records}
    ends.update([record[2] for record in records])
    unknown = ends - known.keys()
    missing = unknown - state.find_keys(unknown).keys()
    for end in sorted(missing):
        raise ConflictError(f"an edge ends at {end.label} {end.id!r}, which does not exist; save it first")
    return known


def remove_edges(state: WriteState, records: Sequence[EdgeRecord]) -> int:
    """Remove edges; how many existed."""
    codes = state.session.codes.types
    keys = state.find_keys({end for record in records for end in (record.source, record.target)})
    removed = state.session.run_many(
        "edges.remove",
        "DELETE FROM edge WHERE source = ? AND type = ? AND target = ?",
        [
            (keys[record.source], codes[record.type], keys[record.target])
            for record in records
            if record.source in keys and record.target in keys
        ],
    )
    state.changed |= removed > 0
    return removed
