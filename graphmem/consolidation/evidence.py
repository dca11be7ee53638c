"""All claims with their evidence, as stored and as reading plans would change it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from graphmem.consolidation.phases import in_batches
from graphmem.consolidation.reading import ReadingPlan
from graphmem.graph.mapping.claim import CLAIM, EVIDENCE, ClaimWords, Evidence, to_claim, to_evidence
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import pages

_CLAIMS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class WeighedClaim:
    """A claim and all that speaks of it."""

    record: NodeRecord
    words: ClaimWords
    evidence: tuple[Evidence, ...]


def claims_with_evidence(graph: TenantGraph, pending: Sequence[ReadingPlan] = ()) -> Iterator[list[WeighedClaim]]:
    """Every claim, in batches: the stored ones by id, then those that only the plans know.

    Args:
        graph: The tenant.
        pending: Reading plans that are not applied yet.
    """
    changes = _Changes(pending)
    seen: set[NodeRef] = set()
    for page in pages(graph, CLAIM, limit=_CLAIMS_AT_ONCE):
        seen.update(node.ref for node in page if node.ref in changes.claims)
        yield _weighed(graph, page, changes)
    for records in in_batches(
        (changes.claims[ref] for ref in sorted(changes.claims.keys() - seen)), _CLAIMS_AT_ONCE
    ):
        yield _weighed(graph, records, changes)


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
