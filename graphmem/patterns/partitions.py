"""Cuts a corpus into parts that are searched on their own, and puts what was found together again.

Parts share the labels of the whole corpus, since which of them are legal is a matter of all episodes; an
episode lies in one part. How the parts are searched is `partitioned`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from graphmem.patterns.canonical import Label
from graphmem.patterns.encoding import EncodedGraphs
from graphmem.patterns.tables import Longs, MotifTable

NO_LABEL: Label = ("", "")
"""Stands for every label of a part."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some episodes of a corpus, numbered anew: numbers alone, no text, since searching compares numbers."""

    encoded: EncodedGraphs
    nodes: Longs
    """The number in the whole corpus of each node."""
    episodes: Longs
    """The number in the whole corpus of each episode."""


def split_corpus(encoded: EncodedGraphs, parts: int, by: Literal["count", "domain"]) -> list[Part]:
    """Cut a corpus into parts, none of them empty.

    Args:
        encoded: the corpus.
        parts: how many at most.
        by: count: runs of about as many nodes; domain: whole domains, the largest first into the emptiest part.
    """
    owner = _by_domain(encoded, parts) if by == "domain" else _by_count(encoded, parts)
    return [_take(encoded, np.flatnonzero(owner == part)) for part in np.unique(owner).tolist()]


def _by_count(encoded: EncodedGraphs, parts: int) -> Longs:
    total = max(1, int(encoded.node_starts[-1]))
    return np.minimum(parts - 1, encoded.node_starts[:-1] * parts // total)


def _by_domain(encoded: EncodedGraphs, parts: int) -> Longs:
    sizes = np.diff(encoded.node_starts).tolist()
    nodes: dict[str, int] = defaultdict(int)
    for graph, size in zip(encoded.graphs, sizes, strict=True):
        nodes[graph.domain or ""] += size
    filled = [0] * parts
    part_of = {}
    for domain in sorted(nodes, key=lambda name: (-nodes[name], name)):
        part_of[domain] = part = filled.index(min(filled))
        filled[part] += nodes[domain]
    return np.array([part_of[graph.domain or ""] for graph in encoded.graphs], dtype=np.int64)


def _take(encoded: EncodedGraphs, episodes: Longs) -> Part:
    sizes = np.diff(encoded.node_starts)[episodes]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    nodes = np.repeat(encoded.node_starts[episodes] - starts[:-1], sizes) + np.arange(starts[-1])
    number = np.full(len(encoded.node_label), -1, np.int32)
    number[nodes] = np.arange(len(nodes), dtype=np.int32)
    inside = np.flatnonzero(number[encoded.source] >= 0)
    part = EncodedGraphs(
        graphs=(),
        table=replace(encoded.table, labels=(NO_LABEL,) * len(encoded.table.labels)),
        node_starts=starts,
        node_episode=np.repeat(np.arange(len(episodes), dtype=np.int32), sizes),
        node_label=encoded.node_label[nodes],
        source=number[encoded.source[inside]],
        target=number[encoded.target[inside]],
        edge_type=encoded.edge_type[inside],
    )
    return Part(part, nodes, episodes)


def merge_tables(encoded: EncodedGraphs, parts: Sequence[Part], tables: Sequence[MotifTable]) -> MotifTable:
    """Join what the parts found of the same motifs, in the same order, into one table of the whole corpus.

    Args:
        encoded: the corpus.
        parts: of it.
        tables: one a part, nodes and episodes numbered as there.
    """
    rows = np.concatenate([part.nodes[table.rows] for part, table in zip(parts, tables, strict=True)])
    motif = np.concatenate([table.row_motif for table in tables])
    order = np.lexsort((encoded.node_episode[rows[:, 0]], motif))
    lost: dict[int, set[int]] = defaultdict(set)
    for part, table in zip(parts, tables, strict=True):
        for place, episodes in table.capped.items():
            lost[place] |= set(part.episodes[list(episodes)].tolist())
    return MotifTable(
        labels=tables[0].labels,
        adjacency=tables[0].adjacency,
        starts=np.concatenate([[0], np.cumsum(np.bincount(motif, minlength=len(tables[0])))]),
        rows=rows[order].astype(np.int32),
        capped={place: frozenset(episodes) for place, episodes in lost.items()},
    )
