"""How well a relation is known: who says so, how sure, and the texts that speak for and against it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphmem.graph.mapping.claim import CLAIM, EVIDENCE, to_evidence
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef
from graphmem.ports.workspace import Workspace

Place = tuple[str, NodeRef, NodeRef]
"""Type, head and tail of a relation."""

_TEXTS = ("Message", "Episode")
_WORDS = ("text", "goal")


@dataclass(frozen=True, slots=True)
class Witness:
    """A text that speaks of a relation."""

    kind: str
    """message, episode, or given: then it came with the relation."""
    id: str
    """Of the message or episode; "" for what was given."""
    sentence: str
    """The sentence; where none is kept the text or the goal; "" where nothing is left of it."""
    against: bool = False
    """Whether it denies the relation."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How well a relation is known."""

    source: str
    """given, extracted or consolidated."""
    confidence: float
    """0..1."""
    count: int
    """Pieces of evidence."""
    support: int | None
    """Texts that state it; None where that is not counted."""
    against: int | None
    """Texts that deny it, likewise."""
    witnesses: tuple[Witness, ...]
    """The newest of them that this user may see."""


def standings(workspace: Workspace, edges: Sequence[EdgeRecord], *, most: int) -> dict[Place, Standing]:
    """How well relations are known.

    Args:
        workspace: Whose texts may be shown.
        edges: Relations between concepts.
        most: Witnesses of a relation at most.
    """
    texts = _texts(workspace, edges, most)
    claims = _claims(workspace, texts)
    return {edge[:3]: _standing(edge, claims.get(edge[:3], ()), texts, most) for edge in edges}


def _texts(workspace: Workspace, edges: Iterable[EdgeRecord], most: int) -> dict[NodeRef, NodeRecord]:
    """The texts that relations name as their newest evidence, as far as they may be seen."""
    named = dict.fromkeys(NodeRef(label, name) for edge in edges for name in _ids(edge)[:most] for label in _TEXTS)
    found = workspace.graph.get(named) if named else {}
    return {ref: node for ref, node in found.items() if workspace.sees(node)}


@dataclass(frozen=True, slots=True)
class _Claimed:
    node: NodeRecord
    said: tuple[tuple[NodeRef, str, bool], ...]
    """Text, sentence, and whether it denies the claim."""


def _claims(workspace: Workspace, texts: Mapping[NodeRef, NodeRecord]) -> dict[Place, list[_Claimed]]:
    """The claims that these texts speak of, by the relation that each became."""
    spoken: dict[NodeRef, list[EdgeRecord]] = defaultdict(list)
    for edge in workspace.graph.edges(sorted(texts), [EVIDENCE], "in") if texts else ():
        if edge.source.label == CLAIM:
            spoken[edge.source].append(edge)
    found: dict[Place, list[_Claimed]] = defaultdict(list)
    for ref, node in (workspace.graph.get(sorted(spoken)) if spoken else {}).items():
        held = node.properties
        ends = held.get("head_concept"), held.get("tail_concept")
        if None in ends:
            continue
        head, tail = (NodeRef("Concept", str(end)) for end in ends)
        said = tuple((read.source, read.sentence, read.against) for read in map(to_evidence, spoken[ref]))
        found[str(held["relation"]).upper(), head, tail].append(_Claimed(node, said))
    return found


def _standing(
    edge: EdgeRecord, claims: Sequence[_Claimed], texts: Mapping[NodeRef, NodeRecord], most: int
) -> Standing:
    held = edge.properties
    given = held.get("evidence", [])
    witnesses = [Witness("given", "", text) for text in (given if isinstance(given, list) else [])[:most]]
    told = [(ref, sentence, against) for claim in claims for ref, sentence, against in claim.said]
    witnesses += [Witness(ref.label.lower(), ref.id, sentence, against) for ref, sentence, against in told]
    spoken = {ref for ref, _, _ in told}
    for name in _ids(edge)[:most]:
        for ref in (NodeRef(label, name) for label in _TEXTS):
            if ref in texts and ref not in spoken:
                witnesses.append(Witness(ref.label.lower(), ref.id, _words(texts[ref])))
    confidence = held.get("confidence", 1.0)
    return Standing(
        source=str(held.get("source", "given")),
        confidence=float(confidence) if isinstance(confidence, int | float) else 1.0,
        count=_whole(held.get("evidence_count")) or 0,
        support=_summed(claims, "support"),
        against=_summed(claims, "against"),
        witnesses=tuple(witnesses[:most]),
    )


def _ids(edge: EdgeRecord) -> list[str]:
    held = edge.properties.get("evidence_ids", [])
    return list(held) if isinstance(held, list | tuple) else []


def _words(node: NodeRecord) -> str:
    return next((str(node.properties[name]) for name in _WORDS if node.properties.get(name)), "")


def _summed(claims: Sequence[_Claimed], name: str) -> int | None:
    counts = [count for claim in claims if (count := _whole(claim.node.properties.get(name))) is not None]
    return sum(counts) if counts else None


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) else None
