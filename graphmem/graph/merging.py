"""Plans the merge of two concepts, and its undoing: pure over what is stored around them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphmem.graph.keys import canonical_key
from graphmem.graph.mapping.alias import ALIAS_OF, alias_edge, alias_record, alias_ref
from graphmem.graph.mapping.concept import concept_words
from graphmem.graph.mapping.merge import MergedConcept, merge_record, merged_concept, record_text
from graphmem.graph.mapping.origins import joined, moved, taken
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Value
from graphmem.models.merge import Merge

FILLED = ("definition", "abstraction_level")
"""Properties that a concept takes over from a merged one where it has none."""

Change = Mapping[str, Value | None]


@dataclass(slots=True)
class IdentityPlan:
    """What a merge, or its undoing, writes; in this order."""

    remove_edges: list[EdgeRecord] = field(default_factory=list)
    remove_nodes: list[NodeRef] = field(default_factory=list)
    nodes: list[NodeRecord] = field(default_factory=list)
    edges: list[EdgeRecord] = field(default_factory=list)
    properties: dict[NodeRef, Change] = field(default_factory=dict)


def plan_merge(
    merge: Merge,
    keep: NodeRecord,
    other: NodeRecord,
    around: Iterable[EdgeRecord],
    *,
    alias: NodeRecord | None = None,
    siblings: Sequence[NodeRecord] = (),
) -> IdentityPlan:
    """Everything that is at a concept moves to another one, and its name becomes an alias.

    Args:
        merge: What is decided.
        keep: The concept that stays.
        other: The one that is merged, with its vector.
        around: All edges at the two.
        alias: The alias that stands in the merged one's place already, where there is one.
        siblings: Earlier merges into the concept that stays, as far as they stand.
    """
    plan = IdentityPlan(remove_nodes=[other.ref])
    around = list(around)
    between, moving = _sorted(around, keep.ref, other.ref)
    names = _names(other)
    filled = _filled(keep, other, [merged_concept(one) for one in siblings])
    kept = MergedConcept(other, names, tuple(between), filled, named=alias is not None)
    fresh = {name: other.properties[name] for name in filled if name not in keep.properties}
    plan.properties[keep.ref] = _renamed(keep, [*_texts(keep, "merged_names"), *names], fresh)
    plan.nodes.append(merge_record(merge, kept))
    if alias is None:
        plan.nodes.append(_alias(other, merge))
    else:
        plan.properties[alias.ref] = {"merge": merge.id}
    plan.edges = _together([*moving, _link(merge, keep.ref, other.ref)], around)
    return plan


def plan_split(
    merge: NodeRecord,
    keep: NodeRecord,
    around: Iterable[EdgeRecord],
    *,
    siblings: Sequence[NodeRecord] = (),
    aliases: Sequence[NodeRecord] = (),
    named: Sequence[EdgeRecord] = (),
) -> IdentityPlan:
    """Undo a merge: both concepts get what they had.

    What was said of the name since goes with it as well; what cannot be told apart stays.

    Args:
        merge: The merge, which stands.
        keep: The concept that stayed.
        around: All edges at it.
        siblings: Other merges into it that stand, in their order.
        aliases: Its aliases.
        named: Edges out of the alias that the merge made.
    """
    kept = merged_concept(merge)
    back = kept.node
    alias = alias_ref(back.ref)
    plan = IdentityPlan(nodes=[back])
    restored: list[EdgeRecord] = [*kept.between]
    for edge in around:
        found = taken(edge.properties, back.id)
        if found.part is None:
            continue
        if edge.source != alias:
            restored.append(_between(edge, keep.ref, back.ref, found.part))
        if found.rest is None:
            plan.remove_edges.append(edge)
        else:
            plan.edges.append(edge._replace(properties=found.rest))
    for sibling in siblings:
        restored += _from_sibling(plan, sibling, keep.ref, back.ref)
    plan.edges += _together(restored, ())
    if kept.named or any(edge.source == alias for edge in plan.edges) or any(e.target != keep.ref for e in named):
        plan.properties[alias] = {"merge": None}
    else:
        plan.remove_nodes.append(alias)
    # the name itself stays where another merge, or a description, leads it here as well
    gone = {edge.source for edge in plan.remove_edges if edge.type == ALIAS_OF}
    left = {str(one.properties["key"]) for one in aliases if one.ref not in gone}
    names = [name for name in _texts(keep, "merged_names") if canonical_key(name) in left]
    plan.properties[keep.ref] = _renamed(keep, names, _unfilled(keep, kept, siblings))
    plan.properties[merge.ref] = {"record": None}
    return plan


def _from_sibling(plan: IdentityPlan, sibling: NodeRecord, keep: NodeRef, back: NodeRef) -> list[EdgeRecord]:
    """What was said between two concepts that were merged into one: it waits with the later merge."""
    kept = merged_concept(sibling)
    left, restored = [], []
    for edge in kept.between:
        found = taken(edge.properties, back.id)
        if found.rest is not None:
            left.append(edge._replace(properties=found.rest))
        if found.part is not None:
            said = moved(found.part, kept.node.id)
            restored.append(_between(_between(edge, keep, back, said), kept.node.ref, keep, said))
    if restored:
        plan.properties[sibling.ref] = {"record": record_text(replace(kept, between=tuple(left)), sibling)}
    return restored


def _link(merge: Merge, keep: NodeRef, other: NodeRef) -> EdgeRecord:
    """The edge by which a merged name leads to the concept; it goes with the merge."""
    link = alias_edge(alias_ref(other), keep, "merged", merge.at)
    return link._replace(properties=moved(link.properties, other.id))


def _together(edges: Iterable[EdgeRecord], stored: Iterable[EdgeRecord]) -> list[EdgeRecord]:
    """Edges that arrive, joined with each other and with those at their places."""
    there = {edge[:3]: edge for edge in stored}
    found: dict[tuple[str, NodeRef, NodeRef], EdgeRecord] = {}
    for edge in edges:
        present = found.get(edge[:3], there.get(edge[:3]))
        found[edge[:3]] = (
            edge if present is None else edge._replace(properties=joined(present.properties, edge.properties))
        )
    return list(found.values())


def _sorted(
    around: Iterable[EdgeRecord], keep: NodeRef, other: NodeRef
) -> tuple[list[EdgeRecord], list[EdgeRecord]]:
    """Edges that would lead from the concept that stays to itself, and the others as they are after the merge."""
    between, moving = [], []
    for edge in {edge[:3]: edge for edge in around}.values():
        if other not in {edge.source, edge.target}:
            continue
        if {edge.source, edge.target} <= {keep, other, alias_ref(keep), alias_ref(other)}:
            between.append(edge)
        else:
            moving.append(_between(edge, other, keep, moved(edge.properties, other.id)))
    return between, moving


def _between(edge: EdgeRecord, old: NodeRef, new: NodeRef, said: Mapping[str, Value]) -> EdgeRecord:
    """An edge with one concept in the place of another one."""
    source, target = (new if end == old else end for end in (edge.source, edge.target))
    return EdgeRecord(edge.type, source, target, said)


def _alias(other: NodeRecord, merge: Merge) -> NodeRecord:
    """The alias in place of a merged concept: its key and id stay, should keys be made otherwise by now."""
    name, kind = str(other.properties["name"]), str(other.properties["kind"])
    made = alias_record(name, kind, "merged", merge.at)
    properties = {} if made is None else made.properties
    return NodeRecord("Alias", other.id, {**properties, "key": other.properties["key"], "merge": merge.id})


def _filled(keep: NodeRecord, other: NodeRecord, siblings: Sequence[MergedConcept]) -> tuple[str, ...]:
    """What the concept that stays has not of its own and the merged one has."""
    borrowed = {name for one in siblings for name in one.filled}
    return tuple(
        name for name in FILLED if name in other.properties and (name not in keep.properties or name in borrowed)
    )


def _unfilled(keep: NodeRecord, gone: MergedConcept, siblings: Sequence[NodeRecord]) -> Change:
    """What was taken over from a merged concept, as the merges that are left give it."""
    left = [merged_concept(one) for one in siblings]
    return {
        name: next((one.node.properties[name] for one in left if name in one.filled), None)
        for name in gone.filled
        if keep.properties.get(name) == gone.node.properties.get(name)
    }


def _renamed(concept: NodeRecord, names: Iterable[str], fields: Change) -> Change:
    """The bookkeeping of a concept that has these names beside those of its description, and further fields."""
    met = {canonical_key(name) for name in (str(concept.properties["name"]), *_texts(concept, "aliases"))}
    others: dict[str | None, str] = {}
    for name in names:
        key = canonical_key(name)
        if key not in met:
            others.setdefault(key, name)
    after = {**concept.properties, **fields, "merged_names": list(others.values())}
    known: dict[str, Value] = {name: value for name, value in after.items() if value is not None}
    return {**fields, "merged_names": list(others.values()) or None, "search_text": concept_words(known)}


def _names(concept: NodeRecord) -> tuple[str, ...]:
    own = str(concept.properties["name"])
    return tuple(dict.fromkeys([own, *_texts(concept, "aliases"), *_texts(concept, "merged_names")]))


def _texts(concept: NodeRecord, name: str) -> list[str]:
    value = concept.properties.get(name)
    return list(value) if isinstance(value, list | tuple) else []


def named_also(concept: NodeRecord, name: str) -> Change:
    """The bookkeeping of a concept that has one more name."""
    return _renamed(concept, [*_texts(concept, "merged_names"), name], {})


def without_names(concept: NodeRecord, left: Iterable[str]) -> Change:
    """The bookkeeping of a concept of whose merged names these are left."""
    return _renamed(concept, left, {})
