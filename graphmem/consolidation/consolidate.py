"""The consolidation workflow: every phase reads and plans, and is applied in batches of one transaction each.

Idempotent and resumable, because every phase is: what is done is marked in the transaction that does it. A new
kind of learning is a new module with a `Phase`, named in `PHASES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from graphmem.consolidation.aliases import write_alias
from graphmem.consolidation.causes import ConceptCauses
from graphmem.consolidation.claims import Claims
from graphmem.consolidation.concept_levels import ConceptLevels
from graphmem.consolidation.episode_links import EpisodeLinks
from graphmem.consolidation.episode_order import EpisodeOrder
from graphmem.consolidation.ledger import Ledger, after, since
from graphmem.consolidation.news import Knowing
from graphmem.consolidation.phases import Changes, Phase, PhasePlan, Planned, Run, TextReader
from graphmem.consolidation.plan import FAULTS, ConsolidationPlan, ConsolidationReport, summed
from graphmem.consolidation.policy import ConsolidationPolicy
from graphmem.consolidation.promotion_plan import REFUSALS
from graphmem.consolidation.reading import knowing
from graphmem.consolidation.repeated import RepeatedProcedures
from graphmem.consolidation.similar import SimilarEpisodes
from graphmem.consolidation.told import ToldProcedures
from graphmem.models.ids import uuid7
from graphmem.ports.clock import Clock
from graphmem.ports.embedder import Embedder
from graphmem.ports.embedding import with_vectors
from graphmem.ports.graph_store import TenantGraph
from graphmem.ports.language_model import LanguageModel
from graphmem.ports.noted_graph import without_notes

PHASES: tuple[Phase, ...] = (
    EpisodeLinks(),
    Claims(),
    ConceptLevels(),
    ConceptCauses(),
    EpisodeOrder(),
    SimilarEpisodes(),
    ToldProcedures(),
    RepeatedProcedures(),
)
"""What is learned, in order: a phase may build on what those before it wrote."""

Progress = Callable[[int], None]
"""Told how many items were done since the last call."""


def plan_consolidation(
    graph: TenantGraph,
    policy: ConsolidationPolicy,
    now: datetime,
    phases: Sequence[Phase] = PHASES,
    *,
    embedder: Embedder | None = None,
    reader: TextReader | None = None,
    model: LanguageModel | None = None,
) -> ConsolidationPlan:
    """What a run would do, without doing it.

    Args:
        graph: The tenant.
        policy: Bounds.
        now: Becomes created_at of what would be written.
        phases: What to learn.
        embedder: Whose vectors the store holds; None: no likeness between episodes.
        reader: Reads texts; None: none is read.
        model: Would read some of them, by the policy's calls; it is not asked.
    """
    run = Run(graph, policy, now, embedder, reader, model)
    news = since(run, phases).news
    plans: list[PhasePlan] = []
    for phase in phases:
        plans.append(phase.plan(replace(run, news=news)))
        for changes in plans[-1].batches():
            news = None if news is None else after(news, changes)
        run = replace(run, planned=_with(run.planned, plans[-1]))
    return ConsolidationPlan(tuple(plans))


def consolidate(
    graph: TenantGraph,
    *,
    embedder: Embedder | None,
    clock: Clock,
    entropy: bytes,
    policy: ConsolidationPolicy | None = None,
    progress: Progress | None = None,
    phases: Sequence[Phase] = PHASES,
    reader: TextReader | None = None,
    model: LanguageModel | None = None,
) -> ConsolidationReport:
    """Plan and apply.

    Args:
        graph: The tenant.
        embedder: Embeds new concepts, and says how alike episodes are; None leaves them without vectors.
        clock: Tells when the run begins and ends.
        entropy: At least 10 random bytes for the run's id.
        policy: Bounds; None: the defaults.
        progress: Told how many items were done since the last call.
        phases: What to learn.
        reader: Reads texts; None: none is read.
        model: Reads them instead, as far as the policy's calls go; where it fails, `reader` does.

    Returns:
        Counts, and the id of the run's record where something was done.

    Raises:
        ConflictError: An item was removed while the run worked on it; run again.
    """
    run = Run(graph, policy or ConsolidationPolicy(), clock(), embedder, reader, model)
    ledger = Ledger(run, phases, uuid7(run.now, entropy))
    graph = without_notes(graph)
    done = []
    refusals: list[Mapping[str, Any]] = []
    faults: list[str] = []
    worked = False
    for phase in phases:
        run = replace(run, graph=graph, news=ledger.news)
        for plan in phase.rounds(run):
            for changes in plan.batches():
                ledger.note(changes)
                _apply(graph, changes, embedder)
                for alias in changes.aliases:
                    write_alias(graph, alias, run.now, entropy, merge=run.policy.merge_told_names)
                if progress is not None:
                    progress(changes.items)
            worked = worked or bool(plan)
            if isinstance(plan, Knowing):
                ledger.learn(plan.known())
            done.append(plan.counts())
            told = plan.to_dict()
            refusals += told.get(REFUSALS, ())
            faults += told.get(FAULTS, ())
    counts, ended = summed(done), clock()
    record = ledger.close(ended, counts, worked=worked)
    return ConsolidationReport(counts, record, (ended - run.now).total_seconds(), tuple(refusals), tuple(faults))


def _with(planned: Planned, plan: PhasePlan) -> Planned:
    """What was planned before, and what this plan would write."""
    edges, removed, concepts = set(planned.edges), set(planned.removed), []
    for changes in plan.batches():
        removed.update(edge[:3] for edge in changes.remove_edges)
        edges.update(edge[:3] for edge in changes.edges)
        concepts += [node for node in changes.nodes if node.label == "Concept"]
    return replace(knowing(planned, concepts), edges=frozenset(edges), removed=frozenset(removed))


def _apply(graph: TenantGraph, changes: Changes, embedder: Embedder | None) -> None:
    nodes, replaced = with_vectors(changes.nodes, embedder), with_vectors(changes.replaced, embedder)
    with graph.transaction() as tx:
        if nodes:
            tx.save_nodes(nodes, replace=False)
        if replaced:
            tx.save_nodes(replaced, replace=True)
        if changes.remove_edges:
            tx.remove_edges(changes.remove_edges)
        if changes.edges:
            tx.save_edges(changes.edges)
        for label, rows in (changes.properties or {}).items():
            tx.set_properties(label, rows)
        if changes.remove_nodes:
            tx.remove_nodes(changes.remove_nodes)
