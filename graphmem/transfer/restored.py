"""Writes the stored nodes and edges of a full export, an episode with all its parts at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from graphmem.graph.records import EdgeRecord, NodeRecord, NodeRef, Saved, Tree
from graphmem.ports.alias_index import index_aliases
from graphmem.ports.aliased_graph import without_aliasing
from graphmem.ports.embedder import EmbedderSpec
from graphmem.transfer.batching import tree_id
from graphmem.transfer.reading import Read
from graphmem.transfer.snapshot import is_tree_edge
from graphmem.transfer.tally import Fate, Tally
from graphmem.transfer.target import Target
from graphmem.transfer.waiting import Waiting

StoredNode = tuple[Read, NodeRecord]
StoredEdge = tuple[Read, EdgeRecord]


@dataclass(slots=True)
class _Parts:
    """What a batch holds of one episode."""

    root: NodeRecord | None = None
    nodes: list[NodeRecord] = field(default_factory=list)
    edges: list[EdgeRecord] = field(default_factory=list)

    @property
    def records(self) -> int:
        return (self.root is not None) + len(self.nodes) + len(self.edges)


class RestoredWriter:
    """Writes nodes and edges as they were stored elsewhere."""

    def __init__(self, target: Target, tally: Tally, waiting: Waiting) -> None:
        self._target = target
        self._tally = tally
        self._waiting = waiting
        self._vectors_fit = False
        self._labels: set[str] = set()
        """Labels of the nodes so far."""

    def begin_file(self, embedder: EmbedderSpec | None) -> None:
        """Learn whose vectors the following nodes carry: those of another embedder are made anew."""
        own = self._target.workspace.embedder
        self._vectors_fit = own is not None and embedder == own.spec

    def write(self, nodes: Sequence[StoredNode], edges: Sequence[StoredEdge], *, last: bool) -> None:
        """Write a batch in one transaction.

        Args:
            nodes: Distinct nodes.
            edges: Edges.
            last: Whether an end that is not stored will not come any more.
        """
        if not nodes and not edges:
            return
        self._labels.update(node.label for _, node in nodes)
        ready = self._with_ends(nodes, edges, last=last)
        trees, plain = self._sorted(nodes, ready)
        loose = [edge for _, edge in ready if not self._in_tree(edge, trees)]
        roots = [parts.root for parts in trees.values() if parts.root is not None]
        complete = self._with_vectors([*plain, *roots])
        single, rooted = complete[: len(plain)], complete[len(plain) :]
        whole = [
            Tree(root, tuple(parts.nodes), tuple(parts.edges))
            for root, parts in zip(rooted, trees.values(), strict=True)
        ]
        if self._target.dry_run:
            self._foresee(single, trees, loose)
            return
        # aliases are among the nodes: where edges lead was decided when they were written first
        with without_aliasing(self._target.graph).transaction() as transaction:
            saved = [transaction.save_nodes(single, replace=self._target.update)] if single else []
            of_trees = transaction.save_trees(whole, replace=self._target.update) if whole else Saved()
            fresh = transaction.save_edges(loose) if loose else 0
        self._tally.saved(saved, update=self._target.update)
        self._count_trees(of_trees, trees)
        self._tally.count("added", fresh, written=True)
        self._tally.count("unchanged", len(loose) - fresh)

    def finish(self) -> None:
        """Make the aliases that an export of an older version did not have."""
        if "Concept" in self._labels and "Alias" not in self._labels and not self._target.dry_run:
            index_aliases(self._target.graph)

    def _with_vectors(self, nodes: Sequence[NodeRecord]) -> list[NodeRecord]:
        """Nodes with the vectors of the file where they fit, else with new ones."""
        if self._vectors_fit:
            return list(nodes)
        return self._target.embedded([replace(node, vector=None) for node in nodes])

    def _with_ends(
        self, nodes: Sequence[StoredNode], edges: Sequence[StoredEdge], *, last: bool
    ) -> list[StoredEdge]:
        """Edges both ends of which are there; the others wait, or are refused at the end."""
        here = {node.ref for _, node in nodes}
        outside = {ref for _, edge in edges for ref in (edge.source, edge.target)} - here
        present = here | self._target.will_exist(outside)
        ready = []
        for read, edge in edges:
            if edge.source in present and edge.target in present:
                ready.append((read, edge))
            elif last:
                self._tally.refuse(read, f"{edge.type}: one of its ends is neither in the files nor stored")
            else:
                self._waiting.add(read, edge)
        return ready

    def _sorted(
        self, nodes: Sequence[StoredNode], edges: Sequence[StoredEdge]
    ) -> tuple[dict[str, _Parts], list[NodeRecord]]:
        """Whole episodes by id, and the nodes that stand alone."""
        trees: dict[str, _Parts] = {}
        plain: list[NodeRecord] = []
        for _, node in nodes:
            if node.label == "Episode":
                trees[node.id] = _Parts(root=node)
        for read, node in nodes:
            owner = tree_id(node.label, node.id)
            if node.label == "Episode":
                continue
            if owner is None:
                plain.append(node)
            elif owner in trees:
                trees[owner].nodes.append(node)
            else:
                self._tally.refuse(read, f"the {node.label} does not follow its episode")
        for _, edge in edges:
            if self._in_tree(edge, trees):
                trees[str(tree_id(edge.source.label, edge.source.id))].edges.append(edge)
        return trees, plain

    def _in_tree(self, edge: EdgeRecord, trees: dict[str, _Parts]) -> bool:
        """Whether an edge is written with the episode at whose parts it begins."""
        return tree_id(edge.source.label, edge.source.id) in trees and is_tree_edge(edge)

    def _count_trees(self, saved: Saved, trees: dict[str, _Parts]) -> None:
        fates: tuple[tuple[Fate, tuple[NodeRef, ...], bool], ...] = (
            ("added", saved.added, True),
            ("changed", saved.changed, self._target.update),
            ("unchanged", saved.unchanged, False),
        )
        for fate, refs, written in fates:
            for ref in refs:
                self._tally.count(fate, trees[ref.id].records, written=written)

    def _foresee(self, plain: Sequence[NodeRecord], trees: dict[str, _Parts], loose: Sequence[EdgeRecord]) -> None:
        """Count what a dry run would do."""
        roots = [(parts.root, parts.records) for parts in trees.values() if parts.root is not None]
        known = self._target.stored([node.ref for node in plain] + [root.ref for root, _ in roots])
        for node, records in [*((node, 1) for node in plain), *roots]:
            self._tally.count(_fate(node, known.get(node.ref)), records)
        stored: dict[str, set[tuple[NodeRef, NodeRef]]] = defaultdict(set)
        for edge in self._target.edges({edge.source for edge in loose}, {edge.type for edge in loose}):
            stored[edge.type].add((edge.source, edge.target))
        for edge in loose:
            self._tally.count("unchanged" if (edge.source, edge.target) in stored[edge.type] else "added")


def _fate(node: NodeRecord, known: NodeRecord | None) -> Fate:
    if known is None:
        return "added"
    return "unchanged" if known.content_hash == node.content_hash else "changed"
