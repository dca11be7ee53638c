"""Turns a tenant's stored episodes and is_a relations into the values that mining reads.

The graph that is mined is the graph that is stored: concepts come from the steps' ABOUT edges, given
and consolidated alike, so that the evidence query finds what mining found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import get_args

from graphmem.graph.mapping.episode import to_episode, variant_text
from graphmem.graph.mapping.finding import findings_of
from graphmem.graph.mapping.label import key_of
from graphmem.graph.masking import finding_label, joined_masks, mask
from graphmem.graph.records import And, Filter, NodeRecord, NodeRef
from graphmem.models.episode import Episode, Outcome
from graphmem.models.ids import finding_id
from graphmem.models.pattern import NodeKind
from graphmem.patterns.ancestry import taxonomy_above
from graphmem.patterns.graphs import EpisodeGraph, GraphEdge, GraphNode, Taxonomy, independence_unit
from graphmem.patterns.scope import MiningScope
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import EPISODES_AT_ONCE, pages, steps_of

_CONCEPT: NodeKind = get_args(NodeKind)[2]


@dataclass(frozen=True, slots=True)
class MinedEpisode:
    """An episode's graph, and the stored node behind each of its nodes."""

    graph: EpisodeGraph
    node_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """All that one run reads."""

    episodes: tuple[MinedEpisode, ...]
    taxonomy: Taxonomy


def read_corpus(
    graph: TenantGraph,
    scope: MiningScope | None = None,
    *,
    where: Filter | None = None,
    numbered_names: bool = True,
) -> Corpus:
    """Read the closed episodes of a tenant in a scope, and its taxonomy.

    Args:
        graph: The tenant.
        scope: What is read; None: all closed episodes.
        where: What must hold of the episodes as well.
        numbered_names: Whether names that differ in their numbers alone share a name above them.
    """
    inside = (scope or MiningScope()).where()
    episodes: list[MinedEpisode] = []
    concepts: dict[NodeRef, tuple[str, str]] = {}
    for roots in pages(
        graph, "Episode", inside if where is None else And((inside, where)), limit=EPISODES_AT_ONCE
    ):
        steps = steps_of(graph, [root.id for root in roots])
        about = _about(graph, [step.ref for owned in steps.values() for step in owned])
        new = {target for targets in about.values() for target in targets} - concepts.keys()
        for ref, node in graph.get(sorted(new)).items():
            concepts[ref] = str(node.properties["key"]), str(node.properties["name"])
        episodes += [mined_episode(root, steps[root.id], about, concepts) for root in roots]
    labels = {node.key for mined in episodes for node in mined.graph.nodes}
    return Corpus(tuple(episodes), taxonomy_above(graph, labels, numbered_names=numbered_names))


def mined_episode(
    root: NodeRecord,
    steps: Sequence[NodeRecord],
    about: Mapping[NodeRef, Sequence[NodeRef]],
    concepts: Mapping[NodeRef, tuple[str, str]],
) -> MinedEpisode:
    """One episode as a graph.

    Args:
        root: The episode.
        steps: Its steps in their order.
        about: Step -> the concepts it is about.
        concepts: Concept -> (key, name), of those.
    """
    episode = to_episode(root, steps)
    builder = _Builder()
    for step in steps:
        properties = step.properties
        builder.node("action", str(properties["key"]), str(properties["action"]), step.id)
    for key, (name, kind) in findings_of(episode).items():
        label = finding_label(key)
        shown = name if label == key else joined_masks(mask(name))
        builder.node("cause" if kind == "cause" else "symptom", label, shown, finding_id(episode.id, key))
    for index, step in enumerate(steps):
        for earlier in episode.predecessors(index):
            builder.edges[GraphEdge(earlier, index, "NEXT")] = None
        _add_step(builder, episode, index)
        for concept in about.get(step.ref, ()):
            if concept in concepts:
                key, name = concepts[concept]
                builder.edges[GraphEdge(index, builder.node(_CONCEPT, key, name, concept.id), "ABOUT")] = None
    for link in episode.causes:
        effect, cause = (builder.finding(episode.id, name) for name in (link.effect, link.cause))
        builder.edges[GraphEdge(effect, cause, "CAUSED_BY")] = None
    return MinedEpisode(_graph(episode, builder, _recorded_at(root)), tuple(builder.ids))


def _add_step(builder: _Builder, episode: Episode, index: int) -> None:
    step = episode.steps[index]
    for name in step.tools:
        key = key_of(name)
        builder.edges[GraphEdge(index, builder.node("tool", key, name, key), "USED")] = None
    for name in step.errors:
        builder.edges[GraphEdge(index, builder.finding(episode.id, name), "RAISED")] = None
    for name in step.fixes:
        builder.edges[GraphEdge(index, builder.finding(episode.id, name), "FIXED")] = None


class _Builder:
    """Collects nodes, shared ones once, and edges, each once."""

    def __init__(self) -> None:
        self.nodes: list[GraphNode] = []
        self.ids: list[str] = []
        self.edges: dict[GraphEdge, None] = {}
        self._places: dict[tuple[str, str], int] = {}

    def node(self, kind: NodeKind, key: str, name: str, node_id: str) -> int:
        """The place of a stored node, added when it is new."""
        label = "finding" if kind in ("symptom", "cause") else kind
        place = self._places.get((label, node_id))
        if place is None:
            place = self._places[label, node_id] = len(self.nodes)
            self.nodes.append(GraphNode(kind, key, name))
            self.ids.append(node_id)
        return place

    def finding(self, episode: str, name: str) -> int:
        """The place of a finding that was added before."""
        return self._places["finding", finding_id(episode, key_of(name))]


def _recorded_at(root: NodeRecord) -> datetime | None:
    recorded = root.properties.get("created_at")
    return recorded if isinstance(recorded, datetime) else None


def _graph(episode: Episode, builder: _Builder, recorded_at: datetime | None) -> EpisodeGraph:
    return EpisodeGraph(
        episode=episode.id,
        nodes=tuple(builder.nodes),
        edges=tuple(builder.edges),
        outcome=(episode.outcome or Outcome.UNKNOWN).value,
        domain=episode.domain,
        unit=independence_unit(
            episode.id,
            task=episode.task,
            session=episode.session,
            user_id=episode.user_id,
            started_at=episode.started_at,
        ),
        variant=variant_text(episode.variant),
        user_id=episode.user_id,
        started_at=_begin(episode),
        recorded_at=recorded_at,
        steps=len(episode.steps),
    )


def _begin(episode: Episode) -> datetime | None:
    return episode.started_at or episode.ended_at


def _about(graph: TenantGraph, steps: Sequence[NodeRef]) -> dict[NodeRef, list[NodeRef]]:
    about: dict[NodeRef, list[NodeRef]] = defaultdict(list)
    for edge in graph.edges(steps, ["ABOUT"], "out"):
        about[edge.source].append(edge.target)
    return about
