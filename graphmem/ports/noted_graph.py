"""A tenant's graph that notes what consolidation has to read again, in the transaction that makes it so.

Put between a store's graph and its aliases by bootstrap, so that everything but consolidation itself writes
through it. The notes stand on the ConsolidationRun that holds what is known; where there is none, everything is
read anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from graphmem.errors import StoreMissingError
from graphmem.graph.mapping.episode import is_closed
from graphmem.graph.mapping.notes import (
    AGAIN,
    EVERYTHING,
    KNOWN,
    MARKS,
    MOST_NOTES,
    OF_THIS_STORE,
    for_another_store,
    notes_of_edges,
    notes_of_removed,
    notes_of_saved,
    notes_of_set,
)
from graphmem.graph.records import (
    EdgeRecord,
    NodeRecord,
    NodeRef,
    Range,
    Saved,
    Tree,
)
from graphmem.ports.aliased_graph import AliasedGraph, without_aliasing
from graphmem.ports.forwarding import ForwardingGraph, ForwardingTransaction
from graphmem.ports.graph_store import TenantGraph, Transaction

RUN = "ConsolidationRun"


class NotedTransaction(ForwardingTransaction):
    """Implements `Transaction`; `write_notes` ends it."""

    def __init__(self, inner: Transaction, graph: TenantGraph) -> None:
        super().__init__(inner)
        self._graph = graph
        self._notes: set[str] = set()

    def save_trees(self, trees: Sequence[Tree], *, replace: bool = False) -> Saved:  # noqa: D102 (the port says it)
        saved = self._inner.save_trees(trees, replace=replace)
        self._note_saved([tree.root for tree in trees], saved, replaced=saved.changed if replace else ())
        return saved

    def save_nodes(  # noqa: D102 (the port says it)
        self,
        records: Sequence[NodeRecord],
        *,
        expected: Mapping[NodeRef, str] | None = None,
        replace: bool = True,
    ) -> Saved:
        records = self._own_words(records)
        closing = [one.ref for one in records if one.label == "Episode" and is_closed(one)] if replace else []
        unread = closing and self._unread(closing)
        saved = self._inner.save_nodes(records, expected=expected, replace=replace)
        opened = {one.ref for one in records if one.label == "Episode" and not is_closed(one)}
        passed = {*(unread or ()), *opened}
        self._note_saved(
            records, saved, replaced=[ref for ref in saved.changed if ref not in passed] if replace else ()
        )
        return saved

    def save_edges(self, records: Sequence[EdgeRecord]) -> int:  # noqa: D102 (the port says it)
        self._notes.update(notes_of_edges(records))
        return self._inner.save_edges(records)

    def set_properties(  # noqa: D102 (the port says it)
        self, label: str, rows: Sequence[tuple[str, Mapping[str, object]]]
    ) -> int:
        if label == RUN and any(OF_THIS_STORE & changes.keys() for _, changes in rows):
            self._notes.add(EVERYTHING)
            rows = [
                (name, {key: value for key, value in changes.items() if key not in OF_THIS_STORE})
                for name, changes in rows
            ]
        for _, changes in rows:
            self._notes.update(notes_of_set(label, changes.keys()))
        return self._inner.set_properties(label, rows)

    def remove_nodes(self, refs: Iterable[NodeRef]) -> int:  # noqa: D102 (the port says it)
        given = list(refs)
        texts = [ref for ref in given if ref.label in {"Message", "Episode"}]
        unread = self._unread(texts) if texts else frozenset()
        for ref in given:
            if ref not in unread:
                self._notes.update(notes_of_removed(ref.label, ref.id))
        return self._inner.remove_nodes(given)

    def remove_edges(self, records: Iterable[EdgeRecord]) -> int:  # noqa: D102 (the port says it)
        given = list(records)
        self._notes.update(notes_of_edges(given))
        return self._inner.remove_edges(given)

    def write_notes(self) -> None:
        """Add the notes of this transaction to those that are kept."""
        if not self._notes:
            return
        try:
            runs = knowing_runs(self._graph)
        except StoreMissingError:
            # the first write makes the store, and no run has read it yet
            return
        for run in runs:
            before = run.properties.get(AGAIN)
            notes = {*(before if isinstance(before, list) else ()), *self._notes}
            if EVERYTHING in notes or len(notes) > MOST_NOTES:
                self._inner.set_properties(RUN, [(run.id, {KNOWN: None, AGAIN: None})])
            else:
                self._inner.set_properties(RUN, [(run.id, {AGAIN: sorted(notes)})])

    def _note_saved(self, records: Sequence[NodeRecord], saved: Saved, replaced: Iterable[NodeRef]) -> None:
        named = {record.ref: record for record in records}
        self._notes.update(notes_of_saved([named[ref] for ref in saved.added], [named[ref] for ref in replaced]))

    def _unread(self, refs: Sequence[NodeRef]) -> frozenset[NodeRef]:
        """Those of some messages and episodes that nothing was learned from yet."""
        stored = self._inner.get(refs)
        return frozenset(ref for ref, node in stored.items() if MARKS.isdisjoint(node.properties))

    def _own_words(self, records: Sequence[NodeRecord]) -> Sequence[NodeRecord]:
        """Runs of another store without what they knew: it does not hold here."""
        if not any(record.label == RUN and OF_THIS_STORE & record.properties.keys() for record in records):
            return records
        self._notes.add(EVERYTHING)
        return [for_another_store(record) if record.label == RUN else record for record in records]


class NotedGraph(ForwardingGraph):
    """A graph whose writes go through `NotedTransaction`."""

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:  # noqa: D102 (the port says it)
        with self.inner.transaction() as transaction:
            noted = NotedTransaction(transaction, self.inner)
            yield noted
            noted.write_notes()

    def erase(self, user_id: str | None = None) -> dict[str, int]:  # noqa: D102 (the port says it)
        if user_id is None:
            return self.inner.erase()
        # before, so that nothing of the user stays in it; behind, since a run may have begun meanwhile
        forget_known(self.inner)
        removed = self.inner.erase(user_id)
        forget_known(self.inner)
        return removed


def knowing_runs(graph: TenantGraph) -> tuple[NodeRecord, ...]:
    """The run that holds what is known; none where nothing is."""
    return graph.scan(RUN, Range(KNOWN), limit=10).records


def forget_known(graph: TenantGraph) -> None:
    """Have the next consolidation read everything."""
    rows = [(run.id, dict.fromkeys((KNOWN, AGAIN))) for run in knowing_runs(graph)]
    if rows:
        with graph.transaction() as transaction:
            transaction.set_properties(RUN, rows)


def is_noted(graph: TenantGraph) -> bool:
    """Whether all others write through notes, so that what a run knew may be relied on."""
    return isinstance(without_aliasing(graph), NotedGraph)


def without_notes(graph: TenantGraph) -> TenantGraph:
    """The same graph for writes that need none: those of consolidation."""
    if isinstance(graph, AliasedGraph) and isinstance(graph.inner, NotedGraph):
        return AliasedGraph(graph.inner.inner)
    return graph.inner if isinstance(graph, NotedGraph) else graph
