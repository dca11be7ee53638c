"""The phase that gathers causes between concepts out of what caused what within single episodes.

New episodes are added to the counts that are stored. Where episodes changed or went, all that name causes are
counted anew; only edges that differ are written. An edge that somebody gave, or that was read in a text, stays as
it is.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from graphmem.consolidation.concepts import ConceptLookup
from graphmem.consolidation.linking import FINDING, Mention
from graphmem.consolidation.news import REMOVED
from graphmem.consolidation.phases import Changes, Run, in_batches
from graphmem.graph.mapping.concept import concept_key
from graphmem.graph.mapping.finding import finding_ref
from graphmem.graph.mapping.label import key_of
from graphmem.graph.mapping.values import read_json
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Value
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import EPISODES_AT_ONCE, PAGE, closed_episodes, pages

CAUSES = "CAUSES"
CONSOLIDATED = "consolidated"

NEWEST_EVIDENCE = 50
"""Episodes that an edge names."""

_BEGINNING = datetime.min.replace(tzinfo=UTC)

_Pair = tuple[NodeRef, NodeRef]
"""Cause and effect."""


@dataclass(slots=True)
class _Evidence:
    """The episodes in which one thing caused another one."""

    count: int = 0
    newest: list[tuple[datetime, str]] = field(default_factory=list)
    """A heap of the newest, with their ids."""

    def add(self, root: NodeRecord) -> None:
        """Count an episode; memory is bounded."""
        self.count += 1
        self.name(root)

    def name(self, root: NodeRecord) -> None:
        """Name an episode that is counted, if it is one of the newest."""
        entry = (_time(root), root.id)
        if len(self.newest) < NEWEST_EVIDENCE:
            heapq.heappush(self.newest, entry)
        else:
            heapq.heappushpop(self.newest, entry)

    def properties(self, now: datetime) -> dict[str, Value]:
        """What the edge says."""
        confidence = round(beta_mean(self.count), 6)
        return {
            "created_at": now,
            "source": CONSOLIDATED,
            "count": self.count,
            "evidence_count": self.count,
            "evidence_ids": [episode for _, episode in sorted(self.newest, reverse=True)],
            "confidence": confidence,
            "weight": confidence,
        }


@dataclass(frozen=True, slots=True)
class CausesPlan:
    """What would be written of causes between concepts."""

    add: tuple[EdgeRecord, ...] = ()
    remove: tuple[EdgeRecord, ...] = ()
    concepts: Mapping[NodeRef, NodeRecord] = field(default_factory=dict)
    """Concepts that do not exist yet."""
    names: Mapping[NodeRef, str] = field(default_factory=dict)
    batch: int = 200

    def __bool__(self) -> bool:
        return bool(self.add or self.remove)

    def counts(self) -> dict[str, int]:
        """Edges made or changed, and taken back."""
        return {"linked": len(self.add), "unlinked": len(self.remove)}

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """Each edge with its count and confidence."""
        return {"causes": [self._document(edge) for edge in self.add]}

    def _document(self, edge: EdgeRecord) -> dict[str, Any]:
        ends = {"cause": self.names[edge.source], "effect": self.names[edge.target]}
        return {**ends, "episodes": edge.properties["count"], "confidence": edge.properties["confidence"]}

    def batches(self) -> Iterator[Changes]:
        """Edges with the concepts that they need."""
        for edges in in_batches(self.remove, self.batch):
            yield Changes(remove_edges=edges)
        for edges in in_batches(self.add, self.batch):
            ends = {ref for edge in edges for ref in (edge.source, edge.target)}
            nodes = [self.concepts[ref] for ref in sorted(ends & self.concepts.keys())]
            yield Changes(nodes=nodes, edges=edges)


class ConceptCauses:
    """Keeps CAUSES between concepts equal to CAUSED_BY within episodes."""

    def plan(self, run: Run) -> CausesPlan:
        """The edges that differ from what all closed episodes say."""
        lookup = ConceptLookup(run.graph, run.now, run.planned)
        fresh = _new(run)
        found = _evidence(_closed(run.graph, fresh), lookup)
        held = _stored(run.graph) if fresh is None else _between(run.graph, found)
        stored = {(edge.source, edge.target): edge for edge in held}
        if fresh is not None:
            _add_stored(run.graph, found, stored)
        wanted = {
            pair: EdgeRecord(CAUSES, *pair, evidence.properties(run.now)) for pair, evidence in found.items()
        }
        add = [edge for pair, edge in wanted.items() if _is_due(edge, stored.get(pair))]
        remove = [edge for pair, edge in stored.items() if _is_ours(edge) and pair not in wanted]
        used = {ref for edge in add for ref in (edge.source, edge.target)}
        new = {record.ref: record for record in lookup.created(used)}
        planned = {node.ref: node for nodes in run.planned.concepts.values() for node in nodes}
        nodes = {**run.graph.get(used - new.keys() - planned.keys()), **planned, **new}
        names = {ref: str(nodes[ref].properties["name"]) for ref in used}
        return CausesPlan(tuple(sorted(add, key=_ends)), tuple(remove), new, names, run.policy.batch_episodes)

    def rounds(self, run: Run) -> Iterator[CausesPlan]:
        """The whole plan: a count is known when all episodes were read."""
        yield self.plan(run)


def beta_mean(supporting: int, contradicting: int = 0) -> float:
    """Mean of the beta distribution of a share, begun at an even chance: (s + 1) / (s + c + 2), 0..1."""
    return (supporting + 1) / (supporting + contradicting + 2)


def _new(run: Run) -> tuple[str, ...] | None:
    """The episodes to count; None: all, also where a relation read in texts went that hid what was counted."""
    if run.news is None or f"{REMOVED}{CAUSES}" in run.news.written:
        return None
    return run.news.episodes


def _closed(graph: TenantGraph, new: Sequence[str] | None) -> Iterator[Sequence[NodeRecord]]:
    for where in closed_episodes(new):
        yield from pages(graph, "Episode", where, limit=EPISODES_AT_ONCE)


def _evidence(closed: Iterable[Sequence[NodeRecord]], lookup: ConceptLookup) -> dict[_Pair, _Evidence]:
    found: dict[_Pair, _Evidence] = {}
    for roots in closed:
        causal = [(root, _links(root)) for root in roots if "causes" in root.properties]
        concepts = lookup.resolve(
            Mention(FINDING, name, finding_ref(root.id, key_of(name)))
            for root, links in causal
            for link in links
            for name in link
        )
        for root, links in causal:
            places = {(concepts[FINDING, concept_key(a)], concepts[FINDING, concept_key(b)]) for a, b in links}
            for cause, effect in places:
                # two spellings of one concept cause nothing
                if cause != effect:
                    found.setdefault((cause, effect), _Evidence()).add(root)
    return found


def _between(graph: TenantGraph, pairs: Collection[_Pair]) -> Iterator[EdgeRecord]:
    for causes in in_batches(sorted({cause for cause, _ in pairs}), EPISODES_AT_ONCE):
        yield from (edge for edge in graph.edges(causes, [CAUSES], "out") if (edge.source, edge.target) in pairs)


def _add_stored(graph: TenantGraph, found: Mapping[_Pair, _Evidence], stored: Mapping[_Pair, EdgeRecord]) -> None:
    """Add what was counted before to what new episodes say; the newest of both are named."""
    ours = {pair: edge for pair, edge in stored.items() if _is_ours(edge)}
    refs = {NodeRef("Episode", name) for edge in ours.values() for name in _named(edge)}
    episodes = {ref.id: node for some in in_batches(sorted(refs), PAGE) for ref, node in graph.get(some).items()}
    for pair, edge in ours.items():
        count = edge.properties["count"]
        found[pair].count += count if isinstance(count, int) else 0
        for name in _named(edge):
            if name in episodes:
                found[pair].name(episodes[name])


def _named(edge: EdgeRecord) -> list[str]:
    names = edge.properties.get("evidence_ids")
    return names if isinstance(names, list) else []


def _links(root: NodeRecord) -> list[tuple[str, str]]:
    return [(link["cause"], link["effect"]) for link in read_json(root.properties, "causes")]


def _stored(graph: TenantGraph) -> Iterator[EdgeRecord]:
    for concepts in pages(graph, "Concept"):
        yield from graph.edges([node.ref for node in concepts], [CAUSES], "out")


def _is_ours(edge: EdgeRecord) -> bool:
    return edge.properties.get("source") == CONSOLIDATED


def _is_due(wanted: EdgeRecord, stored: EdgeRecord | None) -> bool:
    if stored is None:
        return True
    names = ("count", "evidence_count", "evidence_ids", "confidence")
    return _is_ours(stored) and any(wanted.properties[name] != stored.properties.get(name) for name in names)


def _ends(edge: EdgeRecord) -> _Pair:
    return edge.source, edge.target


def _time(root: NodeRecord) -> datetime:
    for name in ("started_at", "ended_at"):
        value = root.properties.get(name)
        if isinstance(value, datetime):
            return value
    return _BEGINNING
