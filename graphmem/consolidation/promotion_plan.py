"""What judging claims would write, as a value: relations, concepts, and what is known of the claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphmem.consolidation.phases import AliasChange, Changes, in_batches
from graphmem.graph.mapping.claim import CLAIM, ClaimWords
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Value

REFUSALS = "refusals"
"""Name of the list of relations that would close a cycle."""

WAITING = "waiting"
"""Name of what is known of claims."""

MOST_WAITING = 1000
"""Claims that are kept for the next run; with more of them it judges all."""

Place = tuple[str, NodeRef, NodeRef]
"""Type, head and tail of a relation."""


@dataclass(frozen=True, slots=True)
class PromotionPlan:
    """What judging all claims would write."""

    concepts: Mapping[NodeRef, NodeRecord] = field(default_factory=dict)
    """Concepts that would be created."""
    add: tuple[EdgeRecord, ...] = ()
    """Relations that are new."""
    change: tuple[EdgeRecord, ...] = ()
    """Relations whose evidence changed."""
    remove: tuple[EdgeRecord, ...] = ()
    """Relations that lost their evidence."""
    decided: tuple[tuple[str, Mapping[str, Value | None]], ...] = ()
    """Id of a claim -> what is known of it from now on."""
    gone: tuple[NodeRef, ...] = ()
    """Claims that no text speaks of any more."""
    orphans: tuple[NodeRef, ...] = ()
    """Concepts that such relations made, and that nothing speaks of any more."""
    refused: tuple[tuple[ClaimWords, str], ...] = ()
    """Claims that would close a cycle, with the cycle; those that were refused before included."""
    mentions: Mapping[NodeRef, Sequence[EdgeRecord]] = field(default_factory=dict)
    """New concept -> edges from the texts that mention it."""
    aliases: tuple[AliasChange, ...] = ()
    """Second names of concepts that texts give, or no longer give."""
    names: Mapping[NodeRef, str] = field(default_factory=dict)
    """Names of the concepts that are spoken of."""
    waiting: tuple[NodeRef, ...] = ()
    """Claims to be judged again in the next run, whatever is new."""
    batch: int = 500

    def __bool__(self) -> bool:
        return bool(self.add or self.change or self.remove or self.decided or self.gone or self.aliases)

    def known(self) -> Mapping[str, Any] | None:
        """The claims that wait; None: too many to keep."""
        return None if len(self.waiting) > MOST_WAITING else {WAITING: [ref.id for ref in self.waiting]}

    def counts(self) -> dict[str, int]:
        """Relations made, strengthened or weakened, taken back and refused, and new concepts."""
        return {
            "promoted": len(self.concepts),
            "linked": sum(map(len, self.mentions.values())),
            "relations": len(self.add),
            "aliases": sum(alias.adopt for alias in self.aliases),
            "reweighed": len(self.change),
            "demoted": len(self.remove),
            "refused": len(self.refused),
        }

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """Each relation in words, and each refused one with its cycle."""
        concepts = [
            {"name": concept.properties["name"], "kind": concept.properties["kind"]}
            for concept in self.concepts.values()
        ]
        refused = [
            {"head": words.head.name, "relation": words.relation, "tail": words.tail.name, "why": why}
            for words, why in self.refused
        ]
        return {
            "concepts": concepts,
            "learned": list(map(self._document, (*self.add, *self.change))),
            "unlearned": list(map(self._document, self.remove)),
            REFUSALS: refused,
        }

    def _document(self, edge: EdgeRecord) -> dict[str, Any]:
        head, tail = (self.names.get(end, end.id) for end in (edge.source, edge.target))
        said = {"head": head, "relation": edge.type.lower(), "tail": tail}
        numbers = {name: edge.properties.get(name) for name in ("confidence", "evidence_count")}
        return {**said, **numbers}

    def batches(self) -> Iterator[Changes]:
        """Relations first, then what is known of the claims: stopped in between, the same is planned again."""
        for edges in in_batches(self.remove, self.batch):
            yield Changes(remove_edges=edges, items=len(edges))
        waiting = dict(self.concepts)
        for edges in in_batches((*self.add, *self.change), self.batch):
            ends = sorted({end for edge in edges for end in (edge.source, edge.target)} & waiting.keys())
            # with the concept, since later it is not new any more
            mentions = [edge for ref in ends for edge in self.mentions.get(ref, ())]
            yield Changes(nodes=[waiting.pop(ref) for ref in ends], edges=[*edges, *mentions], items=len(edges))
        for aliases in in_batches(self.aliases, self.batch):
            yield Changes(aliases=aliases, items=len(aliases))
        for rows in in_batches(self.decided, self.batch):
            yield Changes(properties={CLAIM: rows})
        for refs in in_batches((*self.orphans, *self.gone), self.batch):
            yield Changes(remove_nodes=refs)
