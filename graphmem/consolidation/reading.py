"""Reads texts for claims: what each text adds to the evidence, and which known concepts it mentions.

A text that is read again (its content, the rules or the policy changed) takes back what it no longer says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from graphmem.consolidation.marks import MARK
from graphmem.consolidation.phases import Changes, Planned, Run, TextReader
from graphmem.consolidation.sources import Source
from graphmem.consolidation.statements import Reading, Statement, mentioned, statements_in
from graphmem.graph.mapping.claim import CLAIM, EVIDENCE, Evidence, claim_record, evidence_edge
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Value
from graphmem.language.extraction import EVENT
from graphmem.models.concept import DEFAULT_CONCEPT_KIND
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.identity import choose_concept, concepts_by_key

EXTRACTED = "extracted"
"""Source of edges that were read in texts."""


@dataclass(frozen=True, slots=True)
class SourceReading:
    """A message or episode, and what was found in it."""

    source: Source
    found: Sequence[Reading]
    """Its texts in order, each with what it states."""
    reader: str
    """What found it; see `Readers`."""


@dataclass(frozen=True, slots=True)
class SourcePlan:
    """What reading one message or episode would write."""

    source: Source
    mark: str
    """To be set when it was read."""
    add: tuple[EdgeRecord, ...] = ()
    remove: tuple[EdgeRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadingPlan:
    """What reading some texts would write."""

    sources: tuple[SourcePlan, ...] = ()
    claims: Mapping[NodeRef, NodeRecord] = field(default_factory=dict)
    """Claims that these texts speak of; those that are stored stay as they are."""

    def __bool__(self) -> bool:
        return bool(self.sources)

    def spoken_of(self) -> set[NodeRef]:
        """Claims of which these texts change the evidence."""
        edges = (edge for plan in self.sources for edge in (*plan.add, *plan.remove))
        return {edge.source for edge in edges if edge.type == EVIDENCE}

    def counts(self) -> dict[str, int]:
        """Texts that are read, and what they add."""
        add = [edge for plan in self.sources for edge in plan.add]
        remove = [edge for plan in self.sources for edge in plan.remove]
        return {
            "read": len(self.sources),
            "evidence": sum(edge.type == EVIDENCE for edge in add),
            "linked": sum(edge.type != EVIDENCE for edge in add),
            "unlinked": sum(edge.type != EVIDENCE for edge in remove),
        }

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """The new evidence, in words."""
        return {
            "statements": [
                {
                    **_said(self.claims[edge.source]),
                    "in": edge.target.id,
                    "polarity": edge.properties["polarity"],
                    "sentence": edge.properties["sentence"],
                }
                for plan in self.sources
                for edge in plan.add
                if edge.type == EVIDENCE
            ]
        }

    def batches(self) -> Iterator[Changes]:
        """All of it at once: as many texts as the policy allows for a batch."""
        marks: dict[str, list[tuple[str, Mapping[str, Value | None]]]] = {}
        for plan in self.sources:
            marks.setdefault(plan.source.ref.label, []).append((plan.source.ref.id, {MARK: plan.mark}))
        yield Changes(
            nodes=[self.claims[ref] for ref in sorted(self.claims)],
            remove_edges=[edge for plan in self.sources for edge in plan.remove],
            edges=sorted((edge for plan in self.sources for edge in plan.add), key=lambda edge: edge[:3]),
            properties=marks,
            items=len(self.sources),
        )


def plan_reading(run: Run, readings: Sequence[SourceReading]) -> ReadingPlan:
    """Plan what these sources add to the evidence, and which stored concepts they mention.

    Args:
        run: The tenant and the time.
        readings: A batch, each of another source.
    """
    sources = [one.source for one in readings]
    statements = {one.source.ref: statements_in(one.found, one.source.findings) for one in readings}
    mentions = {one.source.ref: mentioned(one.found) for one in readings}
    concepts = known_concepts(run, {place for found in mentions.values() for place in found})
    stored = _stored_edges(run.graph, sources)
    plans = []
    for one in readings:
        source = one.source
        wanted = [_evidence(source, statement, run.now) for statement in statements[source.ref]]
        wanted += mention_edges(source, mentions[source.ref], concepts, run.now)
        plans.append(_differences(one, wanted, stored[source.ref], run.planned.edges))
    used = {edge.source for plan in plans for edge in plan.add if edge.type == EVIDENCE}
    claims: dict[NodeRef, NodeRecord] = {}
    for statement in (statement for found in statements.values() for statement in found):
        if statement.words.ref in used:
            # named as it was said first
            claims.setdefault(statement.words.ref, claim_record(statement.words, run.now))
    return ReadingPlan(tuple(plans), claims)


def read_texts(reader: TextReader, sources: Sequence[Source]) -> list[list[Reading]]:
    """What was found in the texts of each source; those of one genre are read together."""
    found: list[list[Reading]] = [[] for _ in sources]
    for genre in sorted({source.genre for source in sources}):
        places = [
            (place, text) for place, source in enumerate(sources) if source.genre == genre for text in source.texts
        ]
        extractions = reader.extract_many([text for _, text in places], genre)
        for (place, text), extraction in zip(places, extractions, strict=True):
            found[place].append((text, extraction))
    return found


def known_concepts(run: Run, places: set[tuple[str, str]]) -> dict[tuple[str, str], NodeRef]:
    """The stored concepts that (key, kind) pairs mean; those that mean none, or several, are left out."""
    candidates = concepts_by_key(run.graph, {key for key, _ in places}) if places else {}
    found = {}
    for key, kind in places:
        meant = [*candidates[key], *run.planned.concepts.get(key, ())]
        chosen = choose_concept(key, (kind, DEFAULT_CONCEPT_KIND), meant, others=True)
        if chosen is not None:
            found[key, kind] = chosen.ref
    return found


def knowing(planned: Planned, concepts: Iterable[NodeRecord]) -> Planned:
    """What is planned, and these concepts as well."""
    by_key = dict(planned.concepts)
    for node in concepts:
        key = str(node.properties["key"])
        by_key[key] = [*by_key.get(key, ()), node]
    return replace(planned, concepts=by_key)


def mention_edges(
    source: Source,
    mentions: Counter[tuple[str, str]],
    concepts: Mapping[tuple[str, str], NodeRef],
    recorded_at: datetime,
) -> list[EdgeRecord]:
    """MENTIONS from a source to the concepts that are known, and INSTANCE_OF from its steps that are such events.

    Salience is a concept's share of all that the source mentions, known or not, 0..1: it does not change when
    other concepts become known.
    """
    total = mentions.total()
    counts: Counter[NodeRef] = Counter()
    for place, count in mentions.items():
        if place in concepts:
            counts[concepts[place]] += count
    own: dict[str, Value] = {"created_at": recorded_at, "source": EXTRACTED}
    if source.user is not None:
        own["user_id"] = source.user
    edges = [
        EdgeRecord("MENTIONS", source.ref, concept, {**own, "count": count, "salience": round(count / total, 6)})
        for concept, count in sorted(counts.items())
    ]
    for key, step in source.steps:
        if (EVENT, key) in mentions and (EVENT, key) in concepts:
            edges.append(EdgeRecord("INSTANCE_OF", step, concepts[EVENT, key], own))
    return edges


def _evidence(source: Source, statement: Statement, now: datetime) -> EdgeRecord:
    evidence = Evidence(
        source=source.ref,
        sentence=statement.sentence,
        rule=statement.rule,
        prior=statement.prior,
        against=statement.against,
        unit=source.unit,
        at=source.at,
        user=source.user,
    )
    return evidence_edge(statement.words.ref, evidence, now)


def _stored_edges(graph: TenantGraph, sources: Sequence[Source]) -> dict[NodeRef, list[EdgeRecord]]:
    """What was read in these sources before, and what else they mention."""
    stored: dict[NodeRef, list[EdgeRecord]] = {source.ref: [] for source in sources}
    for edge in graph.edges(stored, [EVIDENCE], "in"):
        if edge.source.label == CLAIM:
            stored[edge.target].append(edge)
    owners = {ref: source.ref for source in sources for ref in (source.ref, *(step for _, step in source.steps))}
    for edge in graph.edges(owners, ["MENTIONS", "INSTANCE_OF"], "out"):
        stored[owners[edge.source]].append(edge)
    return stored


def _differences(
    reading: SourceReading,
    wanted: Sequence[EdgeRecord],
    stored: Sequence[EdgeRecord],
    planned: frozenset[tuple[str, NodeRef, NodeRef]],
) -> SourcePlan:
    present = {edge[:3]: edge for edge in stored}
    # what was given, or found in steps, says more than a word in a text
    others = {place for place, edge in present.items() if place[0] != EVIDENCE and not _is_extracted(edge)}
    asked = {edge[:3]: edge for edge in wanted if edge[:3] not in others and edge[:3] not in planned}
    return SourcePlan(
        reading.source,
        reading.source.mark(reading.reader),
        add=tuple(edge for place, edge in asked.items() if _differs(edge, present.get(place))),
        remove=tuple(edge for place, edge in present.items() if place not in asked and place not in others),
    )


def _is_extracted(edge: EdgeRecord) -> bool:
    return edge.properties.get("source") == EXTRACTED


def _differs(wanted: EdgeRecord, stored: EdgeRecord | None) -> bool:
    if stored is None:
        return True
    return {**stored.properties, "created_at": None} != {**wanted.properties, "created_at": None}


def _said(claim: NodeRecord) -> dict[str, Value]:
    return {name: claim.properties[name] for name in ("head", "relation", "tail")}
