"""What saves decide: which nodes are new, changed or unchanged, and what goes with a root."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graphmem.errors import ConflictError, InvalidInputError
from graphmem.graph.records import PLACEHOLDER, NodeRecord, NodeRef, Saved, Tree
from graphmem.graph.schema import EDGE_TYPES, NODE_TYPES, TREE_EDGES
from graphmem.stores.sqlite.edges import write_edges
from graphmem.stores.sqlite.nodes import insert_nodes, read_hashes, remove_keys, update_nodes
from graphmem.stores.sqlite.session import as_list
from graphmem.stores.sqlite.state import WriteState

OWNING_EDGES = tuple(
    sorted(
        name
        for name in TREE_EDGES
        if any(NODE_TYPES[target].owner == source for source, target in EDGE_TYPES[name].ends)
    )
)
"""HAS_STEP and HAS_FINDING: what hangs on a root by them goes with it."""


@dataclass(slots=True)
class _Sorted:
    """Records by what a save does with them."""

    absent: list[NodeRecord] = field(default_factory=list)
    described: list[NodeRecord] = field(default_factory=list)
    """Stored as placeholders so far."""
    changed: list[NodeRecord] = field(default_factory=list)
    added: list[NodeRef] = field(default_factory=list)
    unchanged: list[NodeRef] = field(default_factory=list)

    @property
    def answer(self) -> Saved:
        return Saved(tuple(self.added), tuple(one.ref for one in self.changed), tuple(self.unchanged))


def _sort(records: Sequence[NodeRecord], stored: Mapping[NodeRef, str]) -> _Sorted:
    result = _Sorted()
    for record in records:
        ref, given = record.ref, record.content_hash
        there = stored.get(ref)
        if there is None:
            result.absent.append(record)
            result.added.append(ref)
        elif given in {there, PLACEHOLDER}:
            result.unchanged.append(ref)
        elif there == PLACEHOLDER:
            result.described.append(record)
            result.added.append(ref)
        else:
            result.changed.append(record)
    return result


def _distinct(refs: Iterable[NodeRef]) -> None:
    seen: set[NodeRef] = set()
    for ref in refs:
        if ref in seen:
            raise InvalidInputError(f"{ref.label} {ref.id!r} is given twice in one call")
        seen.add(ref)


def save_nodes(
    state: WriteState, records: Sequence[NodeRecord], *, expected: Mapping[NodeRef, str] | None, replace: bool
) -> Saved:
    """Write single nodes, idempotent by (label, id)."""
    _distinct(record.ref for record in records)
    stored = read_hashes(state, [record.ref for record in records])
    if expected:
        _compare(stored | read_hashes(state, expected.keys() - stored.keys()), expected)
    result = _sort(records, stored)
    insert_nodes(state, result.absent)
    update_nodes(state, result.described)
    if replace:
        update_nodes(state, result.changed, keep_created_at=True)
    return result.answer


def _compare(stored: Mapping[NodeRef, str], expected: Mapping[NodeRef, str]) -> None:
    for ref, content_hash in expected.items():
        if stored.get(ref) != content_hash:
            what = "has other content by now" if ref in stored else "does not exist"
            raise ConflictError(f"{ref.label} {ref.id!r} {what}; read it again and decide")


def save_trees(state: WriteState, trees: Sequence[Tree], *, replace: bool) -> Saved:
    """Write roots with all they own."""
    roots = [tree.root for tree in trees]
    _distinct(root.ref for root in roots)
    result = _sort(roots, read_hashes(state, [root.ref for root in roots]))
    written = set(result.added)
    update_nodes(state, result.described)
    if replace:
        written.update(root.ref for root in result.changed)
        update_nodes(state, result.changed, keep_created_at=True)
        _clear(state, [root.ref for root in result.changed])
    chosen = [tree for tree in trees if tree.root.ref in written]
    insert_nodes(state, [*result.absent, *(node for tree in chosen for node in tree.nodes)])
    write_edges(state, [edge for tree in chosen for edge in tree.edges])
    return result.answer


def owned_keys(state: WriteState, keys: Iterable[int]) -> list[int]:
    """Nodes that hang on these by an owning edge."""
    session = state.session
    codes = ", ".join(str(session.codes.types[name]) for name in OWNING_EDGES)
    rows = session.rows(
        "trees.owned",
        f"SELECT DISTINCT target FROM edge WHERE source IN (SELECT value FROM json_each(?)) AND type IN ({codes})",
        (as_list(keys),),
    )
    return [key for (key,) in rows]


def _clear(state: WriteState, roots: Sequence[NodeRef]) -> None:
    """Remove what roots own and the edges that are replaced with them."""
    if not roots:
        return
    keys = list(state.find_keys(roots).values())
    remove_keys(state, owned_keys(state, keys))
    session = state.session
    codes = ", ".join(str(session.codes.types[name]) for name in sorted(TREE_EDGES))
    session.run(
        "trees.clear",
        f"DELETE FROM edge WHERE source IN (SELECT value FROM json_each(?)) AND type IN ({codes})",
        (as_list(keys),),
    )


def remove_nodes(state: WriteState, refs: Iterable[NodeRef]) -> int:
    """Remove nodes with what they own; how many of the named ones existed."""
    keys = list(state.find_keys(refs).values())
    if keys:
        remove_keys(state, dict.fromkeys([*keys, *owned_keys(state, keys)]))
    return len(keys)
