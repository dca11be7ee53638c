"""The consolidation workflow: read, plan, and apply in batches of one transaction each.

Idempotent: an episode carries the mark of what it was linked under, so a second plan is empty. Stopped
at any moment, the next run goes on with the episodes that have no mark yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import TypeVar

from graphmem.consolidation.categories import count_categories
from graphmem.consolidation.concepts import ConceptLookup
from graphmem.consolidation.linking import Mention, link_edges, mentions_of
from graphmem.consolidation.plan import ConsolidationPlan, ConsolidationReport, EpisodePlan, link_mark
from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.graph.mapping.concept import concept_key
from graphmem.graph.mapping.run import run_record
from graphmem.graph.mapping.values import read_json
from graphmem.graph.records import EdgeRecord, Equals, NodeRecord, NodeRef
from graphmem.models.episode import EpisodeState
from graphmem.models.ids import uuid7
from graphmem.models.runs import ConsolidationRun
from graphmem.ports.clock import Clock
from graphmem.ports.embedder import Embedder
from graphmem.ports.embedding import with_vectors
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.reading import EPISODES_AT_ONCE, every_episode

_CLOSED = Equals("state", EpisodeState.CLOSED.value)
_LINKS = ("MENTIONS", "ABOUT", "INSTANCE_OF")

_Reading = tuple[NodeRecord, list[NodeRecord]]
Item = TypeVar("Item")

Progress = Callable[[int], None]
"""Told how many episodes were linked since the last call."""


def plan_consolidation(graph: TenantGraph, policy: ConsolidationPolicy, now: datetime) -> ConsolidationPlan:
    """What a run would do, without doing it.

    Args:
        graph: The tenant.
        policy: Bounds.
        now: Becomes created_at of what would be written.
    """
    categories = _categories(graph, policy)
    lookup = ConceptLookup(graph, now)
    plans: list[EpisodePlan] = []
    remaining = 0
    for batch in _batches(every_episode(graph, _CLOSED), EPISODES_AT_ONCE):
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
        plans += _plan_batch(graph, due[:room], mentions, concepts, now)
    used = {edge.target for plan in plans for edge in plan.add}
    return ConsolidationPlan(lookup.created(used), tuple(plans), remaining)


def consolidate(
    graph: TenantGraph,
    *,
    embedder: Embedder | None,
    clock: Clock,
    entropy: bytes,
    policy: ConsolidationPolicy | None = None,
    progress: Progress | None = None,
) -> ConsolidationReport:
    """Plan and apply.

    Args:
        graph: The tenant.
        embedder: Embeds new concepts; None leaves them without vectors.
        clock: Tells when the run begins and ends.
        entropy: At least 10 random bytes for the run's id.
        policy: Bounds; None: the defaults.
        progress: Told how many episodes were linked since the last call.

    Returns:
        Counts, and the id of the run's record where something was done.

    Raises:
        ConflictError: An episode was removed while the run linked it; run again.
    """
    policy = policy or ConsolidationPolicy()
    started = clock()
    plan = plan_consolidation(graph, policy, started)
    if plan:
        concepts = with_vectors(plan.concepts, embedder)
        for batch in _batches(iter(plan.episodes), policy.batch_episodes):
            _apply(graph, concepts, batch)
            if progress is not None:
                progress(len(batch))
    ended = clock()
    run = _record_run(graph, plan, policy=policy, started=started, ended=ended, entropy=entropy) if plan else None
    return ConsolidationReport(plan.counts(), run, (ended - started).total_seconds())


def task_unit(root: NodeRecord) -> str:
    """What makes an episode independent of others: its task, else its session, else itself."""
    for name in ("task", "session"):
        value = root.properties.get(name)
        if isinstance(value, str):
            return f"{name}:{value}"
    return f"episode:{root.id}"


def _categories(graph: TenantGraph, policy: ConsolidationPolicy) -> frozenset[str]:
    called = (
        (task_unit(root), read_json(step.properties, "arguments"))
        for root, steps in every_episode(graph, _CLOSED)
        for step in steps
        if "arguments" in step.properties
    )
    return count_categories(called, policy)


def _mark(
    root: NodeRecord,
    mentions: Sequence[Mention],
    concepts: dict[tuple[str, str], NodeRef],
    policy: ConsolidationPolicy,
) -> str:
    names = {(mention.kind, concepts[mention.kind, concept_key(mention.name)].id) for mention in mentions}
    return link_mark(root, list(names), policy)


def _plan_batch(
    graph: TenantGraph,
    due: Sequence[tuple[NodeRecord, list[NodeRecord], str]],
    mentions: dict[str, list[Mention]],
    concepts: dict[tuple[str, str], NodeRef],
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
            if name not in wanted and name not in given and edge.source.label != "Tool"
        ]
        plans.append(EpisodePlan(root.id, mark, tuple(add), tuple(remove)))
    return plans


def _stored_links(
    graph: TenantGraph, due: Sequence[tuple[NodeRecord, list[NodeRecord], str]], mentions: dict[str, list[Mention]]
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


def _name(edge: EdgeRecord) -> tuple[str, NodeRef, NodeRef]:
    return edge.type, edge.source, edge.target


def _differs(wanted: EdgeRecord, stored: EdgeRecord | None) -> bool:
    names = ("count", "salience", "source")
    return stored is None or any(wanted.properties.get(name) != stored.properties.get(name) for name in names)


def _apply(graph: TenantGraph, concepts: Sequence[NodeRecord], batch: Sequence[EpisodePlan]) -> None:
    """Write a batch of episodes with the new concepts that they link to."""
    ends = {edge.target for plan in batch for edge in plan.add}
    with graph.transaction() as tx:
        tx.save_nodes([concept for concept in concepts if concept.ref in ends], replace=False)
        tx.remove_edges(edge for plan in batch for edge in plan.remove)
        edges = {_name(edge): edge for plan in batch for edge in plan.add}
        tx.save_edges([edges[name] for name in sorted(edges)])
        tx.set_properties("Episode", [(plan.episode, {"consolidated_hash": plan.mark}) for plan in batch])


def _record_run(
    graph: TenantGraph,
    plan: ConsolidationPlan,
    *,
    policy: ConsolidationPolicy,
    started: datetime,
    ended: datetime,
    entropy: bytes,
) -> str:
    run = ConsolidationRun(
        id=uuid7(started, entropy),
        started_at=started,
        ended_at=ended,
        policy=policy.model_dump(),
        counts=plan.counts(),
    )
    with graph.transaction() as tx:
        tx.save_nodes([run_record(run, ended)])
    return run.id


def _batches(items: Iterator[Item], size: int) -> Iterator[list[Item]]:
    while batch := list(islice(items, size)):
        yield batch
