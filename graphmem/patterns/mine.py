"""The mining workflow: read the episodes, find the motifs, store them as patterns with their evidence.

A run replaces the patterns of its own scope (all domains, or the one it was limited to). Patterns whose
content is the same stay as they are, so mining twice writes nothing the second time but its own record.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from graphmem.graph.mapping.pattern import pattern_edges, pattern_record
from graphmem.graph.mapping.run import run_record
from graphmem.graph.records import EdgeRecord, Equals, Missing, NodeRef
from graphmem.models.pattern import Pattern
from graphmem.models.runs import MiningRun
from graphmem.patterns.discovery import Progress, discover_motifs
from graphmem.patterns.motifs import MiningResult
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.reading import MinedEpisode, read_corpus
from graphmem.patterns.records import role_maps, to_pattern_model
from graphmem.ports.graph_store import TenantGraph, Transaction
from graphmem.ports.reading import every_node
from graphmem.ports.workspace import Workspace

BATCH_EDGES = 20_000
"""Evidence edges written in one transaction: bounds its memory, whatever the support."""


@dataclass(frozen=True, slots=True)
class MiningReport:
    """What a run found."""

    episodes: int
    """Closed episodes in scope, those with an empty graph or unknown outcome included."""
    patterns: int
    seconds: float
    tiers: dict[str, int]
    run: str
    """Id of the MiningRun."""
    added: int
    removed: int
    min_support: int
    capped: int
    """Episodes with more occurrences of a motif than were kept."""
    incomplete: str | None
    """What was not searched and why; None when all was."""

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "episodes": self.episodes,
            "patterns": self.patterns,
            "seconds": round(self.seconds, 3),
            "tiers": self.tiers,
            "run": self.run,
            "added": self.added,
            "removed": self.removed,
            "min_support": self.min_support,
            "capped": self.capped,
            "incomplete": self.incomplete,
        }


def mine_patterns(
    workspace: Workspace, policy: MiningPolicy | None = None, *, progress: Progress | None = None
) -> MiningReport:
    """Mine the tenant's closed episodes, of all its users.

    Args:
        workspace: The tenant.
        policy: Bounds; None: the defaults.
        progress: Told how far the run is.

    Raises:
        ConflictError: An episode was removed while the run wrote its evidence; run again.
    """
    policy = policy or MiningPolicy()
    started = workspace.now()
    corpus = read_corpus(workspace.graph, policy.domain)
    result = discover_motifs(
        [mined.graph for mined in corpus.episodes], corpus.taxonomy, policy, progress=progress
    )
    run = workspace.new_id(started)
    added, removed = _write(
        workspace, {mined.graph.episode: mined for mined in corpus.episodes}, result, run, policy
    )
    ended = workspace.now()
    report = MiningReport(
        episodes=result.episodes,
        patterns=len(result.motifs),
        seconds=(ended - started).total_seconds(),
        tiers={"candidate": len(result.motifs)} if result.motifs else {},
        run=run,
        added=added,
        removed=removed,
        min_support=result.min_support,
        capped=len(result.capped),
        incomplete=result.incomplete,
    )
    counts = {name: value for name, value in report.to_dict().items() if name not in ("run", "seconds")}
    record = MiningRun(id=run, started_at=started, ended_at=ended, policy=policy.model_dump(), counts=counts)
    with workspace.graph.transaction() as tx:
        tx.save_nodes([run_record(record, ended)])
    return report


def _write(
    workspace: Workspace, episodes: dict[str, MinedEpisode], result: MiningResult, run: str, policy: MiningPolicy
) -> tuple[int, int]:
    graph, now = workspace.graph, workspace.now()
    stored = _stored(graph, policy.domain)
    added = 0
    motifs = iter(result.motifs)
    for batch in _batches(motifs):
        patterns = [to_pattern_model(motif, episodes, tenant=graph.tenant, run=run) for motif in batch]
        records = [pattern_record(pattern, now) for pattern in patterns]
        due = [place for place, record in enumerate(records) if stored.get(record.id) != record.content_hash]
        if not due:
            continue
        edges = [
            edge
            for place in due
            for edge in pattern_edges(patterns[place], role_maps(batch[place], episodes), now)
        ]
        with graph.transaction() as tx:
            saved = tx.save_nodes([records[place] for place in due])
            _drop_old_evidence(tx, saved.changed, [patterns[place] for place in due])
            tx.save_edges(edges)
        added += len(saved.added)
    gone = sorted(stored.keys() - {motif.id for motif in result.motifs})
    for start in range(0, len(gone), 500):
        with graph.transaction() as tx:
            tx.remove_nodes([NodeRef("Pattern", name) for name in gone[start : start + 500]])
    return added, len(gone)


def _stored(graph: TenantGraph, domain: str | None) -> dict[str, str]:
    """Id -> content hash of the patterns of this scope."""
    where = Missing("scope") if domain is None else Equals("scope", domain)
    return {node.id: node.content_hash for node in every_node(graph, "Pattern", where)}


def _drop_old_evidence(tx: Transaction, changed: Sequence[NodeRef], patterns: Sequence[Pattern]) -> None:
    if not changed:
        return
    holds = {pattern.id: set(pattern.episodes) for pattern in patterns}
    old: list[EdgeRecord] = [
        edge for edge in tx.edges(changed, ["EVIDENCED_BY"], "out") if edge.target.id not in holds[edge.source.id]
    ]
    tx.remove_edges(old)


def _batches(motifs: Iterable[Any]) -> Iterable[list[Any]]:
    """Motifs in their order, as many as give about `BATCH_EDGES` edges."""
    waiting = iter(motifs)
    for first in waiting:
        rest = islice(waiting, max(0, BATCH_EDGES // max(1, first.support) - 1))
        yield [first, *rest]
