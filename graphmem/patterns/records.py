"""Turns a mined motif, its verdict and the episodes that hold it into a pattern: pure."""

from __future__ import annotations

from collections.abc import Mapping

from graphmem.models.pattern import Contrast, Pattern, PatternNode, Replication
from graphmem.patterns.advice import LATE_FROM, recommendation
from graphmem.patterns.evidence import evidence_query
from graphmem.patterns.motifs import Motif
from graphmem.patterns.reading import MinedEpisode
from graphmem.patterns.replication import replicated
from graphmem.patterns.statistics.judging import Verdict
from graphmem.patterns.statistics.rounding import rounded
from graphmem.patterns.titles import motif_title


def title_of(motif: Motif) -> str:
    """The motif in one line."""
    return motif_title(_nodes(motif), motif.edges)


def to_pattern_model(
    motif: Motif,
    verdict: Verdict,
    episodes: Mapping[str, MinedEpisode],
    *,
    tenant: str,
    run: str,
    contrast: Contrast | None = None,
    replication: Replication | None = None,
) -> Pattern:
    """The pattern of a motif.

    Args:
        motif: As mined.
        verdict: Its figures.
        episodes: Id -> episode, for all that were mined.
        tenant: The tenant it was mined in; a parameter of its evidence query.
        run: Id of the mining run.
        contrast: What went with success instead, for a negative one.
        replication: What later episodes say, for one that was ever significant.
    """
    graphs = [episodes[episode].graph for episode in motif.episodes]
    begun = [graph.started_at for graph in graphs if graph.started_at is not None]
    query = evidence_query(motif, tenant=tenant)
    confirmed = verdict.tier == "significant" and replication is not None and replicated(replication)
    pattern = Pattern(
        id=motif.id,
        title=title_of(motif),
        domain=motif.domain,
        scope=motif.scope,
        nodes=_nodes(motif),
        edges=tuple(tuple(edge) for edge in motif.edges),
        support=motif.support,
        support_is_lower_bound=motif.is_lower_bound,
        tasks=verdict.tasks,
        users=verdict.users,
        single_user=verdict.single_user,
        outcomes=verdict.outcomes,
        success_rate=verdict.success_rate,
        interval=verdict.interval,
        baseline=verdict.baseline,
        risk_difference=verdict.risk_difference,
        risk_interval=verdict.risk_interval,
        strata=verdict.strata,
        structure_lift=motif.structure.lift,
        p_structure=float(f"{motif.structure.p:.6g}"),
        q_structure=float(f"{verdict.q_structure:.6g}"),
        structure_source=motif.structure.source,
        p_outcome_adjusted=verdict.p_outcome_adjusted,
        length_adjusted=verdict.length_adjusted,
        visible_difference=verdict.visible_difference,
        tier="replicated" if confirmed else verdict.tier,
        polarity=verdict.polarity,
        replication=replication,
        contrast=contrast,
        hindsight=any(edge.type == "FIXED" for edge in motif.edges),
        position=rounded(motif.position),
        late=motif.position >= LATE_FROM,
        episodes=motif.episodes,
        generalizes=motif.generalizes,
        first_seen=min(begun, default=None),
        last_seen=max(begun, default=None),
        cypher=query.text,
        cypher_parameters=query.parameters,
        run=run,
    )
    return pattern.model_copy(update={"recommendation": recommendation(pattern)})


def _nodes(motif: Motif) -> tuple[PatternNode, ...]:
    return tuple(
        PatternNode(label=node.name, kind=node.kind, key=node.key, generalised=node.generalised)
        for node in motif.nodes
    )


def role_maps(motif: Motif, episodes: Mapping[str, MinedEpisode]) -> dict[str, dict[str, str]]:
    """Episode -> {place in the pattern's nodes: id of the stored node that stood there}, one example each."""
    return {
        episode: {
            str(place): episodes[episode].node_ids[node]
            for place, node in enumerate(motif.occurrences[row].tolist())
        }
        for row, episode in enumerate(motif.episodes)
    }
