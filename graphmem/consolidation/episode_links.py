"""The phase that links episodes to concepts: tools, findings, given names, categories of arguments.

An episode carries the mark of what it was linked under, so a second plan is empty. Stopped at any moment,
the next run goes on with the episodes that have no mark yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any

from graphmem.consolidation.categories import CategoryCounts
from graphmem.consolidation.concepts import ConceptLookup
from graphmem.consolidation.linking import Mention, link_edges, mentions_of
from graphmem.consolidation.phases import Changes, Run, in_batches
from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.graph.mapping.concept import concept_key
from graphmem.graph.mapping.values import HASH_LENGTH, read_json
from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef
from graphmem.models.fields import canonical_json
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import EPISODES_AT_ONCE, closed_episodes, every_episode

CATEGORIES = "categories"
"""Name of what is known of arguments."""

_LINKS = ("MENTIONS", "ABOUT", "INSTANCE_OF")


@dataclass(frozen=True, slots=True)
class EpisodePlan:
    """What linking one episode would write."""

    episode: str
    mark: str
    """Set on the episode when it is done: equal content under equal categories has an equal mark."""
    add: tuple[EdgeRecord, ...]
    remove: tuple[EdgeRecord, ...]


@dataclass(frozen=True, slots=True)
class LinkPlan:
    """What linking all episodes that are due would write."""

    concepts: tuple[NodeRecord, ...] = ()
    """Concepts that would be created."""
    episodes: tuple[EpisodePlan, ...] = ()
    """Episodes that would be linked, by id."""
    remaining: int = 0
    """Episodes left for a later run by `max_items`."""
    batch: int = 200
    """Episodes a transaction."""
    counted: Mapping[str, Any] = field(default_factory=dict)
    """What was counted of arguments; see `CategoryCounts.state`."""

    def __bool__(self) -> bool:
        return bool(self.episodes)

    def known(self) -> Mapping[str, Any] | None:
        """The counts of arguments, unless episodes are left that other phases know already."""
        return None if self.remaining else {CATEGORIES: self.counted}

    def counts(self) -> dict[str, int]:
        """Episodes, new concepts, links made and taken back, and what is left."""
        return {
            "episodes": len(self.episodes),
            "promoted": len(self.concepts),
            "linked": sum(len(episode.add) for episode in self.episodes),
            "unlinked": sum(len(episode.remove) for episode in self.episodes),
            "remaining": self.remaining,
        }

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """The concepts by name, and each episode's new links."""
        names = {concept.ref: concept.properties["name"] for concept in self.concepts}
        concepts = [
            {"name": concept.properties["name"], "kind": concept.properties["kind"]} for concept in self.concepts
        ]
        links = [
            {
                "episode": episode.episode,
                "type": edge.type,
                "from": edge.source.id,
                "to": names.get(edge.target, edge.target.id),
            }
            for episode in self.episodes
            for edge in episode.add
        ]
        return {"concepts": concepts, "links": links}

    def batches(self) -> Iterator[Changes]:
        """Episodes with the new concepts that they link to, each concept where it is needed first."""
        waiting = {concept.ref: concept for concept in self.concepts}
        for plans in in_batches(self.episodes, self.batch):
            edges = {_name(edge): edge for plan in plans for edge in plan.add}
            ends = {edge.target for edge in edges.values()} & waiting.keys()
            yield Changes(
                nodes=[waiting.pop(ref) for ref in sorted(ends)],
                remove_edges=[edge for plan in plans for edge in plan.remove],
                edges=[edges[name] for name in sorted(edges)],
                properties={"Episode": [(plan.episode, {"consolidated_hash": plan.mark}) for plan in plans]},
                items=len(plans),
            )


class EpisodeLinks:
    """Links closed episodes to the concepts that they name."""

    def plan(self, run: Run) -> LinkPlan:
        """What linking the episodes that are due would write; see `graphmem.consolidation.linking`."""
        graph, policy = run.graph, run.policy
        counts, changed = _counts(run)
        categories = counts.categories()
        lookup = ConceptLookup(graph, run.now)
        plans: list[EpisodePlan] = []
        remaining = 0
        new = None if run.news is None or changed else run.news.episodes
        for batch in in_batches(_closed(graph, new), EPISODES_AT_ONCE):
            mentions = {root.id: mentions_of(root, steps, categories, policy) for root, steps in batch}
            concepts = lookup.resolve(mention for found in mentions.values() for mention in found)
            due = [
                (root, steps, mark)
                for root, steps in batch
                if (mark := _mark(root, mentions[root.id], concepts, policy))
                != root.properties.get("consolidated_hash")
            ]
            room = len(due) if policy.max_items is None else max(0, policy.max_items - len(plans))
            remaining += max(0, len(due) - room)
            plans += _plan_batch(graph, due[:room], mentions, concepts, run.now)
        used = {edge.target for plan in plans for edge in plan.add}
        return LinkPlan(lookup.created(used), tuple(plans), remaining, policy.batch_episodes, counts.state())

    def rounds(self, run: Run) -> Iterator[LinkPlan]:
        """The whole plan: episodes are read to the end before the first is known to be due."""
        yield self.plan(run)


