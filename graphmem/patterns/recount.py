"""The exact count of motifs that lost embeddings to the cap.

A motif may occur in an episode through embeddings that were left out. Those episodes, and no others,
are given to the exact matcher; where its tries or the time run out, the support is a lower bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from graphmem.patterns.canonical import TYPE_BIT, Edge
from graphmem.patterns.encoding import EncodedGraphs, Ints
from graphmem.patterns.graphs import EDGE_TYPES
from graphmem.patterns.matching import EdgeIndex, find_embedding, index_edges
from graphmem.patterns.tables import MotifTable


class Recounter:
    """Decides motifs in the episodes of one corpus, remembering each episode's index."""

    def __init__(self, encoded: EncodedGraphs, max_steps: int, is_over: Callable[[], bool]) -> None:
        self._encoded = encoded
        self._max_steps = max_steps
        self._is_over = is_over
        self._edges: Callable[[int], EdgeIndex] = cache(lambda episode: index_edges(encoded.graphs[episode]))
        self._matching: Callable[[int], dict[int, frozenset[int]]] = cache(self._nodes_by_label)

    def recount(self, table: MotifTable) -> tuple[MotifTable, frozenset[int]]:
        """Add the episodes that the cap hid.

        Args:
            table: motifs with one embedding an episode.

        Returns:
            The table with the found episodes added, and the motifs whose support is a lower bound.
        """
        if not table.capped:
            return table, frozenset()
        added: dict[int, list[tuple[int, ...]]] = {}
        open_motifs = set()
        for motif in sorted(table.capped):
            rows, is_decided = self._hidden(table, motif)
            added[motif] = rows
            if not is_decided:
                open_motifs.add(motif)
        return _with_rows(table, added, self._encoded.node_episode), frozenset(open_motifs)

    def _hidden(self, table: MotifTable, motif: int) -> tuple[list[tuple[int, ...]], bool]:
        """Embeddings in the capped episodes that have none yet, and whether all could be decided."""
        known = table.rows[table.starts[motif] : table.starts[motif + 1], 0]
        waiting = table.capped[motif] - set(self._encoded.node_episode[known].tolist())
        edges = list(motif_edges(table, motif))
        rows: list[tuple[int, ...]] = []
        is_decided = True
        for episode in sorted(waiting):
            if self._is_over():
                return rows, False
            nodes = self._matching(episode)
            candidates = [nodes.get(label, frozenset()) for label in table.labels[motif].tolist()]
            if not all(candidates):
                continue
            match = find_embedding(self._edges(episode), candidates, edges, max_steps=self._max_steps)
            is_decided &= match.is_decided
            if match.embedding:
                first = int(self._encoded.node_starts[episode])
                rows.append(tuple(first + place for place in match.embedding))
        return rows, is_decided

    def _nodes_by_label(self, episode: int) -> dict[int, frozenset[int]]:
        first, last = self._encoded.node_starts[episode : episode + 2].tolist()
        variants = self._encoded.table.variants
        origin, entry = variants.expand(self._encoded.node_label[first:last])
        nodes: dict[int, set[int]] = {}
        for place, label in zip(origin.tolist(), variants.values[entry].tolist(), strict=True):
            nodes.setdefault(label, set()).add(place)
        return {label: frozenset(places) for label, places in nodes.items()}


def motif_edges(table: MotifTable, motif: int) -> Iterator[Edge]:
    """The edges of one motif of a table, sorted."""
    for source, target in np.argwhere(table.adjacency[motif]).tolist():
        bits = table.adjacency[motif, source, target]
        for number, edge_type in enumerate(EDGE_TYPES):
            if bits & TYPE_BIT[number]:
                yield source, target, edge_type


def _with_rows(table: MotifTable, added: dict[int, list[tuple[int, ...]]], node_episode: Ints) -> MotifTable:
    """Put embeddings into their motifs, in the order of their episodes."""
    motifs = np.array([motif for motif, rows in added.items() for _ in rows], dtype=np.int32)
    new = np.array([row for rows in added.values() for row in rows], dtype=np.int32).reshape(-1, table.size)
    motif = np.concatenate([table.row_motif, motifs])
    rows = np.concatenate([table.rows, new])
    order = np.lexsort((node_episode[rows[:, 0]], motif))
    return MotifTable(
        labels=table.labels,
        adjacency=table.adjacency,
        starts=np.concatenate([[0], np.cumsum(np.bincount(motif, minlength=len(table)))]),
        rows=rows[order],
        capped=table.capped,
    )
