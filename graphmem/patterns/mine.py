"""The mining workflow: read the episodes, find the motifs, store them as patterns with their evidence.

A run replaces the patterns of its own scope (all episodes, or what it was limited to). Patterns whose
content is the same stay as they are, so mining twice writes nothing the second time but its own record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from graphmem.errors import ConflictError
from graphmem.graph.mapping.run import run_record, to_run
from graphmem.models.pattern import Contrast, Pattern, Replication
from graphmem.models.runs import MiningRun
from graphmem.patterns.contrasts import nearest_contrast
from graphmem.patterns.discovery import Progress, discover_motifs
from graphmem.patterns.learning import learn_procedures
from graphmem.patterns.limits import SetAside
from graphmem.patterns.motifs import Motif
from graphmem.patterns.policy import MiningPolicy
from graphmem.patterns.reading import Corpus, read_corpus
from graphmem.patterns.records import title_of, to_pattern_model
from graphmem.patterns.replication import look_again
from graphmem.patterns.statistics.judging import Judgement, Verdict, judge
from graphmem.patterns.storing import StoredPatterns, store_patterns, stored_patterns
from graphmem.ports.reading import every_node
from graphmem.ports.workspace import Workspace


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
    set_aside: SetAside
    """Patterns beyond what a run keeps: with the same episodes as others, and beyond the number of all."""
    tested: int
    """Patterns in the family of the outcome test: those whose structure is more than chance."""
    procedures: int
    """Procedures that were learned or brought up to date."""
    look: int
    """How often these data have been looked at, this run included: each look is another chance to err."""
    incomplete: str | None
    """What was not searched and why; None when all was."""

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON."""
        return {**asdict(self), "seconds": round(self.seconds, 3)}


def mine_patterns(
    workspace: Workspace,
    policy: MiningPolicy | None = None,
    *,
    progress: Progress | None = None,
    executor: Executor | None = None,
) -> MiningReport:
    """Mine the tenant's closed episodes, of all its users.

    Args:
        workspace: The tenant.
        policy: Bounds; None: the defaults.
        progress: Told how far the run is.
        executor: Searches the parts of the episodes side by side; None: this process.

    Raises:
        ConflictError: An episode was removed while the run wrote its evidence; run again.
    """
    policy = policy or MiningPolicy()
    started = workspace.now()
    corpus = read_corpus(workspace.graph, policy.scope, numbered_names=policy.numbered_names)
    read = workspace.now()
    graphs = [mined.graph for mined in corpus.episodes]
    result = discover_motifs(graphs, corpus.taxonomy, policy, progress=progress, executor=executor)
    judgement = judge(result.motifs, graphs, policy)
    run = workspace.new_id(started)
    stored = stored_patterns(workspace.graph, policy.scope)
    assess = _Assessment(corpus, result.motifs, judgement, policy=policy, stored=stored, read_at=read)
    found = list(assess.patterns(workspace.graph.tenant, run))
    episodes = {mined.graph.episode: mined for mined in corpus.episodes}
    try:
        added, removed = store_patterns(workspace, found, episodes, stored)
    except ConflictError as fault:
        raise ConflictError("an episode was removed while its patterns were written: mine again") from fault
    procedures = learn_procedures(workspace, (pattern for _, pattern in found), _begins(corpus))
    ended = workspace.now()
    report = MiningReport(
        episodes=result.episodes,
        patterns=len(found),
        seconds=(ended - started).total_seconds(),
        tiers=dict(Counter(pattern.tier for _, pattern in found)),
        run=run,
        added=added,
        removed=removed,
        min_support=result.min_support,
        capped=len(result.capped),
        set_aside=result.set_aside,
        tested=judgement.tested,
        procedures=procedures,
        look=_earlier_looks(workspace, policy) + 1,
        incomplete=result.incomplete,
    )
    _record_run(workspace, report, policy, started, ended)
    return report


def _begins(corpus: Corpus) -> dict[str, float]:
    graphs = (mined.graph for mined in corpus.episodes)
    return {graph.episode: graph.started_at.timestamp() for graph in graphs if graph.started_at is not None}


class _Assessment:
    """Turns the motifs of one run into patterns."""

    def __init__(
        self,
        corpus: Corpus,
        motifs: Sequence[Motif],
        judgement: Judgement,
        *,
        policy: MiningPolicy,
        stored: StoredPatterns,
        read_at: datetime,
    ) -> None:
        self._episodes = {mined.graph.episode: mined for mined in corpus.episodes}
        self._graphs = [mined.graph for mined in corpus.episodes]
        self._motifs, self._judgement, self._policy = motifs, judgement, policy
        self._stored, self._read_at = stored, read_at
        self._titles = [title_of(motif) for motif in motifs]

    def patterns(self, tenant: str, run: str) -> Iterator[tuple[Motif, Pattern]]:
        """Each motif with its pattern."""
        for number, (motif, verdict) in enumerate(zip(self._motifs, self._judgement.verdicts, strict=True)):
            yield (
                motif,
                to_pattern_model(
                    motif,
                    verdict,
                    self._episodes,
                    tenant=tenant,
                    run=run,
                    contrast=self._contrast(number, verdict),
                    replication=self._replication(motif, verdict),
                ),
            )

    def _contrast(self, number: int, verdict: Verdict) -> Contrast | None:
        if verdict.polarity != "negative":
            return None
        return nearest_contrast(number, self._motifs, self._judgement, self._titles)

    def _replication(self, motif: Motif, verdict: Verdict) -> Replication | None:
        """What later episodes say; a direction that turned round is a new discovery."""
        known = self._stored.discoveries.get(motif.id)
        if known is not None and verdict.polarity in (None, known.direction):
            return look_again(known, motif.episodes, self._graphs, self._policy)
        if verdict.polarity is None:
            return None
        return Replication(since=self._read_at, direction=verdict.polarity)


def _record_run(
    workspace: Workspace, report: MiningReport, policy: MiningPolicy, started: datetime, ended: datetime
) -> None:
    counts = {name: value for name, value in report.to_dict().items() if name not in ("run", "seconds")}
    record = MiningRun(
        id=report.run, started_at=started, ended_at=ended, policy=policy.model_dump(mode="json"), counts=counts
    )
    with workspace.graph.transaction() as tx:
        tx.save_nodes([run_record(record, ended)])


def _earlier_looks(workspace: Workspace, policy: MiningPolicy) -> int:
    """Runs over the same scope before this one."""
    limits = policy.model_dump(mode="json", include={"domain", "task", "since", "until"})
    runs = (to_run(node, MiningRun) for node in every_node(workspace.graph, "MiningRun"))
    return sum(all(run.policy.get(name) == limit for name, limit in limits.items()) for run in runs)
