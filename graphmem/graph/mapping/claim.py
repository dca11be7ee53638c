"""Claims and their evidence to nodes and edges, and back.

A claim is what texts state or deny, as long as it is not known whether it holds: its two ends by key and kind,
and how they relate. Each text that speaks of it is one edge, with the sentence and how sure its rule is.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from graphmem.graph.mapping.values import given, present
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Value

CLAIM = "Claim"
EVIDENCE = "ASSERTED_IN"
"""Type of the edges from a claim to the texts that speak of it."""

ALIAS = "alias"
"""What a claim says whose tail is another name of its head; no relation between two concepts."""

_NAMESPACE = uuid.UUID("5b0c9f0a-6a0e-5d55-8f3e-636c61696d73")
"""Fixed for ever: ids of claims are derived from it."""


@dataclass(frozen=True, slots=True, order=True)
class ClaimEnd:
    """A concept as a claim names it, stored or not."""

    key: str
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class ClaimWords:
    """What a claim says."""

    head: ClaimEnd
    relation: str
    """A relation between concepts, or `ALIAS`."""
    tail: ClaimEnd

    @property
    def ref(self) -> NodeRef:
        """The claim's node: the same in every store, however its ends are written."""
        ends = (self.head.key, self.head.kind, self.relation, self.tail.key, self.tail.kind)
        return NodeRef(CLAIM, str(uuid.uuid5(_NAMESPACE, "\n".join(ends))))


@dataclass(frozen=True, slots=True)
class Evidence:
    """A text that speaks of a claim."""

    source: NodeRef
    """The message or episode."""
    sentence: str
    rule: str
    """What read it."""
    prior: float
    """How often that rule is right, 0..1."""
    against: bool
    """Whether the text denies the claim."""
    unit: str
    """What makes it independent of other evidence: its session, else its episode, else itself."""
    at: datetime
    """When it was said."""
    user: str | None = None


def claim_record(words: ClaimWords, recorded_at: datetime) -> NodeRecord:
    """A claim about which nothing is decided yet."""
    properties: dict[str, Value] = {
        "relation": words.relation,
        "head": words.head.name,
        "head_key": words.head.key,
        "head_kind": words.head.kind,
        "tail": words.tail.name,
        "tail_key": words.tail.key,
        "tail_kind": words.tail.kind,
        "promoted": False,
        "created_at": recorded_at,
        "content_hash": words.ref.id,
    }
    return NodeRecord(CLAIM, words.ref.id, properties)


def to_claim(node: NodeRecord) -> ClaimWords:
    """What a claim's node says."""
    head, tail = (
        ClaimEnd(*(str(node.properties[f"{end}{part}"]) for part in ("_key", "_kind", "")))
        for end in ("head", "tail")
    )
    return ClaimWords(head, str(node.properties["relation"]), tail)


def evidence_edge(claim: NodeRef, evidence: Evidence, recorded_at: datetime) -> EdgeRecord:
    """The edge from a claim to a text that speaks of it."""
    properties = present(
        {
            "user_id": evidence.user,
            "sentence": evidence.sentence,
            "rule": evidence.rule,
            "prior": evidence.prior,
            "polarity": "against" if evidence.against else "for",
            "unit": evidence.unit,
            "at": evidence.at,
            "created_at": recorded_at,
        }
    )
    return EdgeRecord(EVIDENCE, claim, evidence.source, properties)


def to_evidence(edge: EdgeRecord) -> Evidence:
    """What an edge of `evidence_edge` says."""
    held = given(edge.properties, "sentence", "rule", "prior", "unit", "at")
    user = edge.properties.get("user_id")
    return Evidence(
        source=edge.target,
        against=edge.properties["polarity"] == "against",
        user=None if user is None else str(user),
        **held,
    )
