"""`memory.concepts`: concepts by name, their relations and trees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.concepts.cycles import closing_path, cycle_refused
from graphmem.concepts.drawing import concept_graph, graph_around
from graphmem.concepts.merging import ConceptMerging
from graphmem.concepts.resolution import candidates_by_key, find_concept, key_of_name, resolve, unclear
from graphmem.concepts.standing import standings
from graphmem.concepts.views import ConceptTree, ConceptView, branches, mention
from graphmem.errors import InvalidInputError, StoreMissingError
from graphmem.graph.mapping.alias import ALIAS_OF
from graphmem.graph.mapping.concept import concept_record, relation_edge, to_concept, to_relation
from graphmem.graph.records import Cursor, EdgeRecord, In, NodeRecord, Saved
from graphmem.graph.schema import CONCEPT_RELATIONS
from graphmem.models.checking import checked, model_or_fields, refusals
from graphmem.models.concept import Concept, Relation, RelationSource, RelationType
from graphmem.ports.batches import refuse_changed, to_write
from graphmem.ports.embedding import with_vectors
from graphmem.ports.graph_store import Transaction
from graphmem.ports.listing import Listing, equals, listing, read_page

if TYPE_CHECKING:
    import networkx as nx

MAX_TREE = 1000
"""Concepts of a tree at most: more is no reading matter."""

MAX_DEPTH = 100
"""Levels of a tree at most."""

MAX_GRAPH = 100_000
"""Concepts of a drawn graph around one of them at most."""

WITNESSES = 10
"""Pieces of evidence that are shown of a relation of a concept."""

WITNESSES_IN_TREE = 3
"""The same in a tree, which holds up to 2,000 relations."""


class ConceptsService(ConceptMerging):
    """The concepts of one tenant."""

    def add(self, concept: Concept | Mapping[str, Any], *, replace: bool = False) -> Saved:
        """Describe a concept; one that was only named so far is filled in.

        Args:
            concept: What to keep, or a mapping of its fields; its identity is its canonical key and its kind.
            replace: Whether it replaces another description.

        Raises:
            ConflictError: It is described otherwise already.
            InvalidInputError: A value is refused, or the name is blank.
        """
        workspace = self._workspace
        described = model_or_fields(Concept, concept)
        with refusals():
            record = concept_record(described, workspace.now())
        if to_write(workspace, [record], replace=replace):
            record = with_vectors([record], workspace.embedder)[0]
        with workspace.graph.transaction() as transaction:
            saved = transaction.save_nodes([record], replace=replace)
        if not replace:
            refuse_changed(saved, "concept")
        return saved

    def get(self, name: str, *, kind: str | None = None) -> Concept:
        """The concept of this name or id.

        Args:
            name: A name, however it is written, or an id.
            kind: Its kind; None: of kind "concept" before others, else the only one of that name.

        Raises:
            NotFoundError: There is none.
            InvalidInputError: The name is blank, or that of concepts of several other kinds.
        """
        return to_concept(find_concept(self._workspace.graph, name, kind))

    def list(
        self,
        *,
        kind: str | None = None,
        name: str | None = None,
        abstraction_level: int | None = None,
        order: str = "key",
        after: Cursor | None = None,
        limit: int = 100,
    ) -> Listing[Concept]:
        """A page of concepts, by key.

        Args:
            kind: Only of this kind.
            name: Only of this name or alias, of any kind.
            abstraction_level: Only of this level, 1 to 5.
            order: key, kind, id, created_at or abstraction_level; `-` before it for falling order.
            after: `next` of the page before.
            limit: 1 to 10,000.
        """
        named = () if name is None else (In("key", self._keys(name)),)
        filters = self._workspace.filters(
            "Concept", *equals(kind=kind, abstraction_level=abstraction_level), *named
        )
        page = read_page(self._workspace.graph, "Concept", filters, order=order, after=after, limit=limit)
        return listing(page, to_concept)

    def relate(
        self,
        head: str,
        relation: RelationType | str,
        tail: str,
        *,
        head_kind: str | None = None,
        tail_kind: str | None = None,
        confidence: float = 1.0,
        source: RelationSource = "given",
        evidence: Iterable[str] = (),
    ) -> Relation:
        """Say how one concept relates to another one; concepts not known yet are made.

        Args:
            head: Name of the concept the statement is about.
            relation: is_a, part_of, causes, ...; see `RelationType`.
            tail: Name of the other concept.
            head_kind: Kind of the head; None: "concept" before others, else the only one of that name.
            tail_kind: Kind of the tail, likewise.
            confidence: How sure, 0 to 1.
            source: given, extracted or consolidated.
            evidence: Ids or sentences that support it.

        Returns:
            The relation as it is stored.

        Raises:
            InvalidInputError: A value is refused, or an is_a or part_of would close a cycle.
        """
        given = {"head": head, "relation": relation, "tail": tail, "head_kind": head_kind, "tail_kind": tail_kind}
        said = checked(
            Relation, {**given, "confidence": confidence, "source": source, "evidence": tuple(evidence)}
        )
        now = self._workspace.now()
        first, second, new = self._ends(said, now)
        edge = relation_edge(said, first.ref, second.ref, now)
        with self._workspace.graph.transaction() as transaction:
            if new:
                transaction.save_nodes(new, replace=False)
            _refuse_cycle(transaction, said.relation, edge)
            transaction.save_edges([edge])
        return to_relation(edge, first, second)

    def show(self, name: str, *, kind: str | None = None, limit: int = 100) -> ConceptView:
        """A concept with its relations and what is about it.

        Args:
            name: A name or an id.
            kind: Its kind, as for `get`.
            limit: Most mentions, 1 to 10,000.

        Raises:
            NotFoundError: There is none.
        """
        record = find_concept(self._workspace.graph, name, kind)
        around = self._workspace.graph.edges([record.ref], direction="both")
        joining = [edge for edge in around if _joins_concepts(edge)]
        relations, hidden = joining[:MAX_TREE], len(joining) > MAX_TREE
        known = standings(self._workspace, relations, most=WITNESSES)
        incoming = [edge for edge in around if not _joins_concepts(edge) and edge.type != ALIAS_OF]
        nodes = self._workspace.graph.get(
            [edge.source for edge in (*incoming, *relations)] + [edge.target for edge in relations] + [record.ref]
        )
        visible = [edge for edge in incoming if edge.source in nodes and self._workspace.sees(nodes[edge.source])]
        return ConceptView(
            record.id,
            to_concept(record),
            tuple(to_relation(edge, nodes[edge.source], nodes[edge.target]) for edge in relations),
            tuple(mention(edge, nodes[edge.source]) for edge in visible[:limit]),
            truncated=len(visible) > limit or hidden,
            standings=tuple(known[edge[:3]] for edge in relations),
        )

    def tree(
        self, name: str, *, kind: str | None = None, depth: int = MAX_DEPTH, limit: int = MAX_TREE
    ) -> ConceptTree:
        """What a concept is a kind of, and what is a kind of it, nearest first.

        An is_a that a longer way implies is left out. Each one says how well it is known, and by which texts.

        Args:
            name: A name or an id.
            kind: Its kind, as for `get`.
            depth: Levels in each direction, 1 to 100.
            limit: Concepts in each direction at most, 1 to 1,000.

        Raises:
            NotFoundError: There is none.
            InvalidInputError: `depth` or `limit` is out of bounds.
        """
        _check_bounds(depth=(depth, MAX_DEPTH), limit=(limit, MAX_TREE))
        record = find_concept(self._workspace.graph, name, kind)
        graph = self._workspace.graph
        above = graph.expand([record.ref], ["IS_A"], "out", depth=depth, limit=limit + 1)
        below = graph.expand([record.ref], ["IS_A"], "in", depth=depth, limit=limit + 1)
        names = {node.ref: str(node.properties["name"]) for node in (*above.nodes, *below.nodes)}
        known = standings(self._workspace, (*above.edges, *below.edges), most=WITNESSES_IN_TREE)
        return ConceptTree(
            record.id,
            names[record.ref],
            branches(record.ref, above.edges, names, upwards=True, standings=known),
            branches(record.ref, below.edges, names, upwards=False, standings=known),
            truncated=above.truncated or below.truncated,
        )

    def graph(
        self, name: str | None = None, *, kind: str | None = None, depth: int = 2, limit: int = 10_000
    ) -> nx.MultiDiGraph[str]:
        """Concepts and their relations as a graph of networkx.

        Args:
            name: The concept to begin at, by name or id; None: all concepts, however many.
            kind: Its kind, as for `get`.
            depth: Relations between the concept and the furthest one, 1 to 100.
            limit: Concepts at most, the nearest first, 1 to 100,000; the graph's attribute `truncated` says
                whether some were left out.

        Returns:
            Nodes `Concept:<id>` with the properties of the concept, and edges with the relation as key.

        Raises:
            NotFoundError: There is no such concept.
            InvalidInputError: `depth` or `limit` is out of bounds.
        """
        _check_bounds(depth=(depth, MAX_DEPTH), limit=(limit, MAX_GRAPH))
        graph = self._workspace.graph
        if name is None:
            return concept_graph(graph)
        return graph_around(graph, find_concept(graph, name, kind).ref, depth=depth, limit=limit)

    def forget(self, name: str, *, kind: str | None = None) -> None:
        """Remove a concept with all its relations; what was said about it stays.

        Args:
            name: A name or an id.
            kind: Its kind, as for `get`.

        Raises:
            NotFoundError: There is none.
        """
        record = find_concept(self._workspace.graph, name, kind)
        with self._workspace.graph.transaction() as transaction:
            transaction.remove_nodes([record.ref])

    def unrelate(self, relation: Relation) -> bool:
        """Take a relation back.

        Returns:
            Whether it was stored.

        Raises:
            NotFoundError: One of its concepts is not stored.
        """
        head = find_concept(self._workspace.graph, relation.head, relation.head_kind)
        tail = find_concept(self._workspace.graph, relation.tail, relation.tail_kind)
        edge = EdgeRecord(relation.relation.value.upper(), head.ref, tail.ref)
        with self._workspace.graph.transaction() as transaction:
            return transaction.remove_edges([edge]) > 0

    def _keys(self, name: str) -> tuple[str, ...]:
        """The key of a name, and those of the concepts that it is an alias of."""
        found = candidates_by_key(self._workspace.graph, [name])[key_of_name(name)]
        return tuple(sorted({key_of_name(name), *(str(node.properties["key"]) for node in found)}))

    def _ends(self, said: Relation, now: datetime) -> tuple[NodeRecord, NodeRecord, Sequence[NodeRecord]]:
        """Head, tail, and those of them that are new, with their vectors."""
        try:
            candidates = candidates_by_key(self._workspace.graph, [said.head, said.tail])
        except StoreMissingError:
            # this write makes the store
            candidates = {key_of_name(name): [] for name in (said.head, said.tail)}
        head, head_is_new = _end(said.head, said.head_kind, candidates, now)
        tail, tail_is_new = _end(said.tail, said.tail_kind, candidates, now)
        new = {record.ref: record for record, is_new in ((head, head_is_new), (tail, tail_is_new)) if is_new}
        return head, tail, with_vectors(list(new.values()), self._workspace.embedder)


def _end(
    name: str, kind: str | None, candidates: Mapping[str, Sequence[NodeRecord]], now: datetime
) -> tuple[NodeRecord, bool]:
    found = candidates[key_of_name(name)]
    node, is_new = resolve(name, kind, found, now)
    fault = unclear(name, kind, found) if is_new else None
    # homonyms of other kinds leave room for a plain concept of the name; aliases of several concepts do not
    if fault is not None and all(one.properties["key"] != node.properties["key"] for one in found):
        raise fault
    return node, is_new


def _check_bounds(**given: tuple[int, int]) -> None:
    for name, (value, most) in given.items():
        if not 1 <= value <= most:
            raise InvalidInputError(f"{name} is {value}; give 1 to {most}")


def _joins_concepts(edge: EdgeRecord) -> bool:
    return edge.type in CONCEPT_RELATIONS and edge.source.label == edge.target.label == "Concept"


def _refuse_cycle(transaction: Transaction, relation: RelationType, edge: EdgeRecord) -> None:
    path = closing_path(
        relation, edge.source, edge.target, lambda refs: transaction.edges(refs, [edge.type], "out")
    )
    if path is None:
        return
    names = {ref: str(node.properties.get("name", ref.id)) for ref, node in transaction.get(path).items()}
    raise cycle_refused(relation, path, names)
