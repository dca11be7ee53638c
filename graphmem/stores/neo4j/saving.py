"""What saves of nodes do: rows to the server, and what its answer says was new, changed or there already."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from graphmem.errors import ConflictError, InvalidInputError
from graphmem.graph.records import PLACEHOLDER, EdgeRecord, NodeRecord, NodeRef, Saved, Tree
from graphmem.graph.schema import NODE_TYPES
from graphmem.stores.neo4j import statements
from graphmem.stores.neo4j.connection import Pending
from graphmem.stores.neo4j.edges import missing_end, save_edges
from graphmem.stores.neo4j.trees import TreeBatch, batches
from graphmem.stores.neo4j.values import COLUMNS, Moments, moment, own_label, properties_of
from graphmem.stores.neo4j.writing import WriteContext, by_label, chunks, read_hashes

_ROWS = 500
_ROWS_AT_ONCE = 250
_MANY = 8
"""Trees from which it pays to ask first what is there: those are neither packed nor sent. The tenant's lock
keeps the answer true."""
_OWNERS = frozenset(kind.owner for kind in NODE_TYPES.values() if kind.owner)


def _distinct(refs: Iterable[NodeRef]) -> None:
    seen: set[NodeRef] = set()
    for ref in refs:
        if ref in seen:
            raise InvalidInputError(f"{ref.label} {ref.id!r} is given twice in one call")
        seen.add(ref)


def _answer(records: Sequence[NodeRecord], stored: Mapping[NodeRef, str]) -> Saved:
    added, changed, unchanged = [], [], []
    for record in records:
        there = stored.get(record.ref)
        if there is None:
            added.append(record.ref)
        elif record.content_hash in {there, PLACEHOLDER}:
            unchanged.append(record.ref)
        elif there == PLACEHOLDER:
            added.append(record.ref)
        else:
            changed.append(record.ref)
    return Saved(tuple(added), tuple(changed), tuple(unchanged))


def save_trees(context: WriteContext, trees: Sequence[Tree], *, replace: bool) -> Saved:
    """Write roots with all they own."""
    roots = [tree.root for tree in trees]
    _distinct(root.ref for root in roots)
    owning = [tree for tree in trees if tree.root.label in _OWNERS]
    stored = read_hashes(context, [tree.root.ref for tree in owning]) if len(owning) >= _MANY else {}
    absent = set(_answer([tree.root for tree in owning], stored).added)
    stored |= _write_trees(context, [tree for tree in owning if tree.root.ref in absent], {})
    plain = [tree for tree in trees if tree.root.label not in _OWNERS]
    if plain:
        stored |= _save(context, [tree.root for tree in plain], replace=replace)
    answer = _answer(roots, stored)
    written = set(answer.added)
    if replace and answer.changed:
        written.update(answer.changed)
        changed = set(answer.changed)
        again = [tree for tree in owning if tree.root.ref in changed]
        _write_trees(context, again, _clear(context, again))
    save_edges(context, [edge for tree in plain if tree.root.ref in written for edge in tree.edges])
    return answer


def _write_trees(
    context: WriteContext, trees: Sequence[Tree], created_at: Mapping[str, Any]
) -> dict[NodeRef, str]:
    """Write what is absent; content hashes of the roots that were there."""
    stored: dict[NodeRef, str] = {}
    words: dict[NodeRef, int | None] = {}
    later: list[EdgeRecord] = []
    names = _replaced(context, "Episode")
    begin = lambda: TreeBatch(context.tenant, context.state.slot, context.codec, names=names)  # noqa: E731 (an argument)
    for batch in batches(trees, begin, created_at):
        ((seen, there),) = context.run(statements.SAVE_TREES, batch.parameters)
        if not seen:
            raise missing_end(context, (NodeRef(*name) for name in batch.shared))
        for node_id, content_hash, counted in there:
            ref = NodeRef("Episode", node_id)
            stored[ref], words[ref] = content_hash, counted
        later.extend(batch.later)
    written = set(_answer([tree.root for tree in trees], stored).added)
    for tree in trees:
        if tree.root.ref in written:
            context.note(tree.root, words.get(tree.root.ref))
            context.has_vectors |= any(node.vector is not None for node in tree.nodes)
    if later:
        own = {
            ref
            for tree in trees
            if tree.root.ref in written
            for ref in (tree.root.ref, *(n.ref for n in tree.nodes))
        }
        save_edges(context, [edge for edge in later if edge.source in own])
    return stored


def _clear(context: WriteContext, trees: Sequence[Tree]) -> dict[str, Any]:
    ids = sorted(tree.root.id for tree in trees)
    rows = context.run(statements.CLEAR_TREES, {"ids": ids})
    return {node_id: moment(*parts) for node_id, parts in rows if parts[0] is not None}


def save_nodes(
    context: WriteContext, records: Sequence[NodeRecord], *, expected: Mapping[NodeRef, str] | None, replace: bool
) -> Saved:
    """Write single nodes, idempotent by (label, id)."""
    _distinct(record.ref for record in records)
    if expected:
        _compare(read_hashes(context, expected), expected)
    return _answer(records, _save(context, records, replace=replace))


def _save(context: WriteContext, records: Sequence[NodeRecord], *, replace: bool) -> dict[NodeRef, str]:
    """Write what is absent or may be replaced; content hashes of the nodes that were there."""
    stored: dict[NodeRef, str] = {}
    grouped: dict[str, list[NodeRecord]] = defaultdict(list)
    for record in records:
        grouped[record.label].append(record)
    for label, group in sorted(grouped.items()):
        group.sort(key=lambda record: record.id)
        for chunk in chunks(group, _ROWS):
            stored |= _save_rows(context, label, chunk, replace=replace)
    return stored


def _save_rows(
    context: WriteContext, label: str, records: Sequence[NodeRecord], *, replace: bool
) -> dict[NodeRef, str]:
    # the server writes one part while the next one is made
    sent = [_send(context, label, part, replace=replace) for part in chunks(records, _ROWS_AT_ONCE)]
    there = [row for pending in sent for row in pending.rows()[0][0]]
    stored = {NodeRef(label, node_id): content_hash for node_id, content_hash, _ in there}
    words = {node_id: counted for node_id, _, counted in there}
    answer = _answer(records, stored)
    written = {ref.id for ref in (*answer.added, *(answer.changed if replace else ()))}
    context.fresh.update(ref for ref in answer.added if ref not in stored)
    for record in records:
        if record.id in written:
            context.note(record, words.get(record.id))
    return stored


def _send(context: WriteContext, label: str, records: Sequence[NodeRecord], *, replace: bool) -> Pending:
    moments = Moments()
    rows = [_row(context, record, moments) for record in records]
    parameters = {"slot": context.state.slot, "names": _replaced(context, label), "replace": replace}
    return context.send(statements.SAVE_NODES, {**parameters, "times": moments.rows, "rows": rows}, label=label)


def _replaced(context: WriteContext, label: str) -> list[str]:
    """What a node loses when it gets other content: all it had, and what a running re-embedding made of it."""
    plain, times = COLUMNS[label]
    return [*plain, *times, *([context.state.next_slot] if context.state.reembedding else [])]


def _row(context: WriteContext, record: NodeRecord, moments: Moments) -> dict[str, Any]:
    properties = properties_of(record.properties, moments)
    return {
        "id": record.id,
        "hash": record.content_hash,
        "properties": properties,
        "vector": None if record.vector is None else context.codec.encode(record.vector),
    }


def _compare(stored: Mapping[NodeRef, str], expected: Mapping[NodeRef, str]) -> None:
    for ref, content_hash in expected.items():
        if stored.get(ref) != content_hash:
            what = "has other content by now" if ref in stored else "does not exist"
            raise ConflictError(f"{ref.label} {ref.id!r} {what}; read it again and decide")


def remove_nodes(context: WriteContext, refs: Iterable[NodeRef]) -> tuple[int, dict[str, int]]:
    """Remove nodes with what they own; how many of the named ones existed, and all that went by label."""
    named = by_label(refs)
    # an owned node that is named as well goes with its owner, before its turn comes
    there = None if len(named) == 1 else len(read_hashes(context, _refs(named)))
    total = 0
    gone: dict[str, int] = defaultdict(int)
    for label, ids in named.items():
        for chunk in chunks(ids, _ROWS):
            ((found, removed),) = context.run(statements.REMOVE_NODES, {"ids": chunk}, label=label)
            total += found
            for labels, words in removed:
                name = own_label(labels)
                gone[name] += 1
                context.count(name, -bool(words), -(words or 0))
    return total if there is None else there, dict(gone)


def _refs(named: Mapping[str, Sequence[str]]) -> Iterator[NodeRef]:
    return (NodeRef(label, node_id) for label, ids in named.items() for node_id in ids)


def set_properties(context: WriteContext, label: str, rows: Sequence[tuple[str, Mapping[str, Any]]]) -> int:
    """Set some properties of nodes, their content hash untouched; how many of the nodes exist."""
    merged: dict[str, dict[str, Any]] = defaultdict(dict)
    for node_id, changes in rows:
        merged[node_id].update(changes)
    total = 0
    _, times = COLUMNS[label]
    for chunk in chunks(sorted(merged.items()), _ROWS):
        moments = Moments()
        sent = []
        for node_id, changes in chunk:
            places = properties_of(changes, moments)
            moved = [(name, places.pop(name)) for name in times if places.get(name) is not None]
            sent.append({"id": node_id, "properties": places, "moments": moved})
        parameters = {"times": moments.rows, "rows": sent}
        ((found, documents, words),) = context.run(statements.SET_PROPERTIES, parameters, label=label)
        total += found
        if found:
            context.count(label, documents, words)
    return total
