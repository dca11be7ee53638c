"""Names that texts introduce as second names of a concept: adopted with enough evidence, dropped without."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256

from graphmem.consolidation.evidence import WeighedClaim
from graphmem.consolidation.judging import judge
from graphmem.consolidation.phases import AliasChange, Run
from graphmem.consolidation.reading import knowing, known_concepts
from graphmem.graph.mapping.alias import ALIAS_OF, alias_ref
from graphmem.graph.mapping.claim import CLAIM, to_claim
from graphmem.graph.mapping.concept import concept_ref
from graphmem.graph.merging import without_names
from graphmem.graph.records import NodeRecord, NodeRef
from graphmem.ports.aliased_graph import without_aliasing
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.merging import adopt_alias

_ANOTHER = "names another concept"


def plan_aliases(
    run: Run,
    holding: Sequence[WeighedClaim],
    lost: Sequence[NodeRecord],
    concepts: Mapping[NodeRef, NodeRecord],
) -> tuple[AliasChange, ...]:
    """The aliases to adopt and to drop.

    Args:
        run: The tenant.
        holding: Claims of aliases with enough evidence.
        lost: Claims of aliases that were adopted and have it no more.
        concepts: Concepts that are about to be created.
    """
    waiting = [claim for claim in holding if _is_due(claim)]
    aware = replace(run, planned=knowing(run.planned, concepts.values()))
    known = known_concepts(aware, {(claim.words.head.key, claim.words.head.kind) for claim in waiting})
    return (*_adopted(waiting, known), *_dropped(lost))


def _is_due(claim: WeighedClaim) -> bool:
    """Whether it was not decided yet, on as much evidence as there is now."""
    held = claim.record.properties
    return not held["promoted"] and ("refused" not in held or held.get("support") != judge(claim.evidence).support)


def _adopted(claims: Sequence[WeighedClaim], known: Mapping[tuple[str, str], NodeRef]) -> Iterator[AliasChange]:
    for claim in claims:
        head = claim.words.head
        if (head.key, head.kind) in known:
            ids = tuple(one.source.id for one in claim.evidence if not one.against)
            yield AliasChange(
                claim.record.id, known[head.key, head.kind], claim.words.tail.name, adopt=True, ids=ids
            )


def _dropped(claims: Sequence[NodeRecord]) -> Iterator[AliasChange]:
    for node in claims:
        concept = NodeRef("Concept", str(node.properties["head_concept"]))
        yield AliasChange(node.id, concept, to_claim(node).tail.name, adopt=False)


def write_alias(
    graph: TenantGraph, change: AliasChange, now: datetime, entropy: bytes, *, merge: bool = True
) -> None:
    """Adopt or drop an alias, and tell its claim; a concept of its name is merged where that is allowed."""
    if change.adopt:
        chance = sha256(entropy + change.claim.encode()).digest()
        reason = "texts introduce it as another name"
        adopted = adopt_alias(
            graph,
            change.concept,
            change.name,
            at=now,
            entropy=chance,
            evidence_ids=change.ids,
            reason=reason,
            merge=merge,
        )
        told = {
            "promoted": adopted,
            "refused": None if adopted else _ANOTHER,
            "head_concept": change.concept.id if adopted else None,
        }
        with graph.transaction() as tx:
            tx.set_properties(CLAIM, [(change.claim, told)])
    else:
        _drop(without_aliasing(graph), change)


def _drop(graph: TenantGraph, change: AliasChange) -> None:
    """Take back an alias that a text gave; one that a merge or a description gave as well stays."""
    concept = graph.get([change.concept]).get(change.concept)
    if concept is None:
        return
    alias = alias_ref(concept_ref(change.name, str(concept.properties["kind"])))
    edges = graph.edges([alias], [ALIAS_OF], "out")
    ours = [edge for edge in edges if edge.target == change.concept and edge.properties.get("source") == "text"]
    names = concept.properties.get("merged_names", [])
    left = [name for name in names if name != change.name] if isinstance(names, list) else []
    if not ours:
        return
    with graph.transaction() as tx:
        tx.remove_edges(ours)
        if len(ours) == len(edges):
            tx.remove_nodes([alias])
        tx.set_properties("Concept", [(concept.id, without_names(concept, left))])
