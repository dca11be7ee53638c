"""Merges concepts that are one, and undoes it: reads, plans, writes in one transaction.

Nothing is merged because it is alike: a caller or an alias that a text introduced says so. Nothing is lost, and
what moved is known edge by edge.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from graphmem.errors import ConflictError, InvalidInputError, NotFoundError
from graphmem.graph.mapping.alias import ALIAS_OF, alias_edge, alias_record, alias_ref, shadowed_ref
from graphmem.graph.mapping.merge import to_merge
from graphmem.graph.mapping.values import present
from graphmem.graph.merging import IdentityPlan, named_also, plan_merge, plan_split
from graphmem.graph.paths import path_between
from graphmem.graph.records import EdgeRecord, Equals, NodeRecord, NodeRef
from graphmem.models.concept import ACYCLIC_RELATIONS
from graphmem.models.ids import uuid7
from graphmem.models.merge import Merge
from graphmem.ports.aliased_graph import without_aliasing
from graphmem.ports.graph_store import TenantGraph, Transaction
from graphmem.ports.reading import every_node


def merge_concepts(
    graph: TenantGraph,
    keep: NodeRef,
    other: NodeRef,
    *,
    at: datetime,
    entropy: bytes,
    reason: str | None = None,
    force: bool = False,
) -> Merge:
    """Merge a concept into another one of its tenant.

    Args:
        graph: The tenant.
        keep: The concept that stays.
        other: The one whose relations, mentions and names move to it.
        at: When it is decided.
        entropy: At least 10 random bytes for the id of the merge.
        reason: Why, in words.
        force: Whether concepts of different kinds may be merged.

    Raises:
        NotFoundError: One of them is not stored.
        InvalidInputError: They are of different kinds, or an is_a or part_of between them would become a cycle.
    """
    graph = without_aliasing(graph)
    vectors = graph.get([other], vectors=True)
    siblings = standing_merges(graph, keep)
    with graph.transaction() as transaction:
        stored = transaction.get([keep, other])
        for ref in (keep, other):
            if ref not in stored or ref not in {keep, *vectors}:
                raise NotFoundError("concept", ref.id)
        kept, gone = stored[keep], vectors[other]
        _refuse_kinds(kept, gone, force=force)
        _refuse_cycle(transaction, kept, gone)
        merge = Merge(
            id=uuid7(at, entropy),
            name=str(gone.properties["name"]),
            kind=str(gone.properties["kind"]),
            into=str(kept.properties["name"]),
            alias=other.id,
            concept=keep.id,
            at=at,
            reason=reason,
        )
        alias = transaction.get([alias_ref(other)]).get(alias_ref(other))
        around = [*transaction.edges([keep, other], None, "both"), *transaction.edges([alias_ref(other)])]
        _write(transaction, plan_merge(merge, kept, gone, around, alias=alias, siblings=siblings))
    return merge


def split_concept(graph: TenantGraph, merge: NodeRef, *, at: datetime) -> Merge:
    """Undo a merge.

    Args:
        graph: The tenant.
        merge: The merge, which stands.
        at: When it is decided.

    Raises:
        NotFoundError: There is no such merge.
        ConflictError: It was undone meanwhile.
        InvalidInputError: The concept it was merged into was merged itself: that merge is to be undone first.
    """
    graph = without_aliasing(graph)
    known = graph.get([merge]).get(merge)
    if known is None:
        raise NotFoundError("merge", merge.id)
    said = to_merge(known)
    keep = NodeRef("Concept", said.concept)
    siblings = [one for one in standing_merges(graph, keep) if one.ref != merge]
    with graph.transaction() as transaction:
        stored = transaction.get([merge, keep])
        if "record" not in stored[merge].properties:
            raise ConflictError(f"{said.name!r} was split from {said.into!r} already")
        if keep not in stored:
            raise InvalidInputError(
                f"{said.name!r} was merged into {said.into!r}, which was merged since: split {said.into!r} first"
            )
        around = transaction.edges([keep], None, "both")
        aliases = transaction.get([edge.source for edge in around if edge.type == ALIAS_OF])
        plan = plan_split(
            stored[merge],
            stored[keep],
            around,
            siblings=siblings,
            aliases=list(aliases.values()),
            named=transaction.edges([NodeRef("Alias", said.alias)], [ALIAS_OF], "out"),
        )
        plan.properties[merge] = {**plan.properties[merge], "undone_at": at}
        plan.edges = _with_ends(transaction, plan)
        _write(transaction, plan)
    return said.model_copy(update={"undone_at": at})


def standing_merges(graph: TenantGraph, concept: NodeRef) -> list[NodeRecord]:
    """The merges into a concept that stand, in their order."""
    found = every_node(graph, "Merge", Equals("concept", concept.id))
    return sorted((node for node in found if "record" in node.properties), key=_order)


def adopt_alias(
    graph: TenantGraph,
    concept: NodeRef,
    name: str,
    *,
    at: datetime,
    entropy: bytes,
    evidence_ids: Iterable[str] = (),
    reason: str | None = None,
    merge: bool = True,
) -> bool:
    """Take over an alias that texts introduced: new writes that name it reach the concept, and so do old ones.

    A concept of the alias's name and of the same kind is merged; where that would close a cycle, or the name is
    an alias of another concept already, nothing is done.

    Args:
        graph: The tenant.
        concept: The concept that it is another name of.
        name: The alias, as written.
        at: When it is decided.
        entropy: At least 10 random bytes for the id of a merge.
        evidence_ids: Ids of the texts.
        reason: Why, in words; the merge keeps it.
        merge: Whether a concept of the alias's name may be merged; when not, it stays and nothing is done.

    Returns:
        Whether it is an alias of the concept now.
    """
    plain = without_aliasing(graph)
    stored = plain.get([concept]).get(concept)
    alias = None if stored is None else alias_record(name, str(stored.properties["kind"]), "text", at)
    if stored is None or alias is None or alias.id == concept.id:
        return False
    ways = plain.edges([alias.ref], [ALIAS_OF], "out")
    if ways:
        return any(edge.target == concept for edge in ways)
    if shadowed_ref(alias.ref) in plain.get([shadowed_ref(alias.ref)]):
        if not merge:
            return False
        try:
            merge_concepts(plain, concept, shadowed_ref(alias.ref), at=at, entropy=entropy, reason=reason)
        except InvalidInputError:
            return False
        return True
    edge = alias_edge(alias.ref, concept, "text", at)
    ids = {"evidence_ids": list(dict.fromkeys(evidence_ids))}
    with plain.transaction() as transaction:
        transaction.save_nodes([alias], replace=False)
        transaction.save_edges([edge._replace(properties={**edge.properties, **present(ids)})])
        transaction.set_properties("Concept", [(concept.id, named_also(stored, name))])
    return True


def _order(merge: NodeRecord) -> tuple[str, str]:
    return str(merge.properties["at"]), merge.id


def _refuse_kinds(keep: NodeRecord, other: NodeRecord, *, force: bool) -> None:
    ours, theirs = keep.properties["kind"], other.properties["kind"]
    if ours != theirs and not force:
        raise InvalidInputError(
            f"{other.properties['name']!r} is of kind {theirs}, {keep.properties['name']!r} of kind {ours}: kinds"
            " keep homonyms apart; force the merge if they are one all the same"
        )


def _refuse_cycle(transaction: Transaction, keep: NodeRecord, other: NodeRecord) -> None:
    """Refuse where one of the two leads to the other: as one concept it would lead to itself."""
    for relation in sorted(ACYCLIC_RELATIONS):
        kind = relation.value.upper()
        for start, goal in ((keep.ref, other.ref), (other.ref, keep.ref)):
            path = path_between(start, goal, lambda refs, kind=kind: transaction.edges(refs, [kind], "out"))  # type: ignore[misc]  # bound now
            if path is not None:
                names = {ref: str(node.properties["name"]) for ref, node in transaction.get(path).items()}
                shown = f" {relation.value} ".join(names[ref] for ref in path)
                raise InvalidInputError(
                    f"{other.properties['name']!r} cannot be merged into {keep.properties['name']!r}:"
                    f" {shown} would lead from one concept to itself; take one of these relations back first"
                )


def _with_ends(transaction: Transaction, plan: IdentityPlan) -> list[EdgeRecord]:
    """Edges both ends of which are there: an alias may have been dropped since."""
    made = {node.ref for node in plan.nodes}
    ends = {end for edge in plan.edges for end in (edge.source, edge.target)} - made
    there = made | (set(transaction.get(sorted(ends))) - set(plan.remove_nodes))
    return [edge for edge in plan.edges if edge.source in there and edge.target in there]


def _write(transaction: Transaction, plan: IdentityPlan) -> None:
    if plan.remove_edges:
        transaction.remove_edges(plan.remove_edges)
    transaction.remove_nodes(plan.remove_nodes)
    transaction.save_nodes(plan.nodes, replace=False)
    transaction.save_edges(_distinct(plan.edges))
    for ref, changes in plan.properties.items():
        transaction.set_properties(ref.label, [(ref.id, changes)])


def _distinct(edges: Iterable[EdgeRecord]) -> list[EdgeRecord]:
    return list({edge[:3]: edge for edge in edges}.values())
