"""Rows of the table `node` with their search words and vectors: read, written, removed together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

import numpy as np

from graphmem.graph.records import NodeRecord, NodeRef, Vector
from graphmem.stores.sqlite.codec import decode_node, encode_node
from graphmem.stores.sqlite.session import Row, Session, as_list
from graphmem.stores.sqlite.state import WriteState
from graphmem.stores.sqlite.vectors import remove_vectors, write_vectors

SCOPE_MARK = "\u2060"
"""Begins the token of a label in the index. No word holds it: it is taken out of them (an invisible
character that graph/tokens.py never lets through), so no text can pose as another tenant's."""

_COLUMNS = "node.label, node.id, node.hash, node.properties, node.words"
_INSERTED = "node (key, tenant, label, id, hash, properties, words)"
_INDEXED_TEXT = f"'{SCOPE_MARK}t' || tenant || 'l' || label || ' ' || replace(words, '{SCOPE_MARK}', '')"
_REMOVED_AT_ONCE = 2000


def scope_token(tenant: int, label: int) -> str:
    """The token that stands for a tenant's label in every indexed text of it."""
    return f"{SCOPE_MARK}t{tenant}l{label}"


def to_record(session: Session, row: Row) -> NodeRecord:
    """The node of a row of label, id, hash, properties, words and, where asked for, vector."""
    name = session.codes.label_names[row[0]]
    vector: Vector | None = None
    if len(row) > 5 and row[5] is not None:
        vector = np.frombuffer(row[5], dtype="<f4").astype(np.float32)
    return NodeRecord(name, row[1], decode_node(name, *row[2:5]), vector)


def selected(*, vectors: bool, source: str = "node") -> str:
    """The beginning of a statement whose rows `to_record` reads; with vectors it has one parameter more."""
    if not vectors:
        return f"SELECT {_COLUMNS} FROM {source}"
    return (
        f"SELECT {_COLUMNS}, vector.vector FROM {source}"
        " LEFT JOIN vector ON vector.node = node.key AND generation = ?"
    )


def read_nodes(session: Session, keys: Sequence[int], *, generation: int | None = None) -> dict[int, NodeRecord]:
    """Nodes by key; with a generation they carry its vectors."""
    chosen = selected(vectors=generation is not None).replace("SELECT ", "SELECT node.key, ", 1)
    head = [] if generation is None else [generation]
    rows = session.rows(
        "nodes.read",
        f"{chosen} WHERE node.key IN (SELECT value FROM json_each(?))",
        [*head, as_list(keys)],
    )
    return {row[0]: to_record(session, row[1:]) for row in rows}


def read_hashes(state: WriteState, refs: Iterable[NodeRef]) -> dict[NodeRef, str]:
    """content_hash of the nodes that exist; their keys are known afterwards."""
    keys = state.find_keys(refs)
    rows = state.session.rows(
        "nodes.hashes",
        "SELECT key, hash FROM node WHERE key IN (SELECT value FROM json_each(?))",
        (as_list(keys.values()),),
    )
    hashes = {key: text or "" for key, text in rows}
    return {ref: hashes[key] for ref, key in keys.items()}


def insert_nodes(state: WriteState, records: Sequence[NodeRecord]) -> None:
    """Write nodes that are absent; one that is there all the same gets the given content."""
    if not records:
        return
    session, codes = state.session, state.session.codes.labels
    numbers = state.next_numbers("node", len(records))
    rows = [
        (key, state.tenant, codes[record.label], record.id, *encode_node(record))
        for key, record in zip(numbers, records, strict=True)
    ]
    state.changed = True
    added = session.insert("nodes.insert", _INSERTED, rows, "ON CONFLICT (tenant, label, id) DO NOTHING")
    if added < len(rows):
        there = _already_there(state, records, numbers)
        rows = [row for row, record in zip(rows, records, strict=True) if record.ref not in there]
        update_nodes(state, [record for record in records if record.ref in there])
        records = [record for record in records if record.ref not in there]
    _count_new(state, rows, records)


def _already_there(state: WriteState, records: Sequence[NodeRecord], numbers: range) -> set[NodeRef]:
    given = dict(zip((record.ref for record in records), numbers, strict=True))
    return {ref for ref, key in state.find_keys(given).items() if given[ref] != key}


def _count_new(state: WriteState, rows: Sequence[Row], records: Sequence[NodeRecord]) -> None:
    state.keys.update((record.ref, row[0]) for row, record in zip(rows, records, strict=True))
    for label, number in Counter([record.label for record in records]).items():
        state.held[label].nodes += number
    names = state.session.codes.label_names
    documents: list[tuple[int, str]] = []
    for key, tenant, label, _, _, _, words in rows:
        if words:
            held = state.held[names[label]]
            held.documents += 1
            held.words += len(words.split())
            documents.append((key, indexed_text(tenant, label, words)))
    _index(state, documents)
    vectors = zip(rows, records, strict=True)
    write_vectors(state, [(row[0], one.label, one.vector) for row, one in vectors if one.vector is not None])


