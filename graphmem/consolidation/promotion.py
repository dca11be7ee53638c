"""Turns claims with enough evidence into relations between concepts, and takes back those that lost theirs.

Judged are the claims that new texts speak of, or all where a forgotten text took its evidence along without a
trace; only what differs is written. Relations that were given, or counted in episodes, stay as they are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from graphmem.consolidation.aliases import plan_aliases
from graphmem.consolidation.concepts import ConceptLookup
from graphmem.consolidation.cycles import AcyclicRelation
from graphmem.consolidation.evidence import WeighedClaim, claims_of_relations, claims_with_evidence, place_of
from graphmem.consolidation.judging import Judgement, judge
from graphmem.consolidation.late_mentions import late_mentions
from graphmem.consolidation.linking import Mention
from graphmem.consolidation.phases import Run, in_batches
from graphmem.consolidation.promotion_plan import Place, PromotionPlan
from graphmem.consolidation.reading import EXTRACTED, ReadingPlan
from graphmem.graph.mapping.claim import ALIAS
from graphmem.graph.records import PLACEHOLDER, EdgeRecord, NodeRecord, NodeRef, Value
from graphmem.models.concept import ACYCLIC_RELATIONS
from graphmem.ports.graph_store import TenantGraph

_ACYCLIC = frozenset(relation.value.upper() for relation in ACYCLIC_RELATIONS)

_AT_ONCE = 500
_SAID_ELSEWHERE = "stands already"
_ONE_CONCEPT = "both ends are the same concept"


@dataclass(slots=True)
class _Judged:
    """Claims when they were judged; what neither holds nor held is told at once."""

    holding: list[WeighedClaim] = field(default_factory=list)
    judgements: dict[NodeRef, Judgement] = field(default_factory=dict)
    """Of those that hold, or held before, or must be told something new."""
    records: dict[NodeRef, NodeRecord] = field(default_factory=dict)
    """The nodes of these."""
    gone: list[NodeRecord] = field(default_factory=list)
    """Claims without evidence."""
    aliases: list[WeighedClaim] = field(default_factory=list)
    """Claims of second names that hold."""
    lost_aliases: list[NodeRecord] = field(default_factory=list)
    """Claims of second names that held before."""


def plan_promotions(
    run: Run, pending: Sequence[ReadingPlan] = (), only: Collection[NodeRef] | None = None
) -> PromotionPlan:
    """Judge claims, and plan what follows.

    Args:
        run: The tenant, the policy and the time.
        pending: Reading plans that are not applied yet, for a plan of everything at once.
        only: Claims of which the evidence changed, or that wait; None: every claim.
    """
    lookup = ConceptLookup(run.graph, run.now, run.planned)
    judged = _Judged()
    _judge(judged, run, claims_with_evidence(run.graph, pending, only))
    if only is not None:
        # what other names of the same concepts state makes the same relations
        places = {*_grouped(lookup, judged.holding), *_before(judged)}
        others = claims_of_relations(run.graph, places) - {*only}
        _judge(judged, run, claims_with_evidence(run.graph, (), others))
    groups = _grouped(lookup, judged.holding)
    before = _before(judged)
    stored = _stored(run.graph, {*groups, *before})
    wanted, reasons = _wanted(run, groups, stored)
    remove = [stored[place] for place in sorted(before - wanted.keys()) if _is_ours(stored.get(place))]
    cycles = _refuse_cycles(run.graph, wanted, stored, remove)
    add = [edge for place, edge in wanted.items() if place not in stored]
    change = [
        edge for place, edge in wanted.items() if _is_ours(stored.get(place)) and _differs(edge, stored[place])
    ]
    concepts = {one.ref: one for one in lookup.created({end for edge in add for end in edge[1:3]})}
    ends = {end for place in (*groups, *before) for end in place[1:]}
    names = _names(run.graph, {*ends, *(ref for path in cycles.values() for ref in path)}, lookup)
    reasons.update({place: _cycle(place, path, names) for place, path in cycles.items()})
    return PromotionPlan(
        concepts=concepts,
        add=tuple(add),
        change=tuple(change),
        remove=tuple(remove),
        decided=tuple(_decisions(judged, groups, wanted, reasons)),
        gone=tuple(node.ref for node in judged.gone),
        orphans=_orphans(run.graph, remove, wanted, pending),
        refused=tuple((claim.words, reasons[place]) for place in cycles for claim in groups[place]),
        aliases=plan_aliases(run, judged.aliases, judged.lost_aliases, concepts),
        mentions=late_mentions(run, concepts, _texts_about(concepts, groups)),
        names=names,
        waiting=_waiting(judged, [claim for place in cycles for claim in groups[place]]),
    )


def _texts_about(
    concepts: Collection[NodeRef], groups: Mapping[Place, Sequence[WeighedClaim]]
) -> dict[NodeRef, set[NodeRef]]:
    """The texts that state something of these concepts."""
    found: dict[NodeRef, set[NodeRef]] = {ref: set() for ref in concepts}
    for (_, *ends), claims in groups.items():
        for end in ends:
            if end in found:
                found[end].update(one.source for claim in claims for one in claim.evidence if not one.against)
    return found


def _judge(judged: _Judged, run: Run, claims: Iterable[Sequence[WeighedClaim]]) -> None:
    for batch in claims:
        for claim in batch:
            judgement = judge(claim.evidence)
            holds, held = judgement.holds(run.policy), claim.record.properties["promoted"]
            if claim.words.relation != ALIAS:
                judged.holding += [claim] if holds else []
            elif holds:
                judged.aliases.append(claim)
            elif held:
                judged.lost_aliases.append(claim.record)
            if not claim.evidence:
                judged.gone.append(claim.record)
            elif holds or held or _is_news(claim.record, judgement):
                judged.judgements[claim.record.ref] = judgement
                judged.records[claim.record.ref] = claim.record


def _before(judged: _Judged) -> set[Place]:
    """The relations that these claims made before."""
    nodes = (*judged.records.values(), *judged.gone)
    return {place for node in nodes if (place := place_of(node)) is not None}


def _waiting(judged: _Judged, refused: Sequence[WeighedClaim]) -> tuple[NodeRef, ...]:
    """Claims that other relations or concepts let through, whatever their own evidence."""
    unnamed = [claim for claim in judged.aliases if not claim.record.properties["promoted"]]
    return tuple(sorted({claim.record.ref for claim in (*refused, *unnamed)}))


def _is_news(record: NodeRecord, judgement: Judgement) -> bool:
    known = tuple(record.properties.get(name) for name in ("support", "against", "confidence"))
    return known != (judgement.support, judgement.against, judgement.confidence)


def _grouped(lookup: ConceptLookup, claims: Sequence[WeighedClaim]) -> dict[Place, list[WeighedClaim]]:
    """Claims by the relation that they would be: two names of a concept make two claims of one relation."""
    ends = [end for claim in claims for end in (claim.words.head, claim.words.tail)]
    concepts = lookup.resolve(Mention(end.kind, end.name, NodeRef("Concept", end.key)) for end in ends)
    groups: dict[Place, list[WeighedClaim]] = defaultdict(list)
    for claim in claims:
        head, tail = (concepts[end.kind, end.key] for end in (claim.words.head, claim.words.tail))
        groups[claim.words.relation.upper(), head, tail].append(claim)
    return groups


def _stored(graph: TenantGraph, places: Iterable[Place]) -> dict[Place, EdgeRecord]:
    wanted = set(places)
    types, heads = {place[0] for place in wanted}, sorted({place[1] for place in wanted})
    return {
        edge[:3]: edge
        for refs in in_batches(heads, _AT_ONCE)
        for edge in graph.edges(refs, sorted(types), "out")
        if edge[:3] in wanted
    }


def _wanted(
    run: Run, groups: Mapping[Place, Sequence[WeighedClaim]], stored: Mapping[Place, EdgeRecord]
) -> tuple[dict[Place, EdgeRecord], dict[Place, str]]:
    """The relations that claims make, the strongest first, and why others make none."""
    wanted, reasons = {}, {}
    for place, claims in groups.items():
        edge = _relation(place, judge(one for claim in claims for one in claim.evidence), run)
        if place[1] == place[2]:
            reasons[place] = _ONE_CONCEPT
        elif place in stored and not _is_ours(stored[place]):
            reasons[place] = f"{_SAID_ELSEWHERE}, {stored[place].properties.get('source', 'given')}"
        else:
            wanted[place] = edge
    return dict(sorted(wanted.items(), key=lambda pair: (_strength(pair[1]), pair[0]))), reasons


def _relation(place: Place, judgement: Judgement, run: Run) -> EdgeRecord:
    properties: dict[str, Value] = {
        "source": EXTRACTED,
        "confidence": judgement.confidence,
        "weight": judgement.confidence,
        "evidence_count": judgement.mentions,
        "evidence_ids": list(judgement.ids),
        "created_at": run.now,
    }
    return EdgeRecord(*place, properties)


def _strength(edge: EdgeRecord) -> tuple[float, int]:
    confidence, count = edge.properties["confidence"], edge.properties["evidence_count"]
    return (
        -confidence if isinstance(confidence, float) else 0.0,
        -count if isinstance(count, int) else 0,
    )


def _orphans(
    graph: TenantGraph,
    remove: Sequence[EdgeRecord],
    wanted: Collection[Place],
    pending: Sequence[ReadingPlan],
) -> tuple[NodeRef, ...]:
    """Ends of relations that go which nobody described and nothing else leads to."""
    ends = {end for edge in remove for end in edge[1:3]} - {end for place in wanted for end in place[1:]}
    named = [ref for ref, node in graph.get(sorted(ends)).items() if node.content_hash == PLACEHOLDER]
    going = {edge[:3] for edge in remove}
    going.update(edge[:3] for plan in pending for source in plan.sources for edge in source.remove)
    coming = {edge.target for plan in pending for source in plan.sources for edge in source.add}
    around = [edge for refs in in_batches(named, _AT_ONCE) for edge in graph.edges(refs, None, "both")]
    kept = {end for edge in around if edge[:3] not in going for end in edge[1:3]} | coming
    return tuple(ref for ref in named if ref not in kept)


def _refuse_cycles(
    graph: TenantGraph,
    wanted: dict[Place, EdgeRecord],
    stored: Mapping[Place, EdgeRecord],
    remove: Sequence[EdgeRecord],
) -> dict[Place, list[NodeRef]]:
    """Take the relations out of `wanted` that would close a cycle; each with the way back from tail to head."""
    refused = {}
    for type_name in sorted(_ACYCLIC):
        gone = {(edge.source, edge.target) for edge in remove if edge.type == type_name}
        relation = AcyclicRelation(lambda refs, name=type_name: graph.edges(refs, [name], "out"), gone)  # type: ignore[misc]  # bound now
        for place in [place for place in wanted if place[0] == type_name and place not in stored]:
            path = relation.add(place[1], place[2])
            if path is not None:
                refused[place] = path
                del wanted[place]
    return refused


def _decisions(
    judged: _Judged,
    groups: Mapping[Place, Sequence[WeighedClaim]],
    wanted: Mapping[Place, EdgeRecord],
    reasons: Mapping[Place, str],
) -> Iterator[tuple[str, Mapping[str, Value | None]]]:
    """What claims are told, where that is new."""
    places = {claim.record.ref: place for place, claims in groups.items() for claim in claims}
    holding = {claim.record.ref for claim in judged.aliases}
    for ref, record in judged.records.items():
        place, judgement = places.get(ref), judged.judgements[ref]
        promoted = place if place in wanted else None
        told: dict[str, Value | None] = {
            "support": judgement.support,
            "against": judgement.against,
            "confidence": judgement.confidence,
            "promoted": promoted is not None,
            "head_concept": promoted and promoted[1].id,
            "tail_concept": promoted and promoted[2].id,
            "refused": None if place is None else reasons.get(place),
        }
        if record.properties["relation"] == ALIAS:
            # adopting one says so itself, since it may be refused
            told = {name: told[name] for name in ("support", "against", "confidence")}
            told |= {} if ref in holding else {"promoted": False, "head_concept": None}
        if any(record.properties.get(name) != value for name, value in told.items()):
            yield ref.id, told


def _is_ours(edge: EdgeRecord | None) -> bool:
    return edge is not None and edge.properties.get("source") == EXTRACTED


def _differs(wanted: EdgeRecord, stored: EdgeRecord) -> bool:
    names = ("confidence", "weight", "evidence_count", "evidence_ids")
    return any(wanted.properties.get(name) != stored.properties.get(name) for name in names)


def _names(graph: TenantGraph, concepts: set[NodeRef], lookup: ConceptLookup) -> dict[NodeRef, str]:
    nodes = {ref: node for refs in in_batches(sorted(concepts), _AT_ONCE) for ref, node in graph.get(refs).items()}
    new = {record.ref: record for record in lookup.created(concepts)}
    return {ref: str(node.properties["name"]) for ref, node in {**nodes, **new}.items()}


def _cycle(place: Place, path: Sequence[NodeRef], names: Mapping[NodeRef, str]) -> str:
    """A refused relation as the cycle that it would close."""
    return f" {place[0].lower()} ".join(names.get(ref, ref.id) for ref in (place[1], *path))
