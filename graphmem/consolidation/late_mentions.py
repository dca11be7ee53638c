"""Finds earlier texts that mention a concept which has only now become one.

A text is read once, and links to what was known then. When a concept is new, the texts that made it one and
those that hold its words are looked at again for it alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from graphmem.consolidation.phases import Run, in_batches
from graphmem.consolidation.reading import knowing, known_concepts, mention_edges, read_texts
from graphmem.consolidation.sources import Source, episode_source, message_source
from graphmem.consolidation.statements import mentioned
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef
from graphmem.graph.tokens import query_tokens
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import CLOSED, steps_of

_CONCEPTS_AT_ONCE = 20
_CLOSED = {"Episode": CLOSED}


def late_mentions(
    run: Run, concepts: Mapping[NodeRef, NodeRecord], evidence: Mapping[NodeRef, Iterable[NodeRef]]
) -> dict[NodeRef, list[EdgeRecord]]:
    """The edges from earlier texts to concepts that are about to be created.

    Args:
        run: The tenant, with what reads; nothing is found without.
        concepts: The new concepts.
        evidence: The texts that speak of each.

    Returns:
        Concept -> edges to it; those without any are left out.
    """
    found: dict[NodeRef, list[EdgeRecord]] = {}
    if run.reader is None:
        return found
    aware = replace(run, planned=knowing(run.planned, concepts.values()))
    for batch in in_batches(concepts.values(), _CONCEPTS_AT_ONCE):
        stating = {concept.ref: frozenset(evidence.get(concept.ref, ())) for concept in batch}
        refs = {ref for concept in batch for ref in (*stating[concept.ref], *_holding(run, concept))}
        wanted = {concept.ref for concept in batch}
        for edge in _mentions(aware, list(_sources(run.graph, sorted(refs))), batch, stating):
            if edge.target in wanted and edge[:3] not in run.planned.edges:
                found.setdefault(edge.target, []).append(edge)
    return found


def _holding(run: Run, concept: NodeRecord) -> Iterator[NodeRef]:
    """The texts that hold the words of a concept's name, the likeliest first."""
    words = query_tokens(str(concept.properties["name"]))
    if words and run.policy.late_mention_texts:
        hits = run.graph.search(["Message", "Episode"], words, _CLOSED, limit=run.policy.late_mention_texts)
        yield from (hit.record.ref for hit in hits)


def _sources(graph: TenantGraph, refs: Sequence[NodeRef]) -> Iterator[Source]:
    nodes = graph.get(refs)
    steps = steps_of(graph, [ref.id for ref in nodes if ref.label == "Episode"])
    for ref, node in nodes.items():
        yield message_source(node) if ref.label == "Message" else episode_source(node, steps[ref.id])


def _mentions(
    run: Run,
    sources: Sequence[Source],
    new: Sequence[NodeRecord],
    stating: Mapping[NodeRef, Collection[NodeRef]],
) -> Iterator[EdgeRecord]:
    """What the rules find mentioned, and the concepts of which a text states something, whoever found that."""
    assert run.reader is not None  # noqa: S101 (nobody asks without)
    mentions = [mentioned(readings) for readings in read_texts(run.reader, sources)]
    places = {concept.ref: (str(concept.properties["key"]), str(concept.properties["kind"])) for concept in new}
    concepts = known_concepts(run, {place for counts in mentions for place in counts})
    for source, counts in zip(sources, mentions, strict=True):
        named = {concepts[place] for place in counts if place in concepts}
        unnamed = {ref: place for ref, place in places.items() if source.ref in stating[ref] and ref not in named}
        counts.update(unnamed.values())
        known = {**concepts, **{place: ref for ref, place in unnamed.items()}}
        yield from mention_edges(source, counts, known, run.now)
