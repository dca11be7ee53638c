"""The phase that links episodes about the same situation, by the nearest vectors on the calibrated scale.

Every closed episode that has a vector is searched for once, and again when its vector's text, the embedder or the
policy changes; the mark on it says under what. What an episode found points from it; a pair is linked once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from graphmem.consolidation.phases import Changes, Run, in_batches
from graphmem.graph.mapping.episode import is_closed
from graphmem.graph.mapping.values import HASH_LENGTH
from graphmem.graph.records import And, EdgeRecord, Missing, NodeRecord, NodeRef, Value, Vector
from graphmem.graph.texts import embedding_text
from graphmem.models.fields import canonical_json
from graphmem.ports.embedder import Embedder
from graphmem.ports.reading import CLOSED, pages

SIMILAR_TO = "SIMILAR_TO"
MARK = "similar_hash"

_AT_ONCE = 500
"""Episodes searched for in a round: what a stopped run loses, and what is held in memory."""

_DIGITS = 4
"""Of a similarity: what both stores agree on, whatever the order in which they add."""

_Pair = tuple[NodeRef, NodeRef]


@dataclass(frozen=True, slots=True)
class SimilarPlan:
    """What would be written of likeness between episodes."""

    add: tuple[EdgeRecord, ...] = ()
    remove: tuple[EdgeRecord, ...] = ()
    marks: tuple[tuple[str, str], ...] = ()
    """(episode, mark) of those that were searched for."""
    batch: int = 200

    def __bool__(self) -> bool:
        return bool(self.marks)

    def counts(self) -> dict[str, int]:
        """Links made and taken back, and episodes searched for."""
        return {"linked": len(self.add), "unlinked": len(self.remove), "compared": len(self.marks)}

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """Each pair with its similarity."""
        pairs = [
            {"episode": edge.source.id, "similar": edge.target.id, "similarity": edge.properties["weight"]}
            for edge in self.add
        ]
        return {"similar": pairs}

    def batches(self) -> Iterator[Changes]:
        """Episodes with their new links; an old link goes with the first of its ends."""
        edges, gone = _by_source(self.add), {(edge.source, edge.target): edge for edge in self.remove}
        for marks in in_batches(self.marks, self.batch):
            refs = [NodeRef("Episode", name) for name, _ in marks]
            dropped = [pair for pair in gone if pair[0] in refs or pair[1] in refs]
            yield Changes(
                remove_edges=[gone.pop(pair) for pair in dropped],
                edges=[edge for ref in refs for edge in edges.get(ref, ())],
                properties={"Episode": [(name, {MARK: mark}) for name, mark in marks]},
                items=len(marks),
            )


class SimilarEpisodes:
    """Links each closed episode to those that are most like it."""

    def plan(self, run: Run) -> SimilarPlan:
        """All that is due, as one plan."""
        parts = list(self._parts(run))
        return SimilarPlan(
            tuple(edge for part in parts for edge in part.add),
            tuple({(edge.source, edge.target): edge for part in parts for edge in part.remove}.values()),
            tuple(mark for part in parts for mark in part.marks),
            run.policy.batch_episodes,
        )

    def rounds(self, run: Run) -> Iterator[SimilarPlan]:
        """What is due in parts, each written before the next one is searched for."""
        yield SimilarPlan()  # its counts stand in the report also where nothing is due
        yield from self._parts(run)

    def _parts(self, run: Run) -> Iterator[SimilarPlan]:
        embedder, policy = run.embedder, run.policy
        if embedder is None or policy.similar_most == 0:
            return
        linked: set[_Pair] = set()
        left = policy.max_items
        for due in in_batches(_due(run, embedder), _AT_ONCE):
            wanted = due if left is None else due[:left]
            left = None if left is None else left - len(wanted)
            if wanted:
                yield _plan(run, embedder, wanted, linked)
            if left == 0:
                return


def _due(run: Run, embedder: Embedder) -> Iterator[tuple[NodeRecord, str]]:
    new = None if run.news is None else Missing(MARK)
    for roots in pages(run.graph, "Episode", CLOSED if new is None else And((CLOSED, new))):
        for root in roots:
            mark = similar_mark(root, run, embedder)
            if root.properties.get(MARK) != mark:
                yield root, mark


def similar_mark(root: NodeRecord, run: Run, embedder: Embedder) -> str:
    """A mark that changes with what is compared, with the embedder, and with the policy."""
    policy = run.policy.model_dump(include={"similar_least", "similar_most"})
    said = [embedding_text("Episode", root.properties), embedder.spec.name, embedder.spec.dimension, policy]
    return sha256(canonical_json(said).encode("utf-8", "surrogatepass")).hexdigest()[:HASH_LENGTH]


def _plan(run: Run, embedder: Embedder, due: Sequence[tuple[NodeRecord, str]], linked: set[_Pair]) -> SimilarPlan:
    """Search for some episodes; `linked` holds the pairs that this run linked before."""
    refs = [root.ref for root, _ in due]
    old = {(edge.source, edge.target): edge for edge in run.graph.edges(refs, [SIMILAR_TO], "both")}
    nodes = run.graph.get({*refs, *(source for source, _ in old)}, vectors=True)
    pairs = {pair: share for pair in old if (share := _standing(run, embedder, pair, nodes, refs)) is not None}
    linked |= pairs.keys()
    searched = [(root, mark) for root, mark in due if nodes[root.ref].vector is not None]
    for root, _ in searched:
        for ref, share in _search(run, embedder, nodes[root.ref]):
            if (ref, root.ref) not in linked:
                linked.add((root.ref, ref))
                pairs[root.ref, ref] = share
    return SimilarPlan(
        tuple(
            EdgeRecord(SIMILAR_TO, *pair, _properties(run, share))
            for pair, share in pairs.items()
            if pair not in old or old[pair].properties.get("weight") != share
        ),
        tuple(edge for pair, edge in old.items() if pair not in linked),
        tuple((root.id, mark) for root, mark in searched),
        run.policy.batch_episodes,
    )


def _search(run: Run, embedder: Embedder, node: NodeRecord) -> list[tuple[NodeRef, float]]:
    """The episodes most like one, best first."""
    if node.vector is None:
        return []
    limit = run.policy.similar_most + 1
    # a filter takes half of a search, and hardly an episode is open
    hits = run.graph.nearest("Episode", node.vector, limit=limit)
    if not all(is_closed(hit.record) for hit in hits):
        hits = run.graph.nearest("Episode", node.vector, CLOSED, limit=limit)
    shares = [(hit.record.ref, round(embedder.calibrate(hit.score), _DIGITS)) for hit in hits]
    near = [(ref, share) for ref, share in shares if ref != node.ref and share >= run.policy.similar_least]
    return near[: run.policy.similar_most]


def _standing(
    run: Run, embedder: Embedder, pair: _Pair, nodes: Mapping[NodeRef, NodeRecord], due: Collection[NodeRef]
) -> float | None:
    """The similarity of a stored pair that an episode found which is not due itself; None: it stands no more."""
    source, target = nodes.get(pair[0]), nodes.get(pair[1])
    if source is None or target is None or source.vector is None or target.vector is None or source.ref in due:
        return None
    if source.properties.get(MARK) != similar_mark(source, run, embedder):
        return None
    share = round(embedder.calibrate(_cosine(source.vector, target.vector)), _DIGITS)
    return share if share >= run.policy.similar_least else None


def _cosine(one: Vector, other: Vector) -> float:
    size = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / size if size else 0.0


def _properties(run: Run, share: float) -> dict[str, Value]:
    return {"created_at": run.now, "source": "consolidated", "weight": share}


def _by_source(edges: Sequence[EdgeRecord]) -> dict[NodeRef, list[EdgeRecord]]:
    found: dict[NodeRef, list[EdgeRecord]] = {}
    for edge in edges:
        found.setdefault(edge.source, []).append(edge)
    return found
