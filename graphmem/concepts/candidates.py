"""Finds concepts that may be one, and says why each pair is suggested or not.

Only what names say counts: an alias that somebody gave, letters, spelling. Likeness orders the pairs and finds
neighbours to look at; alone it decides nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from graphmem.graph.mapping.alias import ALIAS_OF, shadowed_ref
from graphmem.graph.records import PLACEHOLDER, EdgeRecord, NodeRecord, NodeRef
from graphmem.graph.schema import CONCEPT_RELATIONS
from graphmem.language.name_evidence import abbreviations, spellings
from graphmem.models.concept import ACYCLIC_RELATIONS
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import pages

_NO_NAMES = frozenset({"argument"})
"""Kinds whose concepts are named by a rule: values of arguments are never spellings of each other."""

_LEADING = frozenset(relation.value.upper() for relation in ACYCLIC_RELATIONS)

Pair = tuple[NodeRef, NodeRef]


@dataclass(frozen=True, slots=True)
class MergeCandidate:
    """Two concepts that may be one."""

    keep: str
    """The fuller name, or the one that is described."""
    other: str
    kind: str
    evidence: tuple[str, ...]
    """What their names say, in words; empty where they are only alike."""
    similarity: float | None
    """Cosine of their vectors, -1..1; None without vectors."""
    suggested: bool
    """Whether merging them is advised."""
    decision: str
    """Why, or why not."""


def find_candidates(graph: TenantGraph) -> list[MergeCandidate]:
    """All pairs of a tenant's concepts whose names say that they may be one; suggested ones first.

    Args:
        graph: The tenant.
    """
    concepts = {
        node.ref: node
        for page in pages(graph, "Concept")
        for node in page
        if node.properties["kind"] not in _NO_NAMES
    }
    evidence: dict[Pair, list[str]] = defaultdict(list)
    for pair, said in (*_named_so(graph, concepts), *_written_so(concepts)):
        evidence[pair].append(said)
    shorts = Counter(pair[1] for pair in evidence)
    return _decided(graph, concepts, evidence, shorts)


def find_neighbours(
    graph: TenantGraph, concept: NodeRef, *, limit: int, min_similarity: float
) -> list[MergeCandidate]:
    """Candidates for one concept: those that names speak for, then those that are merely alike.

    Args:
        graph: The tenant.
        concept: The concept.
        limit: Most neighbours.
        min_similarity: Least cosine of a neighbour, -1..1.
    """
    node = graph.get([concept], vectors=True)[concept]
    name = str(node.properties["name"])
    found = [
        one
        for one in find_candidates(graph)
        if name in {one.keep, one.other} and one.kind == node.properties["kind"]
    ]
    if node.vector is None:
        return found
    met = {other for one in found for other in (one.keep, one.other)} | {name}
    for hit in graph.nearest("Concept", node.vector, limit=limit + 1):
        other = str(hit.record.properties["name"])
        if hit.score >= min_similarity and other not in met:
            found.append(_alike(node, hit.record, hit.score))
    return found


def _alike(node: NodeRecord, other: NodeRecord, score: float) -> MergeCandidate:
    names = str(node.properties["name"]), str(other.properties["name"])
    why = "they are alike, and nothing in their names says that they are one"
    return MergeCandidate(
        *names, str(other.properties["kind"]), (), round(score, 3), suggested=False, decision=why
    )


def _named_so(graph: TenantGraph, concepts: Mapping[NodeRef, NodeRecord]) -> Iterator[tuple[Pair, str]]:
    """Concepts whose name is an alias of another one."""
    for page in pages(graph, "Alias"):
        for edge in graph.edges([node.ref for node in page], [ALIAS_OF], "out"):
            other = shadowed_ref(edge.source)
            if other in concepts and edge.target in concepts and other != edge.target:
                told = "a text gives" if edge.properties.get("source") == "text" else "its description gives"
                yield (edge.target, other), f"{told} {concepts[other].properties['name']!r} as another name"


def _written_so(concepts: Mapping[NodeRef, NodeRecord]) -> Iterator[tuple[Pair, str]]:
    """Concepts of one kind whose names are spellings or abbreviations of each other."""
    kinds: dict[str, list[NodeRecord]] = defaultdict(list)
    for node in concepts.values():
        kinds[str(node.properties["kind"])].append(node)
    for nodes in kinds.values():
        names = [str(node.properties["name"]) for node in nodes]
        for first, second in spellings(names):
            keep, other = sorted((nodes[first], nodes[second]), key=_weight)
            yield (keep.ref, other.ref), "they differ in blanks, hyphens, points or accents alone"
        for short, full in abbreviations(names):
            said = f"the letters of {names[short]!r} are those of {names[full]!r}"
            yield (nodes[full].ref, nodes[short].ref), said


def _weight(node: NodeRecord) -> tuple[bool, str, str]:
    """Described concepts first, then the older one."""
    return node.content_hash == PLACEHOLDER, str(node.properties["created_at"]), node.id


def _decided(
    graph: TenantGraph,
    concepts: Mapping[NodeRef, NodeRecord],
    evidence: Mapping[Pair, Sequence[str]],
    shorts: Mapping[NodeRef, int],
) -> list[MergeCandidate]:
    refs = sorted({ref for pair in evidence for ref in pair})
    vectors = graph.get(refs, vectors=True) if refs else {}
    joined = _joined(graph.edges(refs, CONCEPT_RELATIONS, "out") if refs else ())
    found = []
    for (keep, other), said in evidence.items():
        one = MergeCandidate(
            str(concepts[keep].properties["name"]),
            str(concepts[other].properties["name"]),
            str(concepts[keep].properties["kind"]),
            tuple(dict.fromkeys(said)),
            _cosine(vectors[keep], vectors[other]) if keep in vectors and other in vectors else None,
            suggested=True,
            decision="their names say so",
        )
        why = _objection(concepts[keep], concepts[other], joined, shorts)
        found.append(one if why is None else replace(one, suggested=False, decision=why))
    return sorted(found, key=lambda one: (not one.suggested, -(one.similarity or 0.0), one.keep, one.other))


def _objection(
    keep: NodeRecord,
    other: NodeRecord,
    joined: Mapping[frozenset[NodeRef], set[str]],
    shorts: Mapping[NodeRef, int],
) -> str | None:
    types = joined.get(frozenset((keep.ref, other.ref)), set())
    if types & _LEADING:
        return f"one is related to the other by {', '.join(sorted(types)).lower()}"
    if keep.properties["kind"] != other.properties["kind"]:
        return "they are of different kinds, which keep homonyms apart"
    if shorts[other.ref] > 1:
        return f"{other.properties['name']!r} could be several concepts"
    return None


def _joined(edges: Iterable[EdgeRecord]) -> dict[frozenset[NodeRef], set[str]]:
    found: dict[frozenset[NodeRef], set[str]] = defaultdict(set)
    for edge in edges:
        found[frozenset((edge.source, edge.target))].add(edge.type)
    return found


def _cosine(first: NodeRecord, second: NodeRecord) -> float | None:
    if first.vector is None or second.vector is None:
        return None
    lengths = float(np.linalg.norm(first.vector) * np.linalg.norm(second.vector))
    return round(float(np.dot(first.vector, second.vector)) / lengths, 3) if lengths else None