def task_unit(root: NodeRecord) -> str:
    """What makes an episode independent of others: its task, else its session, else itself."""
    for name in ("task", "session"):
        value = root.properties.get(name)
        if isinstance(value, str):
            return f"{name}:{value}"
    return f"episode:{root.id}"


def link_mark(root: NodeRecord, names: Sequence[tuple[str, str]], policy: ConsolidationPolicy) -> str:
    """A mark that changes with the episode's content, with what it mentions, and with the policy.

    Args:
        root: The episode's root.
        names: (kind, concept id) of every mention: they change when a category appears or disappears, and
            when a mention comes to mean another concept.
        policy: What was allowed.
    """
    form = policy.model_dump(include={"argument_max_length", "argument_min_tasks", "argument_max_values"})
    text = canonical_json([root.content_hash, sorted(names), form])
    return sha256(text.encode()).hexdigest()[:HASH_LENGTH]


def _counts(run: Run) -> tuple[CategoryCounts, bool]:
    """What was counted of arguments, and whether their categories are others than the last run's."""
    known = {} if run.news is None else run.news.known[CATEGORIES]
    counts = CategoryCounts(run.policy, known)
    before = counts.categories()
    for root, steps in _closed(run.graph, None if run.news is None else run.news.episodes):
        for step in steps:
            if "arguments" in step.properties:
                counts.add(task_unit(root), read_json(step.properties, "arguments"))
    return counts, counts.categories() != before


def _closed(graph: TenantGraph, new: Sequence[str] | None) -> Iterator[tuple[NodeRecord, list[NodeRecord]]]:
    """Closed episodes with their steps, by id: these, or all."""
    for where in closed_episodes(new):
        yield from every_episode(graph, where)


def _mark(
    root: NodeRecord,
    mentions: Sequence[Mention],
    concepts: Mapping[tuple[str, str], NodeRef],
    policy: ConsolidationPolicy,
) -> str:
    names = {(mention.kind, concepts[mention.kind, concept_key(mention.name)].id) for mention in mentions}
    return link_mark(root, list(names), policy)


def _plan_batch(
    graph: TenantGraph,
    due: Sequence[tuple[NodeRecord, list[NodeRecord], str]],
    mentions: Mapping[str, list[Mention]],
    concepts: Mapping[tuple[str, str], NodeRef],
    now: datetime,
) -> list[EpisodePlan]:
    stored = _stored_links(graph, due, mentions)
    plans = []
    for root, _, mark in due:
        wanted = {_name(edge): edge for edge in link_edges(root, mentions[root.id], concepts, now)}
        present = stored[root.id]
        given = {name for name, edge in present.items() if edge.properties.get("source") == "given"}
        add = [edge for name, edge in wanted.items() if name not in given and _differs(edge, present.get(name))]
        remove = [
            edge
            for name, edge in present.items()
            if name not in wanted and _is_linked(edge) and edge.source.label != "Tool"
        ]
        plans.append(EpisodePlan(root.id, mark, tuple(add), tuple(remove)))
    return plans


def _stored_links(
    graph: TenantGraph,
    due: Sequence[tuple[NodeRecord, list[NodeRecord], str]],
    mentions: Mapping[str, list[Mention]],
) -> dict[str, dict[tuple[str, NodeRef, NodeRef], EdgeRecord]]:
    """The links that each episode's nodes, and the tools it names, have in the store."""
    owners: dict[NodeRef, list[str]] = {}
    for root, steps, _ in due:
        refs = {root.ref, *(step.ref for step in steps), *(mention.source for mention in mentions[root.id])}
        for ref in refs:
            owners.setdefault(ref, []).append(root.id)
    links: dict[str, dict[tuple[str, NodeRef, NodeRef], EdgeRecord]] = {root.id: {} for root, _, _ in due}
    for edge in graph.edges(owners, _LINKS, "out"):
        for episode in owners[edge.source]:
            links[episode][_name(edge)] = edge
    return links


def _is_linked(edge: EdgeRecord) -> bool:
    """Whether an edge was made here: neither given nor read in a text."""
    return edge.properties.get("source") not in {"given", "extracted"}


def _name(edge: EdgeRecord) -> tuple[str, NodeRef, NodeRef]:
    return edge.type, edge.source, edge.target


def _differs(wanted: EdgeRecord, stored: EdgeRecord | None) -> bool:
    names = ("count", "salience", "source")
    return stored is None or any(wanted.properties.get(name) != stored.properties.get(name) for name in names)
