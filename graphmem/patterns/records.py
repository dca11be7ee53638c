"""Turns a mined motif and the episodes that hold it into a pattern: pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from graphmem.models.pattern import OutcomeCounts, Pattern, PatternNode
from graphmem.patterns.evidence import evidence_query
from graphmem.patterns.motifs import Motif
from graphmem.patterns.reading import MinedEpisode
from graphmem.patterns.titles import motif_title


def to_pattern_model(motif: Motif, episodes: Mapping[str, MinedEpisode], *, tenant: str, run: str) -> Pattern:
    """The pattern of a motif, its statistics left open.

    Args:
        motif: As mined.
        episodes: Id -> episode, for all that were mined.
        tenant: The tenant it was mined in; a parameter of its evidence query.
        run: Id of the mining run.
    """
    graphs = [episodes[episode].graph for episode in motif.episodes]
    begun = [graph.started_at for graph in graphs if graph.started_at is not None]
    nodes = tuple(
        PatternNode(label=node.name, kind=node.kind, key=node.key, generalised=node.generalised)
        for node in motif.nodes
    )
    query = evidence_query(motif, tenant=tenant)
    outcomes = OutcomeCounts(**Counter(graph.outcome or "unknown" for graph in graphs))
    known = motif.support - outcomes.unknown
    return Pattern(
        id=motif.id,
        title=motif_title(nodes, motif.edges),
        domain=motif.domain,
        scope=motif.scope,
        nodes=nodes,
        edges=tuple(tuple(edge) for edge in motif.edges),
        support=motif.support,
        support_is_lower_bound=motif.is_lower_bound,
        tasks=len({graph.unit or graph.episode for graph in graphs}),
        users=len({graph.user_id for graph in graphs if graph.user_id is not None}),
        outcomes=outcomes,
        success_rate=outcomes.success / known if known else None,
        position=round(motif.position, 4),
        episodes=motif.episodes,
        first_seen=min(begun, default=None),
        last_seen=max(begun, default=None),
        cypher=query.text,
        cypher_parameters=query.parameters,
        run=run,
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
