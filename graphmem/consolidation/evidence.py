"""All claims with their evidence, as stored and as reading plans would change it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from graphmem.consolidation.phases import in_batches
from graphmem.consolidation.reading import ReadingPlan
from graphmem.graph.mapping.claim import ALIAS, CLAIM, EVIDENCE, ClaimWords, Evidence, to_claim, to_evidence
from graphmem.graph.records import And, EdgeRecord, In, NodeRecord, NodeRef
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import pages

_CLAIMS_AT_ONCE = 500
_PLACE = ("relation", "head_concept", "tail_concept")


@dataclass(frozen=True, slots=True)
class WeighedClaim:
    """A claim and all that speaks of it."""

    record: NodeRecord
    words: ClaimWords
    evidence: tuple[Evidence, ...]


def claims_with_evidence(
    graph: TenantGraph, pending: Sequence[ReadingPlan] = (), only: Collection[NodeRef] | None = None
) -> Iterator[list[WeighedClaim]]:
    """Claims in batches: the stored ones by id, then those that only the plans know.

    Args:
        graph: The tenant.
        pending: Reading plans that are not applied yet.
        only: Those to be looked at; None: every claim.
    """
    changes = _Changes(pending)
    seen: set[NodeRef] = set()
    for page in _stored(graph, only):
        seen.update(node.ref for node in page if node.ref in changes.claims)
        yield _weighed(graph, page, changes)
    for records in in_batches(
        (changes.claims[ref] for ref in sorted(changes.claims.keys() - seen)), _CLAIMS_AT_ONCE
    ):
        yield _weighed(graph, records, changes)


def _stored(graph: TenantGraph, only: Collection[NodeRef] | None) -> Iterator[Sequence[NodeRecord]]:
    if only is None:
        yield from pages(graph, CLAIM, limit=_CLAIMS_AT_ONCE)
        return
    for refs in in_batches(sorted(only), _CLAIMS_AT_ONCE):
        yield list(graph.get(refs).values())


def claims_of_relations(graph: TenantGraph, places: Iterable[tuple[str, NodeRef, NodeRef]]) -> set[NodeRef]:
    """The claims that made relations, by any names of their ends.

    Args:
        graph: The tenant.
        places: Type, head and tail of each relation.
    """
    wanted = set(places)
    found: set[NodeRef] = set()
    for some in in_batches(sorted(wanted), _CLAIMS_AT_ONCE):
        parts = (
            {kind.lower() for kind, _, _ in some},
            {one.id for _, one, _ in some},
            {one.id for _, _, one in some},
        )
        where = And(tuple(In(name, tuple(sorted(part))) for name, part in zip(_PLACE, parts, strict=True)))
        for page in pages(graph, CLAIM, where, limit=_CLAIMS_AT_ONCE):
            found.update(node.ref for node in page if place_of(node) in wanted)
    return found


def place_of(claim: NodeRecord) -> tuple[str, NodeRef, NodeRef] | None:
    """The relation that a claim made; None where it made none."""
    held = claim.properties
    if not held["promoted"] or held["relation"] == ALIAS:
        return None
    head, tail = (NodeRef("Concept", str(held[name])) for name in _PLACE[1:])
    return str(held["relation"]).upper(), head, tail


class _Changes:
    """What some reading plans add to the evidence and take from it."""

    def __init__(self, pending: Iterable[ReadingPlan]) -> None:
        self.claims: dict[NodeRef, NodeRecord] = {}
        self.added: dict[NodeRef, dict[NodeRef, EdgeRecord]] = defaultdict(dict)
        self.removed: set[tuple[NodeRef, NodeRef]] = set()
        for plan in pending:
            self.claims = {**plan.claims, **self.claims}
            for part in plan.sources:
                self.removed.update((edge.source, edge.target) for edge in part.remove if edge.type == EVIDENCE)
                for edge in part.add:
                    if edge.type == EVIDENCE:
                        self.added[edge.source][edge.target] = edge


def _weighed(graph: TenantGraph, records: Sequence[NodeRecord], changes: _Changes) -> list[WeighedClaim]:
    edges: dict[NodeRef, dict[NodeRef, EdgeRecord]] = {record.ref: {} for record in records}
    for edge in graph.edges(edges, [EVIDENCE], "out"):
        if (edge.source, edge.target) not in changes.removed:
            edges[edge.source][edge.target] = edge
    return [
        WeighedClaim(
            record,
            to_claim(record),
            tuple(map(to_evidence, {**edges[record.ref], **changes.added.get(record.ref, {})}.values())),
        )
        for record in records
    ]