def indexed_text(tenant: int, label: int, words: str) -> str:
    """What the index is given for a node; `_INDEXED_TEXT` says the same in SQL."""
    if not words.isascii():
        words = words.replace(SCOPE_MARK, "")
    return f"{scope_token(tenant, label)} {words}"


def _index(state: WriteState, documents: Sequence[tuple[int, str]]) -> None:
    if documents:
        state.session.run_many("words.insert", "INSERT INTO words (rowid, text) VALUES (?, ?)", documents)


def update_nodes(
    state: WriteState,
    records: Sequence[NodeRecord],
    *,
    keep_created_at: bool = False,
    keep_next_vectors: bool = False,
) -> None:
    """Give stored nodes new content; a vector that is not given is kept.

    Args:
        state: The transaction.
        records: Nodes whose keys are known.
        keep_created_at: Whether the stored created_at stays.
        keep_next_vectors: Whether a running re-embedding need not see them again: the text is as it was.
    """
    if not records:
        return
    session, labels = state.session, state.session.codes.labels
    keys = [state.keys[record.ref] for record in records]
    unindex(state, keys)
    kept = _created(session, keys) if keep_created_at else {}
    rows = [(*encode_node(record), key) for key, record in zip(keys, records, strict=True)]
    session.run_many("nodes.update", "UPDATE node SET hash = ?, properties = ?, words = ? WHERE key = ?", rows)
    if kept:
        session.run_many(
            "nodes.created_at",
            "UPDATE node SET properties = json_set(properties, '$.created_at', ?) WHERE key = ?",
            kept,
        )
    documents = []
    for record, row in zip(records, rows, strict=True):
        if row[2]:
            held = state.held[record.label]
            held.documents += 1
            held.words += len(row[2].split())
            documents.append((row[3], indexed_text(state.tenant, labels[record.label], row[2])))
    _index(state, documents)
    if not keep_next_vectors:
        _drop_next_vectors(state, keys)
    vectors = zip(keys, records, strict=True)
    write_vectors(state, [(key, one.label, one.vector) for key, one in vectors if one.vector is not None])
    state.changed = True


def _created(session: Session, keys: Sequence[int]) -> list[Row]:
    return session.rows(
        "nodes.created_at",
        "SELECT json_extract(properties, '$.created_at') AS moment, key FROM node"
        " WHERE key IN (SELECT value FROM json_each(?)) AND moment IS NOT NULL",
        (as_list(keys),),
    )


def _drop_next_vectors(state: WriteState, keys: Sequence[int]) -> None:
    """A running re-embedding must see changed nodes again."""
    state.session.run(
        "vectors.stale",
        "DELETE FROM vector WHERE node IN (SELECT value FROM json_each(?)) AND generation > ?",
        (as_list(keys), state.generation),
    )


def unindex(state: WriteState, keys: Sequence[int]) -> None:
    """Take nodes out of the word index and its counts; a contentless index needs the text it was given."""
    session = state.session
    listed = as_list(keys)
    for label, words in session.rows(
        "words.count",
        "SELECT label, words FROM node WHERE key IN (SELECT value FROM json_each(?)) AND words <> ''",
        (listed,),
    ):
        held = state.held[session.codes.label_names[label]]
        held.documents -= 1
        held.words -= len(words.split())
    session.run(
        "words.remove",
        f"INSERT INTO words (words, rowid, text) SELECT 'delete', key, {_INDEXED_TEXT} FROM node"
        " WHERE key IN (SELECT value FROM json_each(?)) AND words <> ''",
        (listed,),
    )


def remove_keys(state: WriteState, keys: Iterable[int]) -> dict[str, int]:
    """Remove nodes with their edges, words and vectors; what they own is the caller's.

    Returns:
        How many were removed, by label.
    """
    removed: dict[str, int] = {}
    waiting = iter(keys)
    while chunk := list(islice(waiting, _REMOVED_AT_ONCE)):
        for label, count in _remove_chunk(state, chunk):
            removed[label] = removed.get(label, 0) + count
    if removed:
        state.changed = True
        state.keys.clear()
    return removed


def _remove_chunk(state: WriteState, keys: Sequence[int]) -> list[tuple[str, int]]:
    session, listed = state.session, as_list(keys)
    unindex(state, keys)
    remove_vectors(state, keys)
    chosen = "IN (SELECT value FROM json_each(?))"
    session.run("edges.remove_out", f"DELETE FROM edge WHERE source {chosen}", (listed,))
    session.run("edges.remove_in", f"DELETE FROM edge WHERE target {chosen}", (listed,))
    counts = session.rows(
        "nodes.count", f"SELECT label, count(*) FROM node WHERE key {chosen} GROUP BY label", (listed,)
    )
    session.run("nodes.remove", f"DELETE FROM node WHERE key {chosen}", (listed,))
    named = [(session.codes.label_names[label], count) for label, count in counts]
    for label, count in named:
        state.held[label].nodes -= count
    return named
