"""Writes the patterns of a run in place of those of the run before, and touches only what changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphmem.graph.mapping.pattern import pattern_edges, pattern_record, to_pattern
from graphmem.graph.mapping.run import to_run
from graphmem.graph.records import EdgeRecord, Equals, Missing, NodeRecord, NodeRef
from graphmem.models.fields import to_utc
from graphmem.models.pattern import Pattern, Replication
from graphmem.models.runs import MiningRun
from graphmem.patterns.motifs import Motif
from graphmem.patterns.reading import MinedEpisode
from graphmem.patterns.records import role_maps
from graphmem.patterns.scope import MiningScope
from graphmem.ports.graph_store import TenantGraph, Transaction
from graphmem.ports.reading import every_node
from graphmem.ports.workspace import Workspace

BATCH_EDGES = 20_000
"""Evidence edges looked at in one transaction: bounds its memory, whatever the support."""

_HAS_DISCOVERY = '"replication":{'


@dataclass(frozen=True, slots=True)
class StoredPatterns:
    """What the runs before left of one scope."""

    hashes: dict[str, str]
    """Id -> content hash."""
    discoveries: dict[str, Replication]
    """Id -> when and in which direction it was found significant, of those that ever were."""


def stored_patterns(graph: TenantGraph, scope: MiningScope) -> StoredPatterns:
    """Read what is stored of the scope of a run, and of the windows that this one is moved on from."""
    where = Missing("scope") if scope.name is None else Equals("scope", scope.name)
    hashes: dict[str, str] = {}
    discoveries: dict[str, Replication] = {}
    for node in every_node(graph, "Pattern", where):
        hashes[node.id] = node.content_hash
        found = _discovery(node)
        if found is not None:
            discoveries[node.id] = found
    for name in sorted(_moved(graph, scope)):
        hashes |= {node.id: node.content_hash for node in every_node(graph, "Pattern", Equals("scope", name))}
    return StoredPatterns(hashes, discoveries)


def _moved(graph: TenantGraph, scope: MiningScope) -> set[str]:
    """Names of earlier windows that the scope takes the place of."""
    if scope.since is None:
        return set()
    runs = (to_run(node, MiningRun) for node in every_node(graph, "MiningRun"))
    return {str(earlier.name) for earlier in map(_scope_of, runs) if scope.takes_over(earlier)}


def _scope_of(run: MiningRun) -> MiningScope:
    domain, task, since, until = (run.policy.get(name) for name in ("domain", "task", "since", "until"))
    return MiningScope(
        domain=None if domain is None else str(domain),
        task=None if task is None else str(task),
        since=None if since is None else to_utc(str(since)),
        until=None if until is None else to_utc(str(until)),
    )


def _discovery(node: NodeRecord) -> Replication | None:
    """The discovery of a pattern; only records that hold one are parsed."""
    return to_pattern(node).replication if _HAS_DISCOVERY in str(node.properties.get("record")) else None


def store_patterns(
    workspace: Workspace,
    found: Sequence[tuple[Motif, Pattern]],
    episodes: Mapping[str, MinedEpisode],
    stored: StoredPatterns,
) -> tuple[int, int]:
    """Write patterns with their evidence and remove those of the scope that no longer hold.

    Returns:
        How many were added, and how many removed.

    Raises:
        ConflictError: An episode was removed meanwhile.
    """
    graph, now, added = workspace.graph, workspace.now(), 0
    for batch in _batches(found):
        records = [pattern_record(pattern, now) for _, pattern in batch]
        due = [
            place for place, record in enumerate(records) if stored.hashes.get(record.id) != record.content_hash
        ]
        if not due:
            continue
        edges = [
            edge
            for place in due
            for edge in pattern_edges(batch[place][1], role_maps(batch[place][0], episodes), now)
        ]
        with graph.transaction() as tx:
            saved = tx.save_nodes([records[place] for place in due])
            tx.save_edges(_unlike_stored(tx, saved.changed, edges))
        added += len(saved.added)
    gone = sorted(stored.hashes.keys() - {motif.id for motif, _ in found})
    for start in range(0, len(gone), 500):
        with graph.transaction() as tx:
            tx.remove_nodes([NodeRef("Pattern", name) for name in gone[start : start + 500]])
    return added, len(gone)


def _unlike_stored(tx: Transaction, changed: Sequence[NodeRef], edges: Sequence[EdgeRecord]) -> list[EdgeRecord]:
    """The edges that are not stored so already; what is stored and no longer holds is removed."""
    if not changed:
        return list(edges)
    roles = {(edge.source, edge.target): edge.properties.get("roles") for edge in edges}
    stored = tx.edges(changed, ["EVIDENCED_BY"], "out")
    tx.remove_edges([edge for edge in stored if (edge.source, edge.target) not in roles])
    same = {
        (edge.source, edge.target)
        for edge in stored
        if roles.get((edge.source, edge.target)) == edge.properties.get("roles")
    }
    return [edge for edge in edges if (edge.source, edge.target) not in same]


def _batches(found: Iterable[tuple[Motif, Pattern]]) -> Iterator[list[tuple[Motif, Pattern]]]:
    """Patterns in their order, as many as give about `BATCH_EDGES` edges; one of more edges alone."""
    batch: list[tuple[Motif, Pattern]] = []
    edges = 0
    for motif, pattern in found:
        if batch and edges + motif.support > BATCH_EDGES:
            yield batch
            batch, edges = [], 0
        batch.append((motif, pattern))
        edges += motif.support
    if batch:
        yield batch
