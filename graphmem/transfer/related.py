"""Writes the relations of a file, merged with what is stored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from graphmem.concepts.resolution import candidates_by_key, key_of_name, resolve
from graphmem.errors import StoreMissingError
from graphmem.graph.mapping.concept import concept_key
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef
from graphmem.models.concept import Relation
from graphmem.ports.graph_store import Transaction
from graphmem.transfer.faults import reason_of
from graphmem.transfer.reading import Read
from graphmem.transfer.relating import EdgeKey, Taxonomy, ends_of, types_without_cycles
from graphmem.transfer.tally import Tally
from graphmem.transfer.target import Target

Stated = tuple[Read, Relation]

_EdgesOut = Callable[[Collection[NodeRef], Iterable[str]], Iterable[EdgeRecord]]
"""The edges of some types out of some nodes."""


class RelationWriter:
    """Writes relations between concepts; concepts that are not known yet are made."""

    def __init__(self, target: Target, tally: Tally) -> None:
        self._target = target
        self._tally = tally
        self._planned: dict[EdgeKey, EdgeRecord] = {}
        """What a dry run would have written in earlier batches."""

    def write(self, relations: Sequence[Stated]) -> None:
        """Write a batch in one transaction."""
        stated = self._with_keys(relations)
        if not stated:
            return
        concepts = self._candidates(stated)
        made = {node.ref: node for node in self._target.embedded(self._absent(stated, concepts))}
        if self._target.dry_run:
            edges = self._edges_around(stated, concepts, self._target.edges) | self._planned
            self._planned |= self._relate(stated, Taxonomy(concepts, edges)).written
            return
        with self._target.graph.transaction() as transaction:
            edges = self._edges_around(stated, concepts, lambda refs, types: transaction.edges(refs, types, "out"))
            taxonomy = self._relate(stated, Taxonomy(concepts, edges))
            _save(transaction, taxonomy, made)

    def _with_keys(self, relations: Sequence[Stated]) -> list[Stated]:
        """Relations whose names a key can hold; the others are refused."""
        kept = []
        for read, relation in relations:
            try:
                concept_key(relation.head)
                concept_key(relation.tail)
            except ValueError as fault:
                self._tally.refuse(read, reason_of(fault))
            else:
                kept.append((read, relation))
        return kept

    def _candidates(self, stated: Sequence[Stated]) -> dict[str, list[NodeRecord]]:
        names = {name for _, relation in stated for name in (relation.head, relation.tail)}
        try:
            return dict(candidates_by_key(self._target.graph, sorted(names)))
        except StoreMissingError:
            return {key_of_name(name): [] for name in names}

    def _absent(self, stated: Sequence[Stated], concepts: dict[str, list[NodeRecord]]) -> list[NodeRecord]:
        """The concepts that may have to be made."""
        found: dict[NodeRef, NodeRecord] = {}
        for _, relation in stated:
            for name, kind in ((relation.head, relation.head_kind), (relation.tail, relation.tail_kind)):
                node, is_new = resolve(name, kind, concepts[key_of_name(name)], self._target.recorded_at)
                if is_new:
                    found.setdefault(node.ref, node)
        return list(found.values())

    def _edges_around(
        self, stated: Sequence[Stated], concepts: dict[str, list[NodeRecord]], edges_out: _EdgesOut
    ) -> dict[EdgeKey, EdgeRecord]:
        """Edges out of the concepts that are named, and of all above them where cycles are refused."""
        relations = [relation for _, relation in stated]
        types = sorted({relation.relation.value.upper() for relation in relations})
        ends = ends_of(relations, concepts)
        found = {_key(edge): edge for edge in edges_out(sorted(ends), types)} if ends else {}
        upwards = types_without_cycles(relations)
        reached = set(ends)
        frontier = {edge.target for edge in found.values() if edge.type in upwards} - reached
        while frontier:
            reached |= frontier
            further = list(edges_out(sorted(frontier), upwards))
            found |= {_key(edge): edge for edge in further}
            frontier = {edge.target for edge in further} - reached
        return found

    def _relate(self, stated: Sequence[Stated], taxonomy: Taxonomy) -> Taxonomy:
        for read, relation in stated:
            try:
                fate = taxonomy.relate(relation, self._target.recorded_at)
            except ValueError as fault:
                self._tally.refuse(read, reason_of(fault))
            else:
                self._tally.count(fate, written=fate != "unchanged")
        return taxonomy


def _save(transaction: Transaction, taxonomy: Taxonomy, made: dict[NodeRef, NodeRecord]) -> None:
    new = [made.get(ref, node) for ref, node in taxonomy.new_concepts.items()]
    if new:
        transaction.save_nodes(new, replace=False)
    if taxonomy.written:
        transaction.save_edges(list(taxonomy.written.values()))


def _key(edge: EdgeRecord) -> EdgeKey:
    return edge.type, edge.source, edge.target
