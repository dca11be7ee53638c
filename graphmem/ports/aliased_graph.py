"""A tenant's graph in which an alias stands for the concept it names: what is written to one reaches the other.

Writers make ids out of names and need not look anything up. Put around a store's graph by bootstrap; copies and
full imports write to the graph inside, since they bring aliases along as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from graphmem.graph.mapping.alias import ALIAS_OF, alias_ref, aliases_of, merge_ref, merged_hash, shadowed_ref
from graphmem.graph.mapping.concept import concept_words
from graphmem.graph.mapping.origins import joined, moved
from graphmem.graph.records import (
    PLACEHOLDER,
    EdgeRecord,
    NodeRecord,
    NodeRef,
    Saved,
    Tree,
    Value,
)
from graphmem.ports.forwarding import ForwardingGraph, ForwardingTransaction
from graphmem.ports.graph_store import TenantGraph, Transaction
from graphmem.ports.identity import led


class AliasedTransaction(ForwardingTransaction):
    """Implements `Transaction`: edges to an alias go to its concept, and descriptions keep aliases up to date."""

    def __init__(self, inner: Transaction) -> None:
        super().__init__(inner)
        self._ways: dict[NodeRef, EdgeRecord | None] = {}

    def save_trees(self, trees: Sequence[Tree], *, replace: bool = False) -> Saved:  # noqa: D102 (the port says it)
        return self._inner.save_trees(self._led_trees(trees), replace=replace)

    def save_nodes(  # noqa: D102 (the port says it)
        self,
        records: Sequence[NodeRecord],
        *,
        expected: Mapping[NodeRef, str] | None = None,
        replace: bool = True,
    ) -> Saved:
        concepts = [record for record in records if record.label == "Concept"]
        if not concepts:
            return self._inner.save_nodes(records, expected=expected, replace=replace)
        elsewhere = self._kept_elsewhere(concepts)
        described = [one for one in concepts if one.content_hash != PLACEHOLDER and one.ref not in elsewhere]
        before = self._inner.get([one.ref for one in described]) if described else {}
        kept = [record for record in records if record.ref not in elsewhere]
        saved = self._inner.save_nodes(kept, expected=expected, replace=replace)
        written = {*saved.added, *(saved.changed if replace else ())}
        for one in described:
            if one.ref in written:
                self._keep_merged_names(one, before.get(one.ref))
        self._name([one for one in described if one.ref in written], before)
        changed = tuple(ref for ref, differs in elsewhere.items() if differs)
        unchanged = tuple(ref for ref, differs in elsewhere.items() if not differs)
        return Saved(saved.added, (*saved.changed, *changed), (*saved.unchanged, *unchanged))

    def save_edges(self, records: Sequence[EdgeRecord]) -> int:  # noqa: D102 (the port says it)
        return self._inner.save_edges(self._led_edges(records))

    def remove_nodes(self, refs: Iterable[NodeRef]) -> int:  # noqa: D102 (the port says it)
        given = list(refs)
        concepts = [ref for ref in given if ref.label == "Concept"]
        names = self._inner.edges(concepts, [ALIAS_OF], "in") if concepts else []
        removed = self._inner.remove_nodes(given)
        self._remove_unused([edge.source for edge in names])
        return removed

    def _kept_elsewhere(self, concepts: Sequence[NodeRecord]) -> dict[NodeRef, bool]:
        """Concepts that are not written, since their name is another one's; whether they say something new.

        A mere mention needs no node of its own. A description stays with the merge that took its concept away.
        """
        self._learn(record.ref for record in concepts)
        found = {record.ref: False for record in concepts if self._ways[record.ref] is not None}
        described = [record for record in concepts if record.ref in found and record.content_hash != PLACEHOLDER]
        merged = self._merged(described)
        for record in described:
            known = merged.get(record.ref)
            if known is None:
                # an alias that was only given does not take the place of a described concept
                del found[record.ref]
            else:
                found[record.ref] = known != record.content_hash
        return found

    def _merged(self, concepts: Sequence[NodeRecord]) -> dict[NodeRef, str]:
        """Content hashes of what was merged away, by concept."""
        aliases = self._inner.get([alias_ref(record.ref) for record in concepts]) if concepts else {}
        merges = {shadowed_ref(ref): merge for ref, node in aliases.items() if (merge := merge_ref(node))}
        records = self._inner.get(merges.values()) if merges else {}
        return {ref: merged_hash(records[merge]) for ref, merge in merges.items() if merge in records}

    def _keep_merged_names(self, concept: NodeRecord, before: NodeRecord | None) -> None:
        """A new description does not undo a merge: the names of what was merged stay."""
        names = None if before is None else before.properties.get("merged_names")
        if names:
            words = concept_words({**concept.properties, "merged_names": names})
            self._inner.set_properties("Concept", [(concept.id, {"merged_names": names, "search_text": words})])

    def _name(self, concepts: Sequence[NodeRecord], before: Mapping[NodeRef, NodeRecord]) -> None:
        """Make the aliases that descriptions give, and drop those that they no longer give."""
        wanted = {(edge.source, edge.target): (alias, edge) for one in concepts for alias, edge in aliases_of(one)}
        dated = [one.ref for one in concepts if one.ref in before]
        present = self._inner.edges(dated, [ALIAS_OF], "in") if dated else []
        there = {(edge.source, edge.target) for edge in present}
        gone = [
            edge
            for edge in present
            if edge.properties.get("source") == "given" and (edge.source, edge.target) not in wanted
        ]
        new = [pair for ends, pair in wanted.items() if ends not in there]
        if new:
            self._inner.save_nodes(list({alias.ref: alias for alias, _ in new}.values()), replace=False)
            self._inner.save_edges([edge for _, edge in new])
        if gone:
            self._inner.remove_edges(gone)
            self._remove_unused([edge.source for edge in gone])
        self._ways.clear()

    def _remove_unused(self, aliases: Sequence[NodeRef]) -> None:
        """Remove aliases that name nothing any more, with what merges kept for them."""
        if not aliases:
            return
        used = {edge.source for edge in self._inner.edges(aliases, [ALIAS_OF], "out")}
        unused = [ref for ref in dict.fromkeys(aliases) if ref not in used]
        merges = [merge for node in self._inner.get(unused).values() if (merge := merge_ref(node))]
        if unused:
            self._inner.remove_nodes([*unused, *merges])
        self._ways.clear()

    def _learn(self, concepts: Iterable[NodeRef]) -> None:
        new = [ref for ref in dict.fromkeys(concepts) if ref not in self._ways]
        if new:
            self._ways.update(dict.fromkeys(new))
            self._ways.update(led(self._inner, new))

    def _led_trees(self, trees: Sequence[Tree]) -> Sequence[Tree]:
        self._learn(edge.target for tree in trees for edge in tree.edges if edge.target.label == "Concept")
        return [
            replace(tree, edges=tuple(self._led(tree.edges)))
            if any(self._ways.get(edge.target) is not None for edge in tree.edges)
            else tree
            for tree in trees
        ]

    def _led_edges(self, records: Sequence[EdgeRecord]) -> Sequence[EdgeRecord]:
        self._learn(
            end
            for edge in records
            if edge.type != ALIAS_OF
            for end in (edge.source, edge.target)
            if end.label == "Concept"
        )
        return list(self._led(records)) if any(self._ways.values()) else records

    def _led(self, records: Iterable[EdgeRecord]) -> Iterable[EdgeRecord]:
        """The edges with concepts in place of aliases, each pair of ends once; none from a concept to itself."""
        found: dict[tuple[str, NodeRef, NodeRef], EdgeRecord] = {}
        for record in records:
            edge = self._led_edge(record)
            if edge is not record and edge.source == edge.target:
                continue
            place = edge.type, edge.source, edge.target
            other = found.get(place)
            if other is not None:
                edge = edge._replace(properties=joined(other.properties, edge.properties))
            found[place] = edge
        return found.values()

    def _led_edge(self, edge: EdgeRecord) -> EdgeRecord:
        source, target = (self._ways.get(end) if edge.type != ALIAS_OF else None for end in edge[1:3])
        if source is not None:
            said = _said(edge, source)
            edge = edge._replace(source=source.target, properties=said)
        if target is not None:
            said = _said(edge, target)
            edge = edge._replace(target=target.target, properties=said)
        return edge


def _said(edge: EdgeRecord, way: EdgeRecord) -> Mapping[str, Value]:
    """The properties of an edge that is led along a way: what is said of a merged concept goes back with it."""
    merged = way.properties.get("source") == "merged"
    return moved(edge.properties, way.source.id) if merged else edge.properties


class AliasedGraph(ForwardingGraph):
    """A graph whose writes go through `AliasedTransaction`."""

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:  # noqa: D102 (the port says it)
        with self.inner.transaction() as transaction:
            yield AliasedTransaction(transaction)


def without_aliasing(graph: TenantGraph) -> TenantGraph:
    """The graph inside, where aliases are nodes like others."""
    return graph.inner if isinstance(graph, AliasedGraph) else graph


def with_aliasing(graph: TenantGraph) -> AliasedGraph:
    """The graph in which aliases stand for their concepts."""
    return graph if isinstance(graph, AliasedGraph) else AliasedGraph(graph)
